package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A source of events and its dead letters on a real broker, and a real PostgreSQL, anew for each
 * test.
 */
abstract class DeadLetterSetting {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static PostgresServer database;

  final String source = "orders-" + NUMBERS.incrementAndGet();
  @TempDir Path folder;
  Path config = Path.of("unset");

  abstract DeadLetterBroker broker();

  @BeforeAll
  static void launchDatabase() {
    database = PostgresServer.launch();
  }

  @AfterAll
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    broker().create(source);
    broker().create(source + ".dlt");
    sql("drop schema public cascade; create schema public");
    config =
        CommandRun.write(
            folder,
            """
            waybill:
              outboxes:
                orders:
                  database: {url: "%s", username: postgres}
            %s
                  routes:
                    default: {target: orders}
            """
                .formatted(databaseUrl(), broker().config()));
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
  }

  static String databaseUrl() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(database.port());
  }

  final CommandRun redrive(String... filter) {
    return run(redriveArguments(filter));
  }

  final String[] redriveArguments(String... filter) {
    List<String> arguments = new ArrayList<>(List.of("dead-letters", "redrive", source));
    arguments.addAll(Arrays.asList(filter));
    arguments.addAll(List.of("--yes", "--reason", "mended", "--json"));
    return arguments.toArray(String[]::new);
  }

  final List<String> ids(String verb, String... filter) {
    List<String> arguments = new ArrayList<>(List.of("dlt", verb, source, "--json"));
    arguments.addAll(Arrays.asList(filter));
    return run(arguments.toArray(String[]::new)).jsonTexts("eventId");
  }

  final CommandRun run(String... arguments) {
    return CommandRun.on(config, Map.of(), arguments);
  }

  static void sql(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static List<String> texts(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(String.join("|", row));
      }
      return rows;
    }
  }
}
