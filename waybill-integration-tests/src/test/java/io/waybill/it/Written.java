package io.waybill.it;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a business transaction wrote: the event of a key with its number within the key, from 1.
 *
 * @param key number of the key
 * @param sequence number of the event within its key
 */
record Written(int key, long sequence) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /** The event's payload, with what databases and encoders like to change. */
  String payload() {
    return """
    {"key":%d,"sequence":%d,"amount":10.50,"note":"caf\u00e9 \\"\uD83D\uDE00\\"","lines":[{"sku":"a"},{}]}"""
        .formatted(key, sequence);
  }

  /** Reads a payload back; refuses one that differs in more than what JSON leaves open. */
  static Written of(JsonNode payload) {
    Written written = new Written(payload.path("key").asInt(), payload.path("sequence").asLong());
    if (!JSON.readTree(written.payload()).equals(payload)) {
      throw new AssertionError("Not the payload that was written: " + payload);
    }
    return written;
  }

  /** The members of an object, exactly these. */
  static JsonNode members(JsonNode object, List<String> names) {
    Set<String> members =
        object.propertyStream().map(Map.Entry::getKey).collect(Collectors.toSet());
    if (!members.equals(Set.copyOf(names))) {
      throw new AssertionError("Expected exactly " + names + ": " + object);
    }
    return object;
  }

  String id() {
    return key + "#" + sequence;
  }
}
