package io.waybill.it;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message as a plain client of the broker sees it.
 *
 * @param destination topic or queue it was in
 * @param key Kafka's key; null on RabbitMQ
 * @param headers headers as text
 * @param body body as text
 */
record Message(String destination, @Nullable String key, Map<String, String> headers, String body) {
  JsonNode json() {
    return JsonMapper.shared().readTree(body);
  }
}
