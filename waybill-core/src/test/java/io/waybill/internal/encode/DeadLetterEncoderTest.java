package io.waybill.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadLetterEncoderTest {
  private static final Instant FAILED = Instant.parse("2026-11-20T12:37:13.000042Z");

  private static Outgoing letter(
      byte @Nullable [] body, boolean decodable, DeadLetterForm form, List<Header> more) {
    List<Header> all = new ArrayList<>();
    all.add(new Header("waybill-event-id", "e-1"));
    all.add(new Header("waybill-event-type", "order.placed"));
    all.add(new Header("content-type", "text/x-own"));
    all.add(new Header("waybill-dead-reason", "of a former life"));
    all.addAll(more);
    all.add(new Header("tenant", "acme"));
    Headers headers = new Headers(all);
    @Nullable ReceivedEvent event =
        decodable
            ? ((Decoded.Event) new Decoder().decode("orders", null, body, headers, 0)).event()
            : null;
    return new DeadLetterEncoder("inventory-service")
        .encode(
            new DeadLetterEncoder.Original(
                "orders", new byte[] {7}, body, headers, 0, "orders-3@15", event),
            new DeadLetterEncoder.Verdict("permanent-failure", "Validation failed", FAILED),
            form,
            Destination.topic("orders.dlt"),
            5);
  }

  private static Outgoing letter(byte @Nullable [] body, boolean decodable) {
    return letter(body, decodable, DeadLetterForm.JSON, List.of());
  }

  private static String text(Outgoing letter) {
    assertThat(letter.body()).isNotNull();
    return new String(letter.body(), StandardCharsets.UTF_8);
  }

  @Test
  void hasTheDocumentedMembersWithTheOriginalAsItStands() {
    byte[] original = "{\"total\": 1.10}".getBytes(StandardCharsets.UTF_8);

    Outgoing letter = letter(original, true);

    assertThat(text(letter))
        .isEqualTo(
            "{\"eventId\":\"e-1\",\"originalEvent\":{\"total\": 1.10},\"errorMessage\":\"Validation"
                + " failed\",\"failedAt\":\"2026-11-20T12:37:13.000042Z\","
                + "\"consumerService\":\"inventory-service\"}");
    assertThat(letter.key()).containsExactly(7);
    assertThat(letter.destination()).isEqualTo(Destination.topic("orders.dlt"));
    assertThat(letter.sendId()).isEqualTo(5);
  }

  @Test
  void keepsTheOriginalHeaders() {
    assertThat(letter(new byte[] {'1'}, true).headers())
        .containsExactly(
            new Header("waybill-event-id", "e-1"),
            new Header("waybill-event-type", "order.placed"),
            new Header("waybill-original-content-type", "text/x-own"),
            new Header("tenant", "acme"),
            new Header("content-type", "application/json"),
            new Header("waybill-dead-reason", "permanent-failure"),
            new Header("waybill-dead-source", "orders"),
            new Header("waybill-dead-consumer", "inventory-service"));
  }

  @Test
  void aBodyThatIsNoJsonIsGivenAsBase64() {
    assertThat(text(letter(new byte[] {(byte) 0xff, 0}, true)))
        .contains("\"originalEvent\":\"/wA=\",\"originalEventEncoding\":\"base64\"");
  }

  @Test
  void aTombstoneHasNoOriginal() {
    assertThat(text(letter(null, true))).contains("\"originalEvent\":null,");
  }

  @Test
  void aMessageThatIsNoEventHasNoId() {
    assertThat(text(letter(new byte[] {'1'}, false))).startsWith("{\"eventId\":null,");
  }

  @Test
  void aRawLetterHasTheBodyAsItIsAndItsOwnFieldsAsHeaders() {
    byte[] body = {(byte) 0xff, 0};
    Outgoing letter = letter(body, true, DeadLetterForm.RAW, List.of());
    assertThat(letter.body()).isEqualTo(body);
    assertThat(letter.contentType()).isEqualTo("text/x-own");
    assertThat(letter.key()).containsExactly(7);
    assertThat(letter.headers())
        .containsExactly(
            new Header("waybill-event-id", "e-1"),
            new Header("waybill-event-type", "order.placed"),
            new Header("content-type", "text/x-own"),
            new Header("tenant", "acme"),
            new Header("waybill-dead-error", "Validation failed"),
            new Header("waybill-dead-failed-at", "2026-11-20T12:37:13.000042Z"),
            new Header("waybill-dead-body", "raw"),
            new Header("waybill-dead-reason", "permanent-failure"),
            new Header("waybill-dead-source", "orders"),
            new Header("waybill-dead-consumer", "inventory-service"));
    assertThat(letter(null, true, DeadLetterForm.RAW, List.of()).body()).isNull();
  }

  @Test
  void aLetterWithoutBodySaysWhereItLiesAndWhatItIs() {
    List<Header> large = List.of(new Header("large", "x".repeat(20_000)));
    Outgoing letter = letter(new byte[] {'a', 'b', 'c'}, true, DeadLetterForm.WITHOUT_BODY, large);
    assertThat(text(letter))
        .isEqualTo(
            "{\"eventId\":\"e-1\",\"eventType\":\"order.placed\",\"originalLength\":3,"
                + "\"originalSha256\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\","
                + "\"originalPlace\":\"orders-3@15\",\"errorMessage\":\"Validation failed\","
                + "\"failedAt\":\"2026-11-20T12:37:13.000042Z\","
                + "\"consumerService\":\"inventory-service\"}");
    assertThat(letter.headers())
        .as("without the one that is large itself")
        .containsExactly(
            new Header("waybill-event-id", "e-1"),
            new Header("waybill-event-type", "order.placed"),
            new Header("waybill-original-content-type", "text/x-own"),
            new Header("tenant", "acme"),
            new Header("content-type", "application/json"),
            new Header("waybill-dead-body", "missing"),
            new Header("waybill-dead-reason", "permanent-failure"),
            new Header("waybill-dead-source", "orders"),
            new Header("waybill-dead-consumer", "inventory-service"));
  }
}
