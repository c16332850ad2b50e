package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.Preset;
import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.jdbc.TableSchema;
import io.waybill.kafka.KafkaBroker;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What adopted tables and their views tell of events that wait, while a relay runs: in an outage of
 * the broker, for a topic that is missing, and behind events that were given up.
 */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
// Relays that run while a block lasts.
@SuppressWarnings("try")
abstract class WaitingRowsContract {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));

  /** What a reader of the table may count on, after the first failure. */
  private static final Duration TOLD_WITHIN = Patience.of(Duration.ofSeconds(30));

  private static final Pattern ERROR =
      Pattern.compile("[a-z-]+: since (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ), .+");

  private final DatabaseKind kind;
  private DatabaseServer engine;
  private KafkaServer kafka;

  WaitingRowsContract(DatabaseKind kind) {
    this.kind = kind;
  }

  @BeforeAll
  void launch() {
    engine = DatabaseServer.launch(kind);
    kafka = KafkaServer.launch();
  }

  @AfterAll
  void close() {
    kafka.close();
    engine.close();
  }

  /** An adopted table in a database of its own. */
  private final class Table {
    private final Layout layout;
    private final DataSource database;

    Table(Layout layout, String name) throws SQLException {
      this.layout = layout;
      engine.createDatabase(name);
      database = engine.dataSource(name);
      try (Connection connection = database.getConnection()) {
        TableSchema.run(connection, TableSchema.documentedTable(layout.name(), kind));
        TableSchema schema = TableSchema.of(layout, kind, SideNames.of(layout), 1);
        schema.apply(connection);
        schema.applyViews(connection);
      }
    }

    RelayBuilder relay() {
      return Waybill.relay(layout.name())
          .outbox(database)
          .broker(KafkaBroker.at(kafka.bootstrapServers()))
          .warnOnly();
    }

    Admin admin() {
      return OutboxDefinition.of(layout).open(database::getConnection, kind).admin();
    }

    void run(String sql) throws SQLException {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    List<String> rows(String query) throws SQLException {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(query)) {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
          List<String> columns = new ArrayList<>();
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            columns.add(String.valueOf(result.getString(i)));
          }
          rows.add(String.join(" ", columns));
        }
        return rows;
      }
    }

    void order(int id, String entity, String key) throws SQLException {
      run(
          """
          insert into event_outbox (id, event_key, entity_table, entity_pk, event_type, payload)
          values (%d, 'key-%d', '%s', '%s', 'placed', '{}')"""
              .formatted(id, id, entity, key));
    }

    void event(int id, String type) throws SQLException {
      run(
          """
          insert into outbox_events (id, aggregate_id, event_type, payload)
          values ('00000000-0000-0000-0000-%012d', 'a', '%s', '{}')"""
              .formatted(id, type));
    }
  }

  @Test
  void inAnOutageTheFirstRowOfAKeyTellsTheTruthAndIsPublishedAfterIt() throws SQLException {
    Table table = new Table(Layouts.EVENT_OUTBOX, "outage");
    Table shop = new Table(Layouts.POLYSHOP, "outage_shop");
    kafka.createTopic("calm-events", 2, Map.of());
    kafka.createTopic("calm", 1, Map.of());
    try (Waybill unused =
            table.relay().layout(table.layout).route("{aggregateType}-events").start();
        Waybill other = shop.relay().preset(Preset.POLYSHOP).source("shop").start()) {
      table.order(1, "calm", "a");
      shop.event(1, "calm");
      await()
          .atMost(PATIENCE)
          .until(() -> table.rows("select status from event_outbox").equals(List.of("sent")));
      await()
          .atMost(PATIENCE)
          .until(
              () -> shop.rows("select count(*) from outbox_events where processed = true"),
              List.of("1")::equals);
      kafka.freeze();
      Instant frozen = Instant.now();
      for (int key = 0; key < 3; key++) {
        table.order(10 + key, "calm", "k" + key);
        table.order(20 + key, "calm", "k" + key);
      }
      shop.event(2, "calm");
      shop.event(3, "calm");

      // Nothing has failed before its time limit of ten seconds.
      await()
          .atMost(TOLD_WITHIN.plusSeconds(10))
          .until(
              () ->
                  table.rows(
                      """
                      select id from event_outbox
                      where status = 'pending' and attempts > 0 and next_attempt_at is not null
                      order by id"""),
              List.of("10", "11", "12")::equals);
      await().atMost(TOLD_WITHIN).until(() -> !errors(shop).isEmpty());
      assertThat(errors(shop)).hasSize(1);
      Matcher error = ERROR.matcher(errors(shop).get(0));
      assertThat(error.matches()).as(errors(shop).get(0)).isTrue();
      assertThat(Instant.parse(error.group(1)))
          .isBetween(frozen.minusSeconds(2), frozen.plus(TOLD_WITHIN));
      assertThat(
              table.rows(
                  """
                  select id from vw_event_outbox_waiting
                  where waits_for = 'earlier event' and waits_behind = id - 10 order by id"""))
          .containsExactly("20", "21", "22");

      kafka.thaw();
      await()
          .atMost(PATIENCE)
          .until(
              () -> table.rows("select count(*) from event_outbox where status <> 'sent'"),
              List.of("0")::equals);
      await()
          .atMost(PATIENCE)
          .until(
              () -> shop.rows("select count(*) from outbox_events where processed = false"),
              List.of("0")::equals);
    } finally {
      kafka.thaw();
    }
    assertThat(
            table.rows(
                """
                select id from event_outbox
                where attempts > 1 and next_attempt_at is null and processed_at is not null
                  and id between 10 and 12 order by id"""))
        .containsExactly("10", "11", "12");
    assertThat(errors(shop)).isEmpty();
  }

  private static List<String> errors(Table shop) throws SQLException {
    return shop.rows("select error_message from outbox_events where error_message is not null");
  }

  @Test
  void theViewsAndListsKnowWhatIsParkedHeldAndFailing() throws SQLException {
    Table table = new Table(Layouts.EVENT_OUTBOX, "views");
    table.order(1, "not a topic!", "a");
    table.order(2, "not a topic!", "a");
    table.order(3, "missing", "b");
    table.order(4, "missing", "b");
    table.order(5, "missing", "c");
    table.run(
        "update event_outbox set next_attempt_at = '2099-01-01 00:00:00', producer_node = 'n'"
            + " where id = 5");
    try (Waybill unused =
        table.relay().layout(table.layout).route("{aggregateType}-events").start()) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(
                          table.rows(
                              """
                              select id, waits_for, waits_behind from vw_event_outbox_waiting
                              order by id"""))
                      .containsExactly(
                          "1 operator null",
                          "2 earlier event 1",
                          "3 next attempt null",
                          "4 earlier event 3",
                          "5 time null"));
      assertThat(table.rows("select id from vw_event_outbox_due where id <> 3")).isEmpty();
      assertThat(table.rows("select attempts from event_outbox where id = 4")).containsExactly("0");
      assertThat(
              table.rows(
                  """
                  select last_reason from vw_event_outbox_waiting where id = 1"""))
          .containsExactly("bad-destination");
      assertThat(table.rows("select status, events, parked, held from vw_event_outbox_metrics"))
          .containsExactly("pending 5 1 1");
      assertThat(
              table.rows(
                  """
                  select pending, parked, held from vw_sync_backlog_by_node
                  where producer_node is null"""))
          .containsExactly("4 1 1");
      try (Admin admin = table.admin()) {
        assertThat(admin.find(EventFilter.status(EventStatus.PARKED), null, 10).events())
            .extracting(EventView::rowId)
            .containsExactly("1");
        assertThat(admin.find(EventFilter.ALL, null, 10).events())
            .filteredOn(EventView::held)
            .extracting(EventView::rowId)
            .containsExactly("2");
        assertThat(admin.find(EventFilter.ALL, null, 10).events())
            .filteredOn(event -> event.delayedUntil() != null)
            .extracting(EventView::rowId)
            .containsExactly("5");
        assertThat(admin.find(EventFilter.ALL, null, 10).events())
            .filteredOn(event -> event.nextAttemptAt() != null)
            .extracting(EventView::rowId)
            .containsExactly("3");
      }
      kafka.createTopic("missing-events", 1, Map.of());
      await()
          .atMost(PATIENCE)
          .until(
              () -> table.rows("select id from event_outbox where status = 'sent' order by id"),
              List.of("3", "4")::equals);
    }
  }
}
