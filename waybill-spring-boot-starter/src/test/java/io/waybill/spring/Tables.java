package io.waybill.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The outbox of a test, seen from outside its transactions. */
public record Tables(String url) {
  /** An empty database with the tables. */
  public static Tables create() {
    Tables tables = new Tables(TestServers.database());
    try (Connection connection = tables.connect()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      return tables;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public HikariDataSource pool(int size) {
    return pool(size, true);
  }

  /** A pool whose connections are in auto-commit mode, or not. */
  public HikariDataSource pool(int size, boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setAutoCommit(autoCommit);
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(2_000);
    return new HikariDataSource(config);
  }

  /** Types of the committed events, in order. */
  public List<String> types() {
    return texts("select event_type from waybill_outbox order by id");
  }

  /** The first column of a query. */
  public List<String> texts(String query) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      List<String> texts = new ArrayList<>();
      while (result.next()) {
        texts.add(result.getString(1));
      }
      return texts;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public void run(String statement) {
    try (Connection connection = connect();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }
}
