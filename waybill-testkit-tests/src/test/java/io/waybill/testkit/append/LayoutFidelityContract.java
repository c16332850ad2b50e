package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.broker.Outgoing;
import io.waybill.encode.Encoder;
import io.waybill.encode.Encoding;
import io.waybill.encode.Format;
import io.waybill.jdbc.LayoutOutbox;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.PayloadKind;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.HeaderJson;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Payload;
import io.waybill.message.Transport;
import io.waybill.message.Violation;
import io.waybill.outbox.Outbox;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is appended to a table of any layout is what its relay reads, or it is refused. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
abstract class LayoutFidelityContract {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  // W3C Trace Context has 512 characters carried at least.
  private static final String STATE =
      "ot=th:8;\\{}\"'," + "vendor=" + "x".repeat(256) + ",other=" + "y".repeat(240);
  private static final Duration LEASE = Duration.ofMinutes(5);

  private LayoutAppendDatabase database;
  private Layout layout;
  private Outbox outbox;
  private OutboxReader reader;
  private LaneStore lanes;

  abstract LayoutAppendDatabase launch() throws SQLException;

  @BeforeAll
  void start() throws SQLException {
    database = launch();
    layout = database.layout();
    LayoutOutbox relay = database.outbox();
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

  private List<OutboxRow> read() {
    List<OutboxRow> rows = new ArrayList<>();
    boolean more;
    do {
      var result = reader.read(1000, 64 << 20);
      rows.addAll(result.rows());
      more = result.more() || !result.rows().isEmpty();
    } while (more);
    return rows;
  }

  private boolean correlates() {
    return layout.order().key() instanceof KeyColumns.Single key
        && key.id().equals(layout.content().context().correlationId());
  }

  private Event.Builder plain(String name) {
    return sample().builder(name, Payload.json("{\"a\": [1, \"é😀\"]}"));
  }

  private AppendSample sample() {
    return database.sample();
  }

  private Event full(String name) {
    return plain(name)
        .version(layout.identity().eventVersion() == null ? 3 : 7)
        .header("tenant", "grüße \"😀\" \\ {NULL}")
        .header("producer-node", "node-é")
        .header("userId", "u-1")
        .correlationId(correlates() ? "42" : "order 7")
        .causationId("é'\"")
        .traceparent(TRACE)
        .tracestate(STATE)
        .build();
  }

  List<String> driverOptions() {
    return database.driverOptions();
  }

  @ParameterizedTest
  @MethodSource("driverOptions")
  void theRelayReadsWhatWasAppended(String driverOptions) throws SQLException {
    List<Event> events =
        List.of(plain("a").build(), full("b"), plain("c").build(), full("d"), full("e"));
    Event single = full("f");
    Event bare = plain("g").build();
    try (Connection connection = database.begin(driverOptions)) {
      AppendDatabase.run(connection, database.foreignTimeZone());
      outbox.append(connection, events);
      outbox.append(connection, single);
      outbox.append(connection, bare);
      connection.commit();
    }

    List<Event> all = new ArrayList<>(events);
    all.add(single);
    all.add(bare);
    List<OutboxRow> rows = read();
    assertThat(rows)
        .extracting(OutboxRow::eventType)
        .containsExactly("a", "b", "c", "d", "e", "f", "g");
    for (int i = 0; i < all.size(); i++) {
      assertSame(rows.get(i), all.get(i));
    }
    assertThat(database.column(database.beside("select count(*) from ${row_context}")))
        .containsExactly("4");
  }

  private void assertSame(OutboxRow row, Event event) {
    assertThat(row.eventId())
        .isEqualTo(
            layout.identity().eventId() == null
                ? layout.table().name() + ":" + row.rowId()
                : event.id());
    assertThat(row.eventVersion()).isEqualTo(event.version());
    assertThat(row.key()).isEqualTo(event.key());
    assertThat(row.contentType()).isEqualTo(event.payload().contentType());
    String correlation = event.correlationId();
    assertThat(row.correlationId())
        .isEqualTo(correlation == null && correlates() ? "42" : correlation);
    assertThat(row.causationId()).isEqualTo(event.causationId());
    assertThat(row.traceparent()).isEqualTo(event.traceparent());
    HeaderJson.Parsed.Valid headers = (HeaderJson.Parsed.Valid) HeaderJson.read(row.headersJson());
    assertThat(headers.headers().list())
        .containsExactlyInAnyOrderElementsOf(event.headers().list());
    assertThat(new String(row.payload(), StandardCharsets.UTF_8).replace(" ", ""))
        .isEqualTo("{\"a\":[1,\"é😀\"]}");
    assertThat(row.createdAtMicros())
        .isBetween(row.readAtMicros() - 60_000_000, row.readAtMicros() + 1_000_000);
  }

  @Test
  void theCreationTimeIsThatOfTheAppendAndNotOfTheTransactionsBeginning() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, plain("first").build());
      outbox.append(connection, plain("second").build());
      connection.commit();
    }

    List<OutboxRow> rows = read();
    assertThat(rows).extracting(OutboxRow::eventType).containsExactly("first", "second");
    assertThat(rows.get(1).createdAtMicros()).isGreaterThan(rows.get(0).createdAtMicros());
  }

  @Test
  void rowsWithoutSuchThingsHaveNothingBesideThem() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, List.of(plain("a").build(), plain("b").build()));
      connection.commit();
    }

    assertThat(database.column(database.beside("select count(*) from ${row_context}")))
        .containsExactly("0");
  }

  @Test
  void anotherContentTypeIsKept() throws SQLException {
    Payload payload = Payload.of("{}".getBytes(StandardCharsets.UTF_8), "application/vnd.x+json");
    try (Connection connection = database.begin()) {
      outbox.append(connection, sample().builder("a", payload).build());
      connection.commit();
    }

    assertThat(read()).extracting(OutboxRow::contentType).containsExactly("application/vnd.x+json");
  }

  @Test
  void whatIsRolledBackIsNotBesideTheTableEither() throws SQLException {
    try (Connection connection = database.begin()) {
      outbox.append(connection, full("a"));
      connection.rollback();
    }

    assertThat(read()).isEmpty();
    assertThat(database.column(database.beside("select count(*) from ${row_context}")))
        .containsExactly("0");
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
  void columnsOfDocument000BoundKeysToNumbers() throws SQLException {
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
  void columnsOfDocument002BoundLengths() throws SQLException {
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

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "2026-03-29T01:30:00.123456Z, 1774747800123456",
    "2026-03-29T01:30:00.123456001Z, 1774747800123457",
    "2026-10-25T00:30:00.5Z, 1792888200500000",
    "2026-10-25T01:30:00.5Z, 1792891800500000",
    "9999-12-31T23:59:59.999999Z, 253402300799999999"
  })
  void delaysAreKeptToTheMicrosecondAndNeverShortened(Instant time, long micros)
      throws SQLException {
    assumeTrue(layout.order().availableAt() != null, "the table has no column for delays");
    try (Connection connection = database.begin()) {
      AppendDatabase.run(connection, database.foreignTimeZone());
      outbox.append(connection, plain("a").availableAt(time).build());
      connection.commit();
    }

    String sql = "select " + database.availableMicros() + " from " + database.table();
    assertThat(database.column(sql)).containsExactly(Long.toString(micros));
  }

  @Test
  void theMessageIsTheDocumentedOne() throws SQLException {
    Event event = full("a");
    try (Connection connection = database.begin()) {
      outbox.append(connection, event);
      connection.commit();
    }
    OutboxRow row = read().get(0);
    Format format =
        switch (layout.name()) {
          case "notification" -> Format.GENERIC;
          case "polyshop" -> Format.ENVELOPE;
          default -> Format.RAW;
        };
    Encoder encoder =
        Encoder.builder(Transport.KAFKA).byDefault(format).source("order-service").build();
    HeaderJson.Parsed.Valid headers = (HeaderJson.Parsed.Valid) HeaderJson.read(row.headersJson());
    Encoding encoding = encoder.encode(row, headers.headers(), Destination.topic("t"), 1);
    Outgoing message = ((Encoding.Encoded) encoding).outgoing();
    String payload = "{\"a\":[1,\"é😀\"]}";
    String expected =
        switch (format) {
          case GENERIC ->
              """
              {"event_id":"%s","event_type":"a","aggregate_type":"CUSTOMER","aggregate_id":42,\
              "payload":%s}"""
                  .formatted(event.id(), payload);
          case ENVELOPE ->
              """
              {"eventId":"%s","timestamp":"%s","eventType":"a","version":7,\
              "source":"order-service","data":%s,"metadata":{\
              "traceId":"4bf92f3577b34da6a3ce929d0e0e4736","correlationId":"order7",\
              "idempotencyKey":"%s","userId":"u-1"}}"""
                  .formatted(event.id(), iso(row.createdAtMicros()), payload, event.id());
          default -> payload;
        };
    assertThat(new String(message.body(), StandardCharsets.UTF_8).replace(" ", ""))
        .isEqualTo(expected);
    assertThat(message.headers())
        .contains(
            new Header("waybill-event-id", row.eventId()), new Header("producer-node", "node-é"));
  }

  private static String iso(long micros) {
    Instant time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
        .format(time.atOffset(ZoneOffset.UTC));
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
