package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.testkit.PgBouncer.Mode;
import java.net.URI;
import java.nio.file.Files;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each of the unpacked servers starts, answers and leaves nothing behind. */
@Tag("server")
@Tag("long")
class UnpackedServerTest {
  @Test
  void pgBouncerLeadsToPostgres() throws SQLException {
    UnpackedServer.PGBOUNCER.assumeThere();
    try (PostgresServer server = PostgresServer.launch();
        PgBouncer pooler = PgBouncer.launch(server, Mode.TRANSACTION)) {
      assertThat(text(pooler.dataSource("postgres"), "show server_version"))
          .isEqualTo(text(server.dataSource(), "show server_version"));
    }
    assertThat(UnpackedServer.PGBOUNCER.version()).isGreaterThan("1.21");
  }

  @Test
  void mySqlIsNine() throws SQLException {
    UnpackedServer.MYSQL.assumeThere();
    MySqlServer server = MySqlServer.launch();
    try (server) {
      assertThat(text(server.dataSource(), "select @@version")).startsWith("9.");
      assertThat(text(server.dataSource(), "select @@innodb_flush_log_at_trx_commit"))
          .isEqualTo("1");
      server.kill();
      server.start();
      assertThat(text(server.dataSource(), "select @@port"))
          .isEqualTo(Integer.toString(server.port()));
    }
    assertThat(server.log().getParent()).doesNotExist();
  }

  @Test
  void rabbitMqIsFour() throws Exception {
    UnpackedServer.RABBITMQ.assumeThere();
    RabbitServer server = RabbitServer.launch(RabbitPrograms.unpacked(), List.of(), List.of());
    try (server) {
      assertThat(version(server)).startsWith("4.");
      server.kill();
      server.start();
      assertThat(server.ctl("list_vhosts")).contains("/");
      server.stop();
    }
    assertThat(Files.exists(server.home())).isFalse();
  }

  @Test
  void galeraHasTwoNodesThatTakeWrites() throws SQLException {
    UnpackedServer.GALERA.assumeThere();
    try (GaleraCluster cluster = GaleraCluster.launch()) {
      cluster.first().createDatabase("shop");
      DataSource first = cluster.first().dataSource("shop");
      DataSource second = cluster.second().dataSource("shop");
      execute(first, "create table t (id int primary key)");
      execute(second, "set wsrep_sync_wait = 15", "insert into t values (1)");
      execute(first, "set wsrep_sync_wait = 15", "insert into t values (2)");
      assertThat(text(second, "show status like 'wsrep_cluster_size'")).contains("2");
      assertThat(text(first, "select count(*) from t")).isEqualTo("2");
    }
  }

  private static String version(RabbitServer server) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(URI.create(server.uri()));
    try (Connection connection = factory.newConnection("version")) {
      return String.valueOf(connection.getServerProperties().get("version"));
    }
  }

  private static void execute(DataSource source, String... statements) throws SQLException {
    try (java.sql.Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String text(DataSource source, String query) throws SQLException {
    try (java.sql.Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(result.getMetaData().getColumnCount());
    }
  }
}
