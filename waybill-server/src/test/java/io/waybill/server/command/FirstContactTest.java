package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a user can have wrong at the start is said in sentences that are whole, never by a trace.
 */
@Tag("server")
class FirstContactTest {
  private static PostgresServer server;

  @TempDir private Path folder;
  private RelayProcesses relays;

  @BeforeAll
  static void launch() throws SQLException {
    server = PostgresServer.launch(Map.of());
    try (Connection connection = server.dataSource("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create role stranger login");
      statement.execute("create database empty");
      statement.execute("create database ready");
    }
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @BeforeEach
  void prepare() {
    relays = new RelayProcesses(folder);
  }

  @AfterEach
  void end() {
    relays.close();
  }

  @Test
  @Tag("long")
  void aSecondRelayOnTheMachineSaysWhichPortIsTakenAndWhatToSet() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path config =
          write("empty", "postgres", "server: {port: %d}".formatted(taken.getLocalPort()));
      Process relay = relays.start(config, Map.of());

      assertThat(relay.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(relay.exitValue()).as(relays.log()).isEqualTo(8);
      assertThat(relays.log())
          .contains("127.0.0.1:" + taken.getLocalPort(), "server.port", "SERVER_PORT");
      withoutTrace(relays.log());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nowhere, postgres, 4, there is no such database, database.url",
    "empty, nobody, 4, database.username, database.password",
    "empty, postgres, 1, waybill_, waybill schema apply",
    "ready, stranger, 1, permission denied, --grants"
  })
  void aCommandSaysWhatIsWrongWithTheDatabase(
      String database, String user, int code, String first, String second) {
    Path config = write("ready", "postgres", "");
    CommandRun.on(config, Map.of(), "schema", "apply");
    for (String command : new String[] {"status", "events list", "schema check"}) {
      CommandRun run = CommandRun.on(write(database, user, ""), Map.of(), command.split(" "));
      if (command.equals("schema check") && code == 1) {
        // Its findings are its result.
        continue;
      }
      assertThat(run.code()).as(command + ": " + run).isEqualTo(code);
      assertThat(run.err()).contains(first).contains(second).doesNotContain("\\u000a", "...");
      withoutTrace(run.err());
    }
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "nowhere, postgres, database \"nowhere\" does not exist",
    "empty, nobody, role \"nobody\" does not exist",
    "empty, postgres, waybill schema apply",
    "ready, stranger, permission denied for table"
  })
  void aRelaySaysWhatIsWrongWithTheDatabase(String database, String user, String said)
      throws Exception {
    CommandRun.on(write("ready", "postgres", ""), Map.of(), "schema", "apply");
    Path config = write(database, user, "server: {port: 0}");
    Process relay = relays.start(config, Map.of());

    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .untilAsserted(() -> assertThat(relays.log()).contains(said));
    // Refused, or awaited: both are documented.
    if (relay.waitFor(5, TimeUnit.SECONDS)) {
      assertThat(relay.exitValue()).as(relays.log()).isEqualTo(ExitCode.REFUSED);
    }
    assertThat(relays.log().lines().filter(line -> line.contains(" WARN ")).count())
        .as(relays.log())
        .isLessThan(10);
    withoutTrace(relays.log());
  }

  private static void withoutTrace(String text) {
    assertThat(text).doesNotContain("\tat ", "Exception in thread", "should not happen");
  }

  private Path write(String database, String user, String more) {
    return CommandRun.write(
        folder,
        """
        waybill:
          outboxes:
            orders:
              database:
                url: jdbc:postgresql://127.0.0.1:%d/%s
                username: %s
              kafka:
                bootstrap-servers: [127.0.0.1:9]
              routes:
                default: {target: orders}
        %s
        """
            .formatted(server.port(), database, user, more));
  }

  @Test
  void aConfigurationThatCannotBeReadIsNamed() throws IOException {
    CommandRun run = CommandRun.of(Map.of(), "status", "--config", folder.toString());

    assertThat(run.code()).isEqualTo(ExitCode.CONFIG);
    assertThat(run.err()).contains(folder.toString(), "cannot be read");
    withoutTrace(run.err());
  }
}
