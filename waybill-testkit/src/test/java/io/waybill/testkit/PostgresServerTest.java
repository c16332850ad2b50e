package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresServerTest {
  @Test
  void committedDataSurvivesKillAndRestart() throws SQLException {
    try (PostgresServer server = PostgresServer.launch()) {
      server.createDatabase("shop");
      DataSource shop = server.dataSource("shop");
      execute(shop, "create table t (n int)");
      execute(shop, "insert into t values (1)");

      server.kill();
      assertThatThrownBy(shop::getConnection).isInstanceOf(SQLException.class);
      server.start();
      execute(shop, "insert into t values (2)");
      server.restart();

      assertThat(text(shop, "select count(*) from t")).isEqualTo("2");
    }
  }

  @Test
  void commitsAreDurableUnlessASettingSaysOtherwise() throws SQLException {
    PostgresServer server =
        PostgresServer.launch(Map.of("wal_level", "minimal", "max_wal_senders", "0"));
    try (server) {
      assertThat(text(server.dataSource(), "show fsync")).isEqualTo("on");
      assertThat(text(server.dataSource(), "show synchronous_commit")).isEqualTo("on");
      assertThat(text(server.dataSource(), "show full_page_writes")).isEqualTo("on");
      assertThat(text(server.dataSource(), "show wal_level")).isEqualTo("minimal");
    }
    assertThat(Files.exists(server.log().getParent())).isFalse();
  }

  private static void execute(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
