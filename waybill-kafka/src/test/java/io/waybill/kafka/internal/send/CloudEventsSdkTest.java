package io.waybill.kafka.internal.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.internal.encode.Encoder;
import io.waybill.internal.encode.Mapped;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import io.waybill.store.OutboxRow;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SDK of CloudEvents reads what Waybill writes. */
class CloudEventsSdkTest {
  private static final String PAYLOAD = "{\"total\":1.10}";
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static CloudEvent read(Format format) {
    OutboxRow row =
        new OutboxRow(
            7L,
            3,
            "e-1",
            "order.placed",
            2,
            new EventKey("Order", "42"),
            PAYLOAD.getBytes(UTF_8),
            "application/json",
            null,
            "corr-1",
            "cause-1",
            TRACE,
            1_763_642_233_000_042L,
            1_763_642_233_000_047L,
            false);
    Encoder encoder =
        Encoder.builder(Transport.KAFKA).byDefault(format).source("/order-service").build();
    Mapped encoded = encoder.encode(row, Headers.NONE, Destination.topic("orders"), 9);
    Outgoing message = ((Mapped.Message) encoded).message();
    return KafkaMessageFactory.createReader(
            new EncodedHeaders().of(message.headers()), Objects.requireNonNull(message.body()))
        .toEvent();
  }

  @ParameterizedTest
  @EnumSource(names = {"CLOUDEVENTS", "CLOUDEVENTS_BINARY"})
  void readsAttributesExtensionsAndData(Format format) {
    CloudEvent event = read(format);
    assertThat(event.getSpecVersion()).isEqualTo(SpecVersion.V1);
    assertThat(event.getId()).isEqualTo("e-1");
    assertThat(event.getType()).isEqualTo("order.placed");
    assertThat(event.getSource()).hasToString("/order-service");
    assertThat(event.getSubject()).isEqualTo("42");
    assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2025-11-20T12:37:13.000042Z"));
    assertThat(event.getDataContentType()).isEqualTo("application/json");
    assertThat(event.getExtension("partitionkey")).isEqualTo("42");
    assertThat(event.getExtension("aggregatetype")).isEqualTo("Order");
    assertThat(event.getExtension("eventversion")).isEqualTo("2");
    assertThat(event.getExtension("correlationid")).isEqualTo("corr-1");
    assertThat(event.getExtension("causationid")).isEqualTo("cause-1");
    assertThat(event.getExtension("traceparent")).isEqualTo(TRACE);
    assertThat(new String(Objects.requireNonNull(event.getData()).toBytes(), UTF_8))
        .isIn(PAYLOAD, "{\"total\":1.1}");
  }
}
