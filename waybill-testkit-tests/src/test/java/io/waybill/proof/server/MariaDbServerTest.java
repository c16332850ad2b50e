package io.waybill.proof.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MariaDbServerTest extends DatabaseServerContract {
  MariaDbServerTest() {
    super(DatabaseKind.MARIADB);
  }

  @Test
  void commitsAreDurableUnlessASettingSaysOtherwise() throws SQLException {
    MariaDbServer server = MariaDbServer.launch(Map.of("lock-wait-timeout", "7"));
    try (server) {
      DataSource source = server.dataSource();
      assertThat(text(source, "select @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
      assertThat(text(source, "select @@innodb_doublewrite")).isIn("1", "ON");
      assertThat(text(source, "select @@sql_mode")).contains("STRICT_TRANS_TABLES");
      assertThat(text(source, "select @@character_set_server")).isEqualTo("utf8mb4");
      assertThat(text(source, "select @@lock_wait_timeout")).isEqualTo("7");
    }
    assertThat(Files.exists(server.log().getParent())).isFalse();
  }

  @Test
  void aServerThatDoesNotStartSaysWhy() {
    assertThatThrownBy(() -> MariaDbServer.launch(Map.of("no-such-option", "1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-option");
  }

  @Test
  void leavesNothingBehindWhenItsJvmIsKilled(@TempDir Path directory) throws Exception {
    Path report = directory.resolve("server");
    Process jvm =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Launcher.class.getName(),
                    report.toString()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    Awaitility.await().atMost(Patience.of(Duration.ofMinutes(2))).until(() -> Files.exists(report));
    List<String> lines = Files.readAllLines(report);
    ProcessHandle server = ProcessHandle.of(Long.parseLong(lines.get(0))).orElseThrow();
    jvm.destroyForcibly().waitFor(20, TimeUnit.SECONDS);

    server.onExit().get(20, TimeUnit.SECONDS);
    Awaitility.await().until(() -> Files.notExists(Path.of(lines.get(1))));
  }

  @Test
  void databasesAreFoundOnAGivenServer() {
    assertThat(MySqlDatabases.inDatabase("jdbc:mariadb://h:1/?user=u", "shop"))
        .isEqualTo("jdbc:mariadb://h:1/shop?user=u");
    assertThat(MySqlDatabases.inDatabase("jdbc:mysql://h/old", "shop"))
        .isEqualTo("jdbc:mysql://h/shop");
    assertThat(MySqlDatabases.inDatabase("jdbc:mariadb://h?user=u&a=b/c", "shop"))
        .isEqualTo("jdbc:mariadb://h/shop?user=u&a=b/c");
  }

  /** A JVM to be killed: writes the pid and the folder of its server. */
  static final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      MariaDbServer server = MariaDbServer.launch();
      Path report = Path.of(arguments[0]);
      Path draft = report.resolveSibling("draft");
      Files.write(
          draft, List.of(Long.toString(server.pid()), String.valueOf(server.log().getParent())));
      Files.move(draft, report);
      Thread.currentThread().join();
    }
  }
}
