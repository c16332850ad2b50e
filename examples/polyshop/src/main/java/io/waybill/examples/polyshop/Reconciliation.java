package io.waybill.examples.polyshop;

import io.waybill.proof.oracle.KafkaMessage;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Committed orders against the envelopes that a consumer received.
 *
 * @param committed orders of the business
 * @param delivered those of which an envelope arrived
 * @param lost those of which none arrived
 * @param ghosts envelopes of orders that were never committed, or with another amount
 * @param duplicates copies beyond the first
 */
record Reconciliation(int committed, int delivered, int lost, int ghosts, int duplicates) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** Compares the amounts of committed orders with messages. */
  static Reconciliation of(Map<String, BigDecimal> totals, List<KafkaMessage> messages) {
    Set<String> seen = new HashSet<>();
    int ghosts = 0;
    int duplicates = 0;
    for (KafkaMessage message : messages) {
      JsonNode data = JSON.readTree(message.value()).path("data");
      String order = data.path("orderId").asString("");
      BigDecimal total = totals.get(order);
      if (!seen.add(order)) {
        duplicates++;
      } else if (total == null
          || total.compareTo(data.path("totalAmount").decimalValue(BigDecimal.ZERO)) != 0) {
        ghosts++;
      }
    }
    int delivered = seen.size() - ghosts;
    return new Reconciliation(
        totals.size(), delivered, totals.size() - delivered, ghosts, duplicates);
  }

  /** Whether each committed order arrived and nothing else did. */
  boolean clean() {
    return lost == 0 && ghosts == 0;
  }

  @Override
  public String toString() {
    return "committed %,d, delivered %,d, lost %,d, ghosts %,d, duplicates %,d"
        .formatted(committed, delivered, lost, ghosts, duplicates);
  }
}
