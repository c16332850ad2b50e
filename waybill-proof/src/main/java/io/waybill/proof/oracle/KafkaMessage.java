package io.waybill.proof.oracle;

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
}
