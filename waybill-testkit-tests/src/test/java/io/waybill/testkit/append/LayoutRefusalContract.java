package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Payload;
import io.waybill.message.Violation;
import io.waybill.outbox.Outbox;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a table of some layout cannot keep is refused, with the rule. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
abstract class LayoutRefusalContract {
  private static final Duration LEASE = Duration.ofMinutes(5);

  TableAppendDatabase database;
  Layout layout;
  Outbox outbox;
  OutboxReader reader;
  LaneStore lanes;

  abstract TableAppendDatabase launch() throws SQLException;

  @BeforeAll
  void start() throws SQLException {
    database = launch();
    layout = database.layout();
    TableOutbox relay = database.outbox();
    outbox = Outbox.of(relay.append());
    lanes = relay.lanes();
    reader = relay.reader();
    Session session = lanes.join("relay", LEASE);
    lanes.acquire(session, Set.of(0));
    reader.assign(session, Set.of(0));
  }

  @AfterAll
  void stop() {
    reader.close();
    lanes.close();
    database.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    database.empty();
    read();
  }

  List<OutboxRow> read() {
    List<OutboxRow> rows = new ArrayList<>();
    boolean more;
    do {
      var result = reader.read(1000, 64 << 20);
      rows.addAll(result.rows());
      more = result.more() || !result.rows().isEmpty();
    } while (more);
    return rows;
  }

  boolean correlates() {
    return layout.order().key() instanceof KeyColumns.Single key
        && key.id().equals(layout.content().context().correlationId());
  }

  Event.Builder plain(String name) {
    return sample().builder(name, Payload.json("{\"a\": [1, \"é😀\"]}"));
  }

  AppendSample sample() {
    return database.sample();
  }

  @Test
  void whatCannotBeKeptIsRefusedWithFieldLayoutAndRule() throws SQLException {
    refused(sample().builder("a", Payload.tombstone()).build(), "payload", "must be given");
    if (layout.content().kind() == PayloadKind.JSON) {
      refused(sample().builder("a", Payload.json("{")).build(), "payload", "well-formed JSON");
    } else {
      byte[] bytes = {(byte) 0xc0, (byte) 0xaf};
      Payload noText = Payload.of(bytes, Payload.BYTES);
      refused(sample().builder("a", noText).build(), "payload", "well-formed UTF-8");
      refused(sample().builder("a", Payload.json("a\0")).build(), "payload", "NUL");
    }
    if (layout.order().availableAt() == null) {
      Event delayed = plain("a").availableAt(Instant.EPOCH).build();
      refused(delayed, "availableAt", "must be absent: there is no column for it");
    }
    if (layout.order().key() instanceof KeyColumns.Single key) {
      Event other = Event.builder("a", "other", "42").json("1").build();
      refused(other, "aggregateType", "must be " + key.aggregateType());
    }
  }

  private void refused(Event event, String field, String rule) throws SQLException {
    Event good = plain("good").build();
    try (Connection connection = database.begin()) {
      AppendDatabase.run(connection, "insert into orders values ('kept')");
      assertThatExceptionOfType(InvalidEventException.class)
          .isThrownBy(() -> outbox.append(connection, List.of(good, event)))
          .satisfies(
              e -> {
                assertThat(e.violations()).extracting(Violation::field).containsExactly(field);
                assertThat(e.violations().get(0).rule())
                    .contains(rule)
                    .contains("layout " + layout.name());
              });
      connection.commit();
    }
    assertThat(database.names()).isEmpty();
    assertThat(database.column("select id from orders")).containsExactly("kept");
    database.empty();
  }

  @Test
  void columnsOfNotificationsBoundKeysToNumbers() throws SQLException {
    assumeTrue(layout.name().equals("notification"), "another layout");
    for (String id : List.of("x", "007", "+7", "1.0", "9223372036854775808", "-0", " 1")) {
      refused(
          Event.builder("a", "CUSTOMER", id).json("1").build(),
          "aggregateId",
          "must be a whole number");
    }
    List<String> good = List.of("0", "-1", "9223372036854775807", "-9223372036854775808");
    try (Connection connection = database.begin()) {
      for (String id : good) {
        outbox.append(connection, Event.builder("a", "CUSTOMER", id).json("1").build());
      }
      connection.commit();
    }
    assertThat(read())
        .extracting(OutboxRow::key)
        .containsExactlyElementsOf(good.stream().map(id -> new EventKey("CUSTOMER", id)).toList());
  }

  @Test
  void columnsOfEventOutboxBoundLengths() throws SQLException {
    assumeTrue(layout.name().equals("event-outbox"), "another layout");
    refused(plain("a").id("x".repeat(37)).build(), "id", "must be at most 36 characters");
    refused(
        Event.builder("a", "t", "é".repeat(65)).json("1").build(),
        "aggregateId",
        "must be at most 64 characters");
    refused(
        Event.builder("a".repeat(101), "t", "1").json("1").build(),
        "type",
        "must be at most 100 characters");
    refused(
        plain("a").header("producer-node", "n".repeat(101)).build(),
        "header producer-node",
        "must be at most 100 characters");
    try (Connection connection = database.begin()) {
      outbox.append(connection, plain("short").id("x").build());
      connection.commit();
    }
    assertThat(read()).extracting(OutboxRow::eventId).containsExactly("x");
  }

  @Test
  void payloadsThatJsonbDoesNotTakeAreRefused() throws SQLException {
    assumeTrue(
        layout.name().equals("event-outbox") && database.isPostgres(), "the column is not jsonb");
    refused(sample().builder("a", Payload.json("\"\\u0000\"")).build(), "payload", "\\u0000");
    for (String half : List.of("\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\n\"")) {
      refused(sample().builder("a", Payload.json(half)).build(), "payload", "surrogate");
    }
    try (Connection connection = database.begin()) {
      Payload payload = Payload.json("[\"\\\\u0000\", \"\\ud83d\\ude00\"]");
      outbox.append(connection, sample().builder("a", payload).build());
      connection.commit();
    }
    assertThat(read()).hasSize(1);
  }

  @Test
  void aKeyIsNeededWhereItsColumnsAreNotNull() throws SQLException {
    Event event = Event.builder("a").json("1").build();
    if (correlates()) {
      try (Connection connection = database.begin()) {
        outbox.append(connection, event);
        connection.commit();
      }
      assertThat(read()).extracting(OutboxRow::key).containsOnlyNulls();
      return;
    }
    try (Connection connection = database.begin()) {
      assertThatExceptionOfType(InvalidEventException.class)
          .isThrownBy(() -> outbox.append(connection, event))
          .withMessageContaining("aggregateId must be given in column");
    }
  }

  @Test
  void theWalletsKeyIsItsCorrelationId() throws SQLException {
    assumeTrue(correlates(), "the key has a column of its own");
    refused(plain("a").correlationId("other").build(), "correlationId", "must be the aggregate id");
    try (Connection connection = database.begin()) {
      outbox.append(connection, Event.builder("a").json("1").correlationId("c").build());
      connection.commit();
    }
    OutboxRow row = read().get(0);
    assertThat(row.correlationId()).isEqualTo("c");
    assertThat(row.key()).isEqualTo(new EventKey("correlation", "c"));
  }

  @Test
  void aTableThatIsNotThereIsNamed() throws SQLException {
    Outbox other = Outbox.of(database.dialect(database.schema(), "no_such_table"));
    try (Connection connection = database.begin()) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> other.append(connection, plain("a").build()))
          .withMessageContaining(database.schema() + ".no_such_table")
          .withMessageContaining("layout " + layout.name());
    }
  }
}
