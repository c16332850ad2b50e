package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.admin.Admin;
import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands on a real PostgreSQL with four events. Its server is that of all such classes in this
 * process, with which it ends; each test has a database of its own.
 */
@Tag("server")
abstract class CommandsOnPostgres {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final PostgresServer SERVER = PostgresServer.launch(Map.of("fsync", "on"));

  @TempDir private Path folder;
  private Path config = Path.of("unset");
  private String database = "unset";

  @BeforeEach
  void create() throws SQLException {
    database = "commands_" + NUMBERS.incrementAndGet();
    SERVER.createDatabase(database);
    config = CommandRun.write(folder, yaml("postgres"));
    assertThat(run("schema", "apply", "--lanes", "8").code()).isEqualTo(ExitCode.OK);
    for (int i = 1; i <= 4; i++) {
      sql(
          """
          insert into waybill_outbox
            (event_id, event_type, aggregate_type, aggregate_id, payload, created_at, headers)
          values ('e%d', '%s', 'order', '%d', '{"n":%d}', clock_timestamp() - interval '%d hours',
            '{"colour":"red"}')
          """
              .formatted(i, i == 4 ? "audited" : "placed", i, i, 5 - i));
    }
    state("e1", "PARKED");
    state("e2", "DEAD");
  }

  CommandRun run(String... arguments) {
    return CommandRun.on(config, Map.of(), arguments);
  }

  /** The file of the configuration. */
  Path config() {
    return config;
  }

  static String[] with(String[] arguments, String... more) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
  }

  List<String> ids(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = "--json";
    return run(all).jsonTexts("eventId");
  }

  /** What operators see and ask for, without a command. */
  Admin admin() {
    String url = "jdbc:postgresql://127.0.0.1:%d/%s".formatted(SERVER.port(), database);
    Properties login = new Properties();
    login.setProperty("user", "postgres");
    return PostgresOutbox.of(ConnectionFactory.postgres(url, login), PostgresOptions.ofDefaults())
        .admin();
  }

  String yaml(String user) {
    return """
    waybill:
      outboxes:
        orders:
          database:
            url: jdbc:postgresql://127.0.0.1:%d/%s
            username: %s
          kafka:
            bootstrap-servers: [127.0.0.1:9]
          routes:
            default:
              target: orders-{header.colour}
            types:
              audited:
                target: audit
    """
        .formatted(SERVER.port(), database, user);
  }

  void state(String event, String state) throws SQLException {
    sql(
        """
        insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id,
          state, attempts, unknown_outcome, last_reason, last_detail)
        select id, (extract(epoch from created_at) * 1000000)::bigint, lane, aggregate_type, aggregate_id, '%s', 10, false, 'refused', 'too large'
        from waybill_outbox where event_id = '%s'
        """
            .formatted(state, event));
  }

  void answer(String event, boolean done, String note) {
    try {
      sql(
          """
          update waybill_audit set completed_at = clock_timestamp(), done = %s, note = '%s'
          where event_id = '%s'
          """
              .formatted(done, note, event));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Does what a relay does that is asked to bury an event; returns whether it was asked. */
  boolean bury(String event) throws SQLException {
    String row = "(select id from waybill_outbox where event_id = '%s')".formatted(event);
    if (count("waybill_request where row_id = " + row) == 0) {
      return false;
    }
    sql(
        """
        update waybill_row_state set state = 'DEAD' where row_id = ${row};
        delete from waybill_request where row_id = ${row};
        update waybill_audit set completed_at = clock_timestamp(), done = true, note = 'buried'
        where event_id = '${event}' and verb = 'BURY' and done is null"""
            .replace("${row}", row)
            .replace("${event}", event));
    return true;
  }

  Connection connection() throws SQLException {
    return SERVER.dataSource(database).getConnection();
  }

  int count(String table) throws SQLException {
    return Integer.parseInt(text("select count(*) from " + table));
  }

  String text(String sql) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? String.valueOf(result.getString(1)) : "";
    }
  }

  void sql(String sql) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
