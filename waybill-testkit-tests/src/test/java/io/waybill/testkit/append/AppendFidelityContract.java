package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.store.HeaderJson;
import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.RelaySignal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is appended is what the table holds, byte for byte, whatever the driver's protocol. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
abstract class AppendFidelityContract {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  // W3C Trace Context has 512 characters carried at least.
  private static final String STATE =
      "ot=th:8;\\{}\"'," + "vendor=" + "x".repeat(256) + ",other=" + "y".repeat(240);

  private AppendDatabase database;
  private Outbox outbox;

  abstract AppendDatabase launch() throws SQLException;

  @BeforeAll
  void start() throws SQLException {
    database = launch();
    outbox =
        new Outbox(
            database.dialect(database.schema()),
            EventLimits.builder().maxPayloadBytes(2 << 20).build(),
            RelaySignal.NONE);
  }

  @AfterAll
  void stop() {
    database.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    database.empty();
  }

  private static List<Payload> payloads() {
    byte[] random = new byte[70_000];
    new Random(1).nextBytes(random);
    byte[] allBytes = new byte[256];
    IntStream.range(0, 256).forEach(i -> allBytes[i] = (byte) i);
    Stream<Payload> bytes =
        Stream.of(
                new byte[0],
                new byte[] {0},
                new byte[] {'\\', 'x', '0'},
                allBytes,
                random,
                new byte[(1 << 20) - 1],
                new byte[1 << 20],
                new byte[(1 << 20) + 1],
                new byte[] {(byte) 0xc0, (byte) 0xaf},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80})
            .map(content -> Payload.of(content, Payload.BYTES));
    Stream<Payload> json =
        Stream.of(
                "{\"a\":\"\\u0000\"}",
                "{\"a\":\"\\ud800\"}",
                "{\"b\":1,\"a\":1.10,\"a\":2}",
                "1e400000",
                "NaN",
                "\"😀é\"",
                "[".repeat(7_000),
                "{NULL,\"NULL\",'}{\",\\\\'\"}",
                "'; drop table waybill_outbox; --")
            .map(Payload::json);
    return Stream.of(bytes, json, Stream.of(Payload.tombstone())).flatMap(each -> each).toList();
  }

  private static List<Event> events() {
    List<Event> events = new ArrayList<>();
    for (Payload payload : payloads()) {
      events.add(Event.builder("plain", "order", "1").payload(payload).build());
    }
    events.add(
        Event.builder("<b>{\"type\",NULL}\\", "ordre é😀", "'\"\\{}, NULL")
            .json("1")
            .version(Integer.MAX_VALUE)
            .correlationId("NULL")
            .causationId("\"")
            .traceparent(TRACE)
            .tracestate(STATE)
            .header("tenant", "grüße \"😀\" \\ {NULL}")
            .header("empty", "")
            .build());
    events.add(Event.builder("unordered").payload(Payload.tombstone()).build());
    return events;
  }

  List<String> driverOptions() {
    return database.driverOptions();
  }

  @ParameterizedTest
  @MethodSource("driverOptions")
  void theTableHoldsWhatWasAppended(String driverOptions) throws SQLException {
    List<Event> batch = events();
    List<Event> singly = events();
    try (Connection connection = database.begin(driverOptions)) {
      outbox.append(connection, batch);
      for (Event event : singly) {
        outbox.append(connection, event);
      }
      connection.commit();
      List<Event> all = new ArrayList<>(batch);
      all.addAll(singly);
      assertHolds(connection, all);
    }
  }

  private static void assertHolds(Connection connection, List<Event> events) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select * from waybill_outbox order by id")) {
      for (Event event : events) {
        assertThat(row.next()).isTrue();
        assertRow(row, event);
      }
      assertThat(row.next()).isFalse();
    }
  }

  private static void assertRow(ResultSet row, Event event) throws SQLException {
    assertThat(row.getString("event_id")).isEqualTo(event.id());
    assertThat(row.getString("event_type")).isEqualTo(event.type());
    assertThat(row.getInt("event_version")).isEqualTo(event.version());
    assertThat(row.getString("aggregate_type"))
        .isEqualTo(event.key() == null ? null : event.key().aggregateType());
    assertThat(row.getString("aggregate_id"))
        .isEqualTo(event.key() == null ? null : event.key().aggregateId());
    assertThat(row.getBytes("payload")).isEqualTo(event.payload().bytes());
    assertThat(row.getString("content_type")).isEqualTo(event.payload().contentType());
    assertThat(row.getString("correlation_id")).isEqualTo(event.correlationId());
    assertThat(row.getString("causation_id")).isEqualTo(event.causationId());
    assertThat(row.getString("traceparent")).isEqualTo(event.traceparent());
    assertThat(HeaderJson.read(row.getString("headers")))
        .isEqualTo(new HeaderJson.Parsed.Valid(event.headers()));
    assertThat(row.getObject("created_at")).isNotNull();
    assertThat(row.getString("available_at")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00Z, 0",
    "0001-01-01T00:00:00Z, -62135596800000000",
    "9999-12-31T23:59:59.999999Z, 253402300799999999",
    "2026-03-29T01:30:00.123456Z, 1774747800123456",
    "2026-03-29T01:30:00.123456001Z, 1774747800123457",
    "2026-10-25T00:30:00.5Z, 1792888200500000",
    "2026-10-25T01:30:00.5Z, 1792891800500000",
    "2016-12-31T23:59:59.999999999Z, 1483228800000000"
  })
  void delaysAreKeptToTheMicrosecondAndNeverShortened(Instant time, long micros)
      throws SQLException {
    try (Connection connection = database.begin()) {
      AppendDatabase.run(connection, database.foreignTimeZone());
      outbox.append(connection, delayed(time));
      outbox.append(connection, List.of(delayed(time), delayed(time)));
      connection.commit();
    }

    String sql = "select " + database.availableMicros() + " from waybill_outbox";
    assertThat(database.column(sql)).isEqualTo(Collections.nCopies(3, Long.toString(micros)));
  }

  private static Event delayed(Instant time) {
    return Event.builder("t", "a", "1").json("1").availableAt(time).build();
  }

  @Test
  void headersAreJsonThatTheDatabaseUnderstands() throws SQLException {
    Event event = Event.builder("t", "a", "1").json("1").header("tenant", "grüße \"😀\"").build();
    try (Connection connection = database.begin()) {
      outbox.append(connection, event);
      connection.commit();
    }

    assertThat(database.column("select " + database.tenant() + " from waybill_outbox"))
        .containsExactly("grüße \"😀\"");
  }
}
