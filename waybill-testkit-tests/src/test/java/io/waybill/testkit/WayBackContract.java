package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SideNames;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page for other systems runs after a relay: their own producers find what waits. */
abstract class WayBackContract {
  private static final Path PAGE = Path.of("..", "docs", "from-your-system.md");
  private static final String BLOCK = "\n### %s\n(?:(?!\n#).)*?```sql\n(.*?)```";

  abstract TestDatabase database();

  private Connection create(Layout layout) throws SQLException {
    Connection connection = database().createSchema("way_back");
    TableSchema.run(connection, TableSchema.documentedTable(layout.name(), database().kind()));
    TableSchema.of(layout, database().kind(), SideNames.of(layout), 1).apply(connection);
    return connection;
  }

  /** The statements below a heading of the page, without comments. */
  private static String statements(String heading) throws IOException {
    return Pattern.compile(BLOCK.formatted(Pattern.quote(heading)), Pattern.DOTALL)
        .matcher(Files.readString(PAGE))
        .results()
        .map(found -> found.group(1).replaceAll("(?m)^--.*\n", ""))
        .findFirst()
        .orElseThrow(() -> new AssertionError(heading));
  }

  private static List<String> texts(Connection connection, String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  @Test
  void recordsOfWaitingEventsAreGone() throws SQLException, IOException {
    try (Connection connection = create(Layouts.NOTIFICATION)) {
      TableSchema.run(
          connection,
          """
          insert into event_outbox
            (event_id, event_type, aggregate_type, aggregate_id, status, payload)
          values ('claimed', 'a', 'ADMIN', 1, 'PENDING', '{}'),
            ('new', 'a', 'ADMIN', 1, 'PENDING', '{}'),
            ('given-up', 'a', 'ADMIN', 1, 'FAILED', '{}'),
            ('done', 'a', 'ADMIN', 1, 'PROCESSED', '{}');
          insert into processed_event (event_id, status)
          values ('claimed', 'PROCESSING'), ('given-up', 'FAILED'), ('done', 'SUCCESS');
          """);
      assertThat(texts(connection, statements("The move of a notification outbox")))
          .containsExactly("claimed");

      TableSchema.run(connection, statements("The way back of a notification outbox"));

      assertThat(texts(connection, "select event_id from processed_event order by event_id"))
          .containsExactly("done", "given-up");
    }
  }

  @Test
  void failedRowsAreDueAndDelaysStay() throws SQLException, IOException {
    try (Connection connection = create(Layouts.EVENT_OUTBOX)) {
      TableSchema.run(
          connection,
          """
          insert into event_outbox (id, event_key, entity_table, entity_pk, event_type, payload,
            status, attempts, next_attempt_at)
          values (1, 'tried', 'orders', '1', 'a', '{}', 'pending', 3, '2100-01-01 00:00:00'),
            (2, 'behind', 'orders', '1', 'a', '{}', 'pending', 0, null),
            (3, 'delayed', 'orders', '2', 'a', '{}', 'pending', 0, '2100-01-01 00:00:00'),
            (4, 'given-up', 'orders', '3', 'a', '{}', 'failed', 10, null);
          """);

      TableSchema.run(connection, statements("The way back of the table event_outbox"));

      assertThat(
              texts(
                  connection,
                  """
                  select trim(event_key) from event_outbox
                  where status = 'pending' and next_attempt_at is null and attempts = 0
                  order by created_at, id"""))
          .containsExactly("tried", "behind");
      assertThat(texts(connection, "select attempts from event_outbox where status = 'failed'"))
          .containsExactly("10");
    }
  }

  @Test
  void givenUpRowsOfAFlagAreMarked() throws SQLException, IOException {
    try (Connection connection = create(Layouts.WALLET)) {
      TableSchema.run(
          connection,
          """
          insert into outbox (id, event_type, payload) values (1, 'A', '{}'), (2, 'A', '{}');
          insert into waybill_outbox_row_state (row_id, row_created, lane, state, attempts,
            unknown_outcome, last_reason, last_detail)
          values (1, 0, 0, 'DEAD', 5, false, 'record-too-large', ''),
            (2, 0, 0, 'PARKED', 5, false, 'record-too-large', '');
          """);

      TableSchema.run(connection, statements("The way back of a wallet"));

      assertThat(texts(connection, "select id from outbox where sent = false"))
          .containsExactly("2");
    }
    try (Connection connection = create(Layouts.POLYSHOP)) {
      String dead = "0199ab7c-0000-7000-8000-000000000001";
      String waiting = "0199ab7c-0000-7000-8000-000000000002";
      TableSchema.run(
          connection,
          """
          insert into outbox_events (id, aggregate_id, event_type, payload)
          values ('%1$s', 'o-1', 'a', '{}'), ('%2$s', 'o-1', 'a', '{}');
          insert into waybill_outbox_events_row_state (row_id, row_created, lane, state, attempts,
            unknown_outcome, last_reason, last_detail)
          values ('%1$s', 0, 0, 'DEAD', 5, false, 'record-too-large', '');
          """
              .formatted(dead, waiting));

      TableSchema.run(connection, statements("The way back of PolyShop"));

      assertThat(texts(connection, "select id from outbox_events where processed = false"))
          .containsExactly(waiting);
    }
  }
}
