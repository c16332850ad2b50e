package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.PgBouncer.Mode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void rabbitMqIsThreeWhereItIsNotInstalled() throws Exception {
    UnpackedServer.RABBITMQ_3.assumeThere();
    RabbitPrograms programs = RabbitPrograms.of(UnpackedServer.RABBITMQ_3);
    try (RabbitServer server = RabbitServer.launch(programs, List.of(), List.of())) {
      assertThat(version(server)).startsWith("3.10.");
      server.kill();
      server.start();
      assertThat(server.ctl("list_vhosts")).contains("/");
    }
  }

  @Test
  void languagesRunInTheCallersFolder(@TempDir Path folder) throws Exception {
    UnpackedServer.NODE.assumeThere();
    UnpackedServer.PYTHON.assumeThere();
    Files.writeString(folder.resolve("a.js"), "console.log(process.cwd())");
    Files.writeString(
        folder.resolve("a.py"), "import os, psycopg, confluent_kafka\nprint(os.getcwd())");

    assertThat(printed(folder, UnpackedServer.NODE, "node", "a.js")).isEqualTo(folder + "\n");
    assertThat(printed(folder, UnpackedServer.NODE, "npm", "--version")).matches("\\d+\\..*\\n");
    assertThat(printed(folder, UnpackedServer.PYTHON, "python3", "a.py")).isEqualTo(folder + "\n");
  }

  @Test
  void chromiumReadsAPage(@TempDir Path folder) throws Exception {
    UnpackedServer.CHROMIUM.assumeThere();
    String[] command = {
      "chromium",
      "--headless",
      "--no-sandbox",
      "--user-data-dir=" + folder,
      "--dump-dom",
      "data:text/html,<p>seen</p>"
    };
    assertThat(printed(folder, UnpackedServer.CHROMIUM, command)).contains("<p>seen</p>");
  }

  private static String printed(Path folder, UnpackedServer server, String... command)
      throws IOException {
    List<String> started = new ArrayList<>(List.of(command));
    started.set(0, server.starter(command[0]).toString());
    Process process =
        new ProcessBuilder(started).directory(folder.toFile()).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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
