package io.waybill.examples.wallet;

import io.waybill.proof.oracle.KafkaMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Committed operations against what a consumer received.
 *
 * @param committed operations of the business
 * @param delivered those of which a message arrived
 * @param lost those of which none arrived
 * @param ghosts messages of operations that were never committed
 * @param orderBreaks messages that came after a later one of their wallet and topic
 * @param duplicates copies beyond the first
 */
record Reconciliation(
    int committed, int delivered, int lost, int ghosts, int orderBreaks, int duplicates) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Compares ids of committed operations with messages in the order of their arrival. */
  static Reconciliation of(Set<String> operations, List<KafkaMessage> messages) {
    Set<String> seen = new HashSet<>();
    Map<String, Long> last = new HashMap<>();
    int ghosts = 0;
    int breaks = 0;
    int duplicates = 0;
    for (KafkaMessage message : messages) {
      JsonNode event = JSON.readTree(message.value());
      String operation = event.path("operationId").asString("");
      if (!seen.add(operation)) {
        duplicates++;
      } else if (!operations.contains(operation)) {
        ghosts++;
      } else if (event.has("revision") && outOfOrder(last, message.topic(), event)) {
        breaks++;
      }
    }
    int delivered = seen.size() - ghosts;
    return new Reconciliation(
        operations.size(), delivered, operations.size() - delivered, ghosts, breaks, duplicates);
  }

  private static boolean outOfOrder(Map<String, Long> last, String topic, JsonNode event) {
    String stream = topic + " " + event.path("walletId").asString();
    long revision = event.path("revision").asLong();
    Long before = last.put(stream, revision);
    return before != null && before > revision;
  }

  /** Whether each committed operation arrived, nothing else did, and in order. */
  boolean clean() {
    return lost == 0 && ghosts == 0 && orderBreaks == 0;
  }

  @Override
  public String toString() {
    return """
        committed %,d, delivered %,d, lost %,d, ghosts %,d, order breaks %,d, duplicates %,d"""
        .formatted(committed, delivered, lost, ghosts, orderBreaks, duplicates);
  }
}
