package io.waybill.spring.internal.database;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.ConnectionFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;

/** Connections like those of a Hikari pool, but not of the pool. */
final class HikariConnections {
  private static final String MARIADB_DRIVER = "org.mariadb.jdbc.Driver";

  private HikariConnections() {}

  /** A factory, or null if it is no such pool or has no URL. */
  static @Nullable ConnectionFactory beside(DataSource source) {
    HikariDataSource pool =
        DataSourceUnwrapper.unwrap(source, HikariConfigMXBean.class, HikariDataSource.class);
    return pool == null || pool.getJdbcUrl() == null ? null : () -> open(pool);
  }

  private static Connection open(HikariDataSource pool) throws SQLException {
    Connection connection = connect(pool);
    boolean done = false;
    try {
      prepare(connection, pool);
      done = true;
      return connection;
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  /**
   * What decides which tables a name means, in the order of the pool. Isolation and limits are
   * those of Waybill's own sessions.
   */
  private static void prepare(Connection connection, HikariDataSource pool) throws SQLException {
    if (pool.getCatalog() != null) {
      connection.setCatalog(pool.getCatalog());
    }
    if (pool.getSchema() != null) {
      connection.setSchema(pool.getSchema());
    }
    if (pool.getConnectionInitSql() != null) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(pool.getConnectionInitSql());
      }
    }
  }

  /** Credentials are read each time: they may have been changed since. */
  private static Connection connect(HikariDataSource pool) throws SQLException {
    String url = pool.getJdbcUrl();
    Properties properties = new Properties();
    Properties given = pool.getDataSourceProperties();
    given.stringPropertyNames().forEach(key -> properties.put(key, given.getProperty(key)));
    put(properties, "user", pool.getUsername());
    put(properties, "password", pool.getPassword());
    if (url.startsWith("jdbc:postgresql:")) {
      return ConnectionFactory.postgres(url, properties).open();
    }
    if (url.startsWith("jdbc:mariadb:") || MARIADB_DRIVER.equals(pool.getDriverClassName())) {
      return ConnectionFactory.mariaDb(url, properties).open();
    }
    return DriverManager.getConnection(url, properties);
  }

  private static void put(Properties properties, String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      properties.put(key, value);
    }
  }
}
