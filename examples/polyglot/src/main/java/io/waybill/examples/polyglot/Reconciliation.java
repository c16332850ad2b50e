package io.waybill.examples.polyglot;

import io.waybill.proof.oracle.KafkaMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Committed business rows of a service against the envelopes that a consumer received.
 *
 * @param committed rows of the business
 * @param delivered those of which an envelope arrived
 * @param lost those of which none arrived
 * @param ghosts envelopes of rows that were never committed, or with another source
 * @param duplicates copies beyond the first
 */
record Reconciliation(int committed, int delivered, int lost, int ghosts, int duplicates) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Compares ids of committed rows with messages, those of other topics left out. */
  static Reconciliation of(Service service, Set<String> committed, List<KafkaMessage> messages) {
    Set<String> seen = new HashSet<>();
    int ghosts = 0;
    int duplicates = 0;
    for (KafkaMessage message : messages) {
      if (!message.topic().equals(service.topic())) {
        continue;
      }
      JsonNode envelope = JSON.readTree(message.value());
      String id = envelope.path("data").path(service.idField()).asString("");
      boolean own = service.source().equals(envelope.path("source").asString(""));
      if (!seen.add(id)) {
        duplicates++;
      } else if (!own || !committed.contains(id)) {
        ghosts++;
      }
    }
    int delivered = seen.size() - ghosts;
    return new Reconciliation(
        committed.size(), delivered, committed.size() - delivered, ghosts, duplicates);
  }

  /** Whether each committed row arrived and nothing else did. */
  boolean clean() {
    return lost == 0 && ghosts == 0;
  }

  @Override
  public String toString() {
    return "committed %,d, delivered %,d, lost %,d, ghosts %,d, duplicates %,d"
        .formatted(committed, delivered, lost, ghosts, duplicates);
  }
}
