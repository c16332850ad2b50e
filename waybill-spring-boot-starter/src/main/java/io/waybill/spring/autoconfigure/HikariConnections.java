package io.waybill.spring.autoconfigure;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.jdbc.ConnectionFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
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

  /** Credentials are read each time: they may have been changed since. */
  private static Connection open(HikariDataSource pool) throws SQLException {
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
