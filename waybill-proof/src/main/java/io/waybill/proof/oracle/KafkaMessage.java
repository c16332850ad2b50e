package io.waybill.proof.oracle;

import io.waybill.broker.Delivery;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.message.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer saw it, texts in UTF-8.
 *
 * @param topic its topic
 * @param key its key, or null
 * @param value its body; empty for a tombstone
 * @param headers the last value of each header
 */
public record KafkaMessage(
    String topic, @Nullable String key, String value, Map<String, String> headers) {
  /** Copies the headers. */
  public KafkaMessage {
    headers = Map.copyOf(headers);
  }

  /** The original of a dead letter, as the command line reads it; "none" without one. */
  public String original() {
    byte[] body = value.getBytes(StandardCharsets.UTF_8);
    Delivery delivery =
        new Delivery(topic, topic, 0, null, body, Headers.of(headers), 0, false, 0, "");
    DeadLetter.Original original = new DeadLetterDecoder().decode(delivery).original();
    byte[] bytes = original == null ? null : original.body();
    return bytes == null ? "none" : new String(bytes, StandardCharsets.UTF_8);
  }
}
