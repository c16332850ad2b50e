package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.waybill.Rows;
import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EncoderTest {
  private static final Destination TOPIC = Destination.topic("orders");
  private static final Rows PLACED = Rows.placed();

  private static Encoder encoder(Format format, Transport transport) {
    return Encoder.builder(transport).byDefault(format).source("order-service").build();
  }

  private static Outgoing encoded(Format format, Rows rows, Headers headers) {
    return ((Mapped.Message) encoder(format, Transport.KAFKA).encode(rows.row(), headers, TOPIC, 9))
        .message();
  }

  private static String text(Outgoing outgoing) {
    assertThat(outgoing.body()).isNotNull();
    return new String(outgoing.body(), StandardCharsets.UTF_8);
  }

  @Test
  void rawIsThePayloadAlone() {
    Outgoing outgoing = encoded(Format.RAW, PLACED, Headers.NONE);

    assertThat(outgoing.body()).isSameAs(PLACED.row().payload());
    assertThat(outgoing.key()).asString().isEqualTo("42");
    assertThat(outgoing.sendId()).isEqualTo(9);
    assertThat(outgoing.destination()).isEqualTo(TOPIC);
    assertThat(outgoing.contentType()).isEqualTo("application/json");
    assertThat(outgoing.eventId()).isEqualTo("e-1");
    assertThat(outgoing.eventType()).isEqualTo("order.placed");
    assertThat(outgoing.timestampMillis()).isEqualTo(Rows.CREATED_MICROS / 1000);
  }

  @Test
  void everyMessageCarriesWhatTheRowKnows() {
    assertThat(encoded(Format.RAW, PLACED, Headers.of(Map.of("tenant", "acme"))).headers())
        .containsExactly(
            new Header("waybill-event-id", "e-1"),
            new Header("waybill-event-type", "order.placed"),
            new Header("waybill-event-version", "2"),
            new Header("waybill-aggregate-type", "Order"),
            new Header("waybill-aggregate-id", "42"),
            new Header("waybill-correlation-id", "corr-1"),
            new Header("waybill-causation-id", "cause-1"),
            new Header("traceparent", Rows.TRACE),
            new Header("waybill-created-at", "2026-11-20T12:37:13.000042Z"),
            new Header("content-type", "application/json"),
            new Header("tenant", "acme"));
  }

  @Test
  void tracestateIsAHeaderAndAnExtensionOfCloudEvents() {
    Headers headers = Headers.of(Map.of("tracestate", "a=1,b=2"));
    Header carried = new Header("tracestate", "a=1,b=2");

    assertThat(encoded(Format.RAW, PLACED, headers).headers()).contains(carried);
    assertThat(encoded(Format.CLOUDEVENTS_BINARY, PLACED, headers).headers())
        .contains(carried, new Header("ce_tracestate", "a=1,b=2"));
    assertThat(text(encoded(Format.CLOUDEVENTS, PLACED, headers)))
        .contains("\"tracestate\":\"a=1,b=2\"");
    assertThat(text(encoded(Format.CLOUDEVENTS, PLACED, Headers.NONE)))
        .doesNotContain("tracestate");
  }

  @Test
  void aReplayWithoutKeyAndContextSaysSo() {
    Outgoing outgoing = encoded(Format.RAW, PLACED.key(null).bare(), Headers.NONE);

    assertThat(outgoing.key()).isNull();
    assertThat(outgoing.headers())
        .extracting(Header::name)
        .containsExactly(
            "waybill-event-id",
            "waybill-event-type",
            "waybill-event-version",
            "waybill-created-at",
            "content-type",
            "waybill-replay");
  }

  @Test
  void genericHasExactlyItsFiveFields() {
    assertThat(text(encoded(Format.GENERIC, PLACED, Headers.NONE)))
        .isEqualTo(
            "{\"event_id\":\"e-1\",\"event_type\":\"order.placed\",\"aggregate_type\":\"Order\","
                + "\"aggregate_id\":42,\"payload\":{\"total\":1.10}}");
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5",
    "0, 0",
    "-17, -17",
    "9223372036854775807, 9223372036854775807",
    "-9223372036854775808, -9223372036854775808",
    "9223372036854775808, '\"9223372036854775808\"'",
    "007, '\"007\"'",
    "-0, '\"-0\"'",
    "-, '\"-\"'",
    "+5, '\"+5\"'",
    "1.5, '\"1.5\"'",
    "99999999999999999999, '\"99999999999999999999\"'",
    "٣, '\"٣\"'",
    "'a\"b', '\"a\\\"b\"'"
  })
  void aWholeNumberAsAggregateIdStaysANumber(String id, String json) {
    Rows rows = PLACED.key(new EventKey("Order", id));

    assertThat(text(encoded(Format.GENERIC, rows, Headers.NONE)))
        .contains("\"aggregate_id\":" + json + ",");
  }

  @Test
  void genericWithoutKeyHasNulls() {
    assertThat(text(encoded(Format.GENERIC, PLACED.key(null), Headers.NONE)))
        .contains("\"aggregate_type\":null,\"aggregate_id\":null,");
  }

  @Test
  void envelopeHasItsFieldsAndAllMetadata() {
    Headers headers = Headers.of(Map.of("userId", "u-1", "idempotencyKey", "i-1"));

    assertThat(text(encoded(Format.ENVELOPE, PLACED, headers)))
        .isEqualTo(
            "{\"eventId\":\"e-1\",\"timestamp\":\"2026-11-20T12:37:13.000042Z\","
                + "\"eventType\":\"order.placed\",\"version\":2,\"source\":\"order-service\","
                + "\"data\":{\"total\":1.10},\"metadata\":{"
                + "\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"correlationId\":\"corr-1\","
                + "\"idempotencyKey\":\"i-1\",\"userId\":\"u-1\"}}");
  }

  @Test
  void envelopeMetadataLeaveOutWhatIsUnknown() {
    assertThat(text(encoded(Format.ENVELOPE, PLACED.bare(), Headers.NONE)))
        .endsWith("\"metadata\":{\"idempotencyKey\":\"e-1\"}}");
  }

  @Test
  void cloudEventsStructuredEmbedsJson() {
    Outgoing outgoing = encoded(Format.CLOUDEVENTS, PLACED, Headers.NONE);

    assertThat(outgoing.contentType()).isEqualTo("application/cloudevents+json; charset=UTF-8");
    assertThat(text(outgoing))
        .isEqualTo(
            "{\"specversion\":\"1.0\",\"id\":\"e-1\",\"source\":\"order-service\","
                + "\"type\":\"order.placed\",\"time\":\"2026-11-20T12:37:13.000042Z\","
                + "\"subject\":\"42\",\"partitionkey\":\"42\",\"aggregatetype\":\"Order\","
                + "\"eventversion\":\"2\",\"correlationid\":\"corr-1\","
                + "\"causationid\":\"cause-1\",\"traceparent\":\""
                + Rows.TRACE
                + "\",\"datacontenttype\":\"application/json\",\"data\":{\"total\":1.10}}");
  }

  @Test
  void cloudEventsStructuredTakesOtherBytesAsBase64() {
    byte[] bytes = {0, 1, (byte) 0xff, '"'};

    assertThat(text(encoded(Format.CLOUDEVENTS, PLACED.payload(bytes, "a/b"), Headers.NONE)))
        .endsWith(
            "\"datacontenttype\":\"a/b\",\"data_base64\":\""
                + Base64.getEncoder().encodeToString(bytes)
                + "\"}");
  }

  @ParameterizedTest
  @CsvSource({"KAFKA, ce_", "RABBITMQ, cloudEvents:"})
  void cloudEventsBinaryHasAttributesAsHeaders(Transport transport, String prefix) {
    Mapped encoding =
        encoder(Format.CLOUDEVENTS_BINARY, transport).encode(PLACED.row(), Headers.NONE, TOPIC, 1);
    Outgoing outgoing = ((Mapped.Message) encoding).message();

    assertThat(outgoing.body()).isSameAs(PLACED.row().payload());
    assertThat(outgoing.headers())
        .contains(
            new Header(prefix + "specversion", "1.0"),
            new Header(prefix + "id", "e-1"),
            new Header(prefix + "source", "order-service"),
            new Header(prefix + "type", "order.placed"),
            new Header(prefix + "time", "2026-11-20T12:37:13.000042Z"),
            new Header(prefix + "subject", "42"),
            new Header(prefix + "traceparent", Rows.TRACE),
            new Header("content-type", "application/json"))
        .extracting(Header::name)
        .doesNotHaveDuplicates()
        .doesNotContain(prefix + "datacontenttype");
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aTombstoneHasNoBodyInAnyFormat(Format format) {
    Rows tombstone = PLACED.payload(null, "application/octet-stream");

    assertThat(encoded(format, tombstone, Headers.NONE).body()).isNull();
  }

  @Test
  void formatsAreChosenByType() {
    Encoder encoder =
        Encoder.builder(Transport.KAFKA).forType("order.placed", Format.GENERIC).build();
    Rows paid = PLACED.type("order.paid");

    assertThat(
            text(((Mapped.Message) encoder.encode(PLACED.row(), Headers.NONE, TOPIC, 1)).message()))
        .startsWith("{\"event_id\"");
    assertThat(
            text(((Mapped.Message) encoder.encode(paid.row(), Headers.NONE, TOPIC, 1)).message()))
        .isEqualTo("{\"total\":1.10}");
  }

  @ParameterizedTest
  @EnumSource(names = {"GENERIC", "ENVELOPE"})
  void otherPayloadsThanJsonCannotBeEmbedded(Format format) {
    Mapped encoding =
        encoder(format, Transport.KAFKA)
            .encode(PLACED.payload(new byte[1], "text/plain").row(), Headers.NONE, TOPIC, 1);

    assertThat(encoding)
        .isEqualTo(
            new Mapped.Unmappable(
                "bad-payload",
                "Event \"e-1\": format "
                    + format.configName()
                    + ": content type must be JSON, is \"text/plain\""));
  }

  @ParameterizedTest
  @EnumSource(names = {"ENVELOPE", "CLOUDEVENTS", "CLOUDEVENTS_BINARY"})
  void formatsThatNameTheirSourceNeedOne(Format format) {
    Encoder.Builder none = Encoder.builder(Transport.KAFKA).forType("t", format);
    Encoder.Builder bad = Encoder.builder(Transport.KAFKA).byDefault(format).source("a b");

    assertThatIllegalArgumentException()
        .isThrownBy(none::build)
        .withMessage("source must be given for the formats " + format.configName());
    assertThatIllegalArgumentException()
        .isThrownBy(bad::build)
        .withMessage("source must be a URI reference, is \"a b\"");
  }

  @Test
  void formatsHaveNamesInConfiguration() {
    assertThat(Format.named("cloudevents-binary")).isEqualTo(Format.CLOUDEVENTS_BINARY);
    assertThat(Format.named("raw")).isEqualTo(Format.RAW);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Format.named("avro"))
        .withMessage(
            "format must be one of raw, generic, envelope, cloudevents, cloudevents-binary, is"
                + " avro");
  }
}
