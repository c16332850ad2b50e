package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.internal.encode.Encoder;
import io.waybill.internal.encode.Mapped;
import io.waybill.internal.store.HeaderJson;
import io.waybill.message.Destination;
import io.waybill.message.Event;
import io.waybill.message.Header;
import io.waybill.message.Payload;
import io.waybill.message.Transport;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is appended to a table of any layout is what its relay reads. */
abstract class LayoutFidelityContract extends LayoutRefusalContract {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  // W3C Trace Context has 512 characters carried at least.
  private static final String STATE =
      "ot=th:8;\\{}\"'," + "vendor=" + "x".repeat(256) + ",other=" + "y".repeat(240);

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
    Mapped encoding = encoder.encode(row, headers.headers(), Destination.topic("t"), 1);
    Outgoing message = ((Mapped.Message) encoding).message();
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
}
