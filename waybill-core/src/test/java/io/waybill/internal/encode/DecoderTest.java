package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Rows;
import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecoderTest {
  private static final String ENVELOPE =
      """
      {"eventId":"e-9","timestamp":"2026-11-20T12:37:13.000042Z","eventType":"order.placed",\
      "version":3,"source":"orders","unknown":{"data":[1]},\
      "data": {"total":1.10, "text":"a\\u00e9\\"}"} ,\
      "metadata":{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","correlationId":"c-1",\
      "idempotencyKey":"i-1","userId":7,"more":{"x":1}}}""";

  private static Decoded decode(Map<String, String> headers, @Nullable String body) {
    return new Decoder()
        .decode(
            "orders",
            "k".getBytes(StandardCharsets.UTF_8),
            body == null ? null : body.getBytes(StandardCharsets.UTF_8),
            Headers.of(headers),
            1_000_000);
  }

  private static ReceivedEvent event(Map<String, String> headers, @Nullable String body) {
    return ((Decoded.Event) decode(headers, body)).event();
  }

  private static @Nullable String payload(ReceivedEvent event) {
    byte[] bytes = event.payload().bytes();
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"KAFKA", "RABBITMQ"})
  void readsWhatTheEncoderWritesInEveryFormat(Transport transport) {
    for (Format format : Format.values()) {
      ReceivedEvent event = sent(format, transport, Rows.placed());

      assertThat(payload(event)).as("%s", format).isEqualTo("{\"total\":1.10}");
      assertThat(event.payload().contentType()).as("%s", format).isEqualTo("application/json");
      assertThat(event.id()).isEqualTo("e-1");
      assertThat(event.type()).isEqualTo("order.placed");
      assertThat(event.version()).isEqualTo(2);
      assertThat(event.key()).isEqualTo(new EventKey("Order", "42"));
      assertThat(event.createdAt()).isEqualTo(Instant.parse("2026-11-20T12:37:13.000042Z"));
      assertThat(event.correlationId()).isEqualTo("corr-1");
      assertThat(event.causationId()).isEqualTo("cause-1");
      assertThat(event.traceparent()).isEqualTo(Rows.TRACE);
      assertThat(event.redriven()).isZero();
    }
  }

  private static ReceivedEvent sent(Format format, Transport transport, Rows rows) {
    Encoder encoder = Encoder.builder(transport).byDefault(format).source("order-service").build();
    Outgoing out =
        ((Mapped.Message) encoder.encode(rows.row(), Headers.NONE, Destination.topic("orders"), 1))
            .message();
    Decoded decoded =
        new Decoder()
            .decode("orders", out.key(), out.body(), new Headers(out.headers()), 5_000_000);
    return ((Decoded.Event) decoded).event();
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aTombstoneKeepsItsIdentity(Format format) {
    ReceivedEvent event =
        sent(format, Transport.KAFKA, Rows.placed().payload(null, "application/octet-stream"));

    assertThat(event.id()).isEqualTo("e-1");
    assertThat(event.payload().bytes()).isNull();
  }

  @Test
  void bytesThatAreNoJsonTravelInACloudEvent() {
    byte[] bytes = {0, 1, (byte) 0xff};

    ReceivedEvent event =
        sent(Format.CLOUDEVENTS, Transport.KAFKA, Rows.placed().payload(bytes, "image/png"));

    assertThat(event.payload().bytes()).containsExactly(bytes);
    assertThat(event.payload().contentType()).isEqualTo("image/png");
  }

  @Test
  void anEnvelopeOfAForeignProducerNeedsNoHeaders() {
    ReceivedEvent event = event(Map.of(), ENVELOPE);

    assertThat(event.id()).isEqualTo("e-9");
    assertThat(event.type()).isEqualTo("order.placed");
    assertThat(event.version()).isEqualTo(3);
    assertThat(event.source()).isEqualTo("orders");
    assertThat(event.createdAt()).isEqualTo(Instant.parse("2026-11-20T12:37:13.000042Z"));
    assertThat(event.correlationId()).isEqualTo("c-1");
    assertThat(event.idempotencyKey()).isEqualTo("i-1");
    assertThat(event.metadata())
        .containsEntry("userId", "7")
        .containsEntry("traceId", "4bf92f3577b34da6a3ce929d0e0e4736")
        .doesNotContainKey("more");
    assertThat(event.key()).isEqualTo(new EventKey("", "k"));
  }

  @Test
  void dataIsGivenAsItStands() {
    assertThat(payload(event(Map.of(), ENVELOPE)))
        .isEqualTo("{\"total\":1.10, \"text\":\"a\\u00e9\\\"}\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"12", "-1.50e3", "\"te\\\"xt\"", "true", "null", "[1, 2 ]", "{}", "\"\"", "[]"})
  void dataMayBeAnyJson(String data) {
    for (String rest : new String[] {"}", " }", "\n,\"version\":1}"}) {
      String body = "{\"eventId\":\"e\",\"eventType\":\"t\",\"data\": " + data + rest;

      assertThat(payload(event(Map.of(), body))).isEqualTo(data);
    }
  }

  @Test
  void headersComeBeforeTheBody() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("waybill-event-id", "e-9");
    headers.put("waybill-event-type", "order.renamed");
    headers.put("waybill-event-version", "8");

    ReceivedEvent event = event(headers, ENVELOPE);

    assertThat(event.type()).isEqualTo("order.renamed");
    assertThat(event.version()).isEqualTo(8);
    assertThat(payload(event)).startsWith("{\"total\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/9", "a\\/9", "\\u0061/9"})
  void anEnvelopeIsThatOfItsMessageHoweverItsIdIsWritten(String id) {
    String body =
        "{\"eventId\":\"%s\",\"eventType\":\"order.placed\",\"data\":{\"total\":2}}".formatted(id);
    Map<String, String> headers =
        Map.of("waybill-event-id", "a/9", "content-type", "application/json");

    ReceivedEvent event = event(headers, body);

    assertThat(event.type()).isEqualTo("order.placed");
    assertThat(payload(event)).isEqualTo("{\"total\":2}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"waybill-event-id", "ce_id"})
  void anEmptyIdIsRefusedWhateverTheBody(String header) {
    Map<String, String> headers = Map.of(header, "", "content-type", "application/json");
    for (String body : List.of("{}", ENVELOPE, "", "[1]")) {
      assertThat(decode(headers, body))
          .as(body)
          .isInstanceOfSatisfying(
              Decoded.Undecodable.class, it -> assertThat(it.reason()).isEqualTo("no-event-id"));
    }
  }

  @Test
  void whatIsNotUtf8IsNoEnvelopeButAPayload() {
    byte[] body =
        "{\"eventId\":\"a9\",\"eventType\":\"order.placed\",\"data\":{}}"
            .getBytes(StandardCharsets.UTF_16LE);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", "application/json");
    assertThat(decoded(headers, body)).isInstanceOf(Decoded.Undecodable.class);

    headers.put("waybill-event-id", "a9");
    headers.put("waybill-event-type", "order.paid");
    assertThat(decoded(headers, body))
        .isInstanceOfSatisfying(
            Decoded.Event.class,
            it -> {
              assertThat(it.event().type()).isEqualTo("order.paid");
              assertThat(it.event().payload().bytes()).isEqualTo(body);
            });
  }

  private static Decoded decoded(Map<String, String> headers, byte[] body) {
    return new Decoder().decode("orders", null, body, Headers.of(headers), 1);
  }

  @Test
  void aPayloadThatLooksLikeAnEnvelopeStaysOne() {
    ReceivedEvent event =
        event(Map.of("waybill-event-id", "outer", "waybill-event-type", "wrapped"), ENVELOPE);

    assertThat(event.id()).isEqualTo("outer");
    assertThat(payload(event)).isEqualTo(ENVELOPE);
  }

  @Test
  void aGenericEventNeedsNoHeaders() {
    ReceivedEvent event =
        event(
            Map.of(),
            """
            {"event_id":"g-1","event_type":"paid","aggregate_type":"order","aggregate_id":42,\
            "payload":{"a":1}}""");

    assertThat(event.id()).isEqualTo("g-1");
    assertThat(event.version()).isEqualTo(1);
    assertThat(event.key()).isEqualTo(new EventKey("order", "42"));
    assertThat(payload(event)).isEqualTo("{\"a\":1}");
    assertThat(event.createdAt()).isEqualTo(Instant.ofEpochSecond(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ce_", "cloudEvents:", "cloudEvents_"})
  void aBinaryCloudEventNeedsNoHeadersOfOurs(String prefix) {
    ReceivedEvent event =
        event(
            Map.of(
                prefix + "id", "c-1",
                prefix + "type", "paid",
                prefix + "source", "/pay",
                prefix + "subject", "42",
                prefix + "time", "2026-11-20T13:37:13+01:00"),
            "{\"a\":1}");

    assertThat(event.id()).isEqualTo("c-1");
    assertThat(event.source()).isEqualTo("/pay");
    assertThat(event.key()).isEqualTo(new EventKey("", "42"));
    assertThat(event.createdAt()).isEqualTo(Instant.parse("2026-11-20T12:37:13Z"));
    assertThat(payload(event)).isEqualTo("{\"a\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "type"})
  void anEmptyHeaderIsNotReplacedByTheBody(String name) {
    Decoded decoded = decode(Map.of("waybill-event-" + name, ""), ENVELOPE);

    assertThat(((Decoded.Undecodable) decoded).reason()).isEqualTo("no-event-" + name);
  }

  @ParameterizedTest
  @CsvSource({
    "no-event-id, , t, 1",
    "bad-event-id, 'e 1', t, 1",
    "no-event-type, e, , 1",
    "bad-event-version, e, t, one"
  })
  void whatHasNoIdentityIsRefusedWithTheReason(
      String reason, @Nullable String id, @Nullable String type, String version) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("waybill-event-version", version);
    if (id != null) {
      headers.put("waybill-event-id", id);
    }
    if (type != null) {
      headers.put("waybill-event-type", type);
    }

    Decoded decoded = decode(headers, "{\"a\":");

    assertThat(decoded).isInstanceOf(Decoded.Undecodable.class);
    assertThat(((Decoded.Undecodable) decoded).reason()).isEqualTo(reason);
  }

  @Test
  void idsAreBounded() {
    String longest = "i".repeat(Decoder.MAX_ID_LENGTH);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("waybill-event-type", "t");
    headers.put("waybill-event-id", longest);
    assertThat(event(headers, null).id()).isEqualTo(longest);

    headers.put("waybill-event-id", longest + "i");
    assertThat(decode(headers, null)).isInstanceOf(Decoded.Undecodable.class);
  }

  @Test
  void withoutAKeyOfTheProducerTheEventIdIsTheIdempotencyKey() {
    Map<String, String> headers = Map.of("waybill-event-id", "e-7", "waybill-event-type", "t");
    assertThat(event(headers, null).idempotencyKey()).isEqualTo("e-7");
  }

  @Test
  void anEffectIsTiedToItsCause() {
    ReceivedEvent cause = event(Map.of(), ENVELOPE);

    var effect =
        cause.causes(io.waybill.message.Event.builder("paid", "order", "1").json("{}")).build();

    assertThat(effect.causationId()).isEqualTo("e-9");
    assertThat(effect.correlationId()).isEqualTo("c-1");
    assertThat(Objects.requireNonNull(effect.id())).isNotEqualTo("e-9");
  }
}
