package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What tests rely on, whichever server it is. */
abstract class DatabaseServerContract {
  private final DatabaseKind kind;

  DatabaseServerContract(DatabaseKind kind) {
    this.kind = kind;
  }

  @Test
  void committedDataSurvivesKillAndRestart() throws SQLException {
    try (DatabaseServer server = DatabaseServer.launch(kind)) {
      assertThat(server.kind()).isEqualTo(kind);
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
  void aFrozenServerKeepsItsConnectionsAndAnswersOnceItIsThawed() throws Exception {
    try (DatabaseServer server = DatabaseServer.launch(kind);
        Connection connection = server.dataSource().getConnection()) {
      server.freeze();
      CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> answers(connection));
      assertThatThrownBy(() -> answer.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
      server.thaw();
      assertThat(answer.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean answers(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("select 1");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static void execute(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String text(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
