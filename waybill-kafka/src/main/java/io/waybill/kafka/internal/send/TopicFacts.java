package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import io.waybill.kafka.internal.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What the broker says of a topic.
 *
 * @param partitions number of partitions
 * @param maxMessageBytes {@code max.message.bytes}; the largest integer when the broker does not
 *     tell
 * @param compacted whether a key is required
 * @param sinceNanos when it was looked up
 */
record TopicFacts(int partitions, int maxMessageBytes, boolean compacted, long sinceNanos) {
  /** Why the topic cannot take the message, whatever its size; null when it can. */
  @Nullable Refusal refusal(Outgoing message) {
    Integer partition = message.destination().partition();
    if (partition != null && (partition < 0 || partition >= partitions)) {
      return Refusal.rejected(
          "invalid-partition", "partition: must be 0 to " + (partitions - 1) + ": " + partition);
    }
    if (compacted && message.key() == null) {
      return Refusal.rejected(
          "key-required", "key: a compacted topic takes no message without key");
    }
    return null;
  }
}
