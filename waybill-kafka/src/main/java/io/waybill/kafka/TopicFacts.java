package io.waybill.kafka;

import io.waybill.broker.Outgoing;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
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
  /** Batch header plus the largest frame of a record. */
  private static final int BATCH_OVERHEAD = 61 + 21;

  private static final int HEADER_OVERHEAD = 10;

  /** A bound of the bytes that a batch with this message alone takes, before compression. */
  static long size(Outgoing message) {
    long size = sizeWithoutHeaders(message);
    for (Header header : message.headers()) {
      size += HEADER_OVERHEAD + utf8Length(header.name()) + utf8Length(header.value());
    }
    return size;
  }

  /** A larger bound that is found without encoding a header. */
  private static long roughSize(Outgoing message) {
    long size = sizeWithoutHeaders(message);
    for (Header header : message.headers()) {
      size += HEADER_OVERHEAD + 3L * (header.name().length() + header.value().length());
    }
    return size;
  }

  private static long sizeWithoutHeaders(Outgoing message) {
    byte[] key = message.key();
    byte[] body = message.body();
    return (long) BATCH_OVERHEAD
        + (key == null ? 0 : key.length)
        + (body == null ? 0 : body.length);
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Why the topic cannot take the message; null when it can. */
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
    if (roughSize(message) > maxMessageBytes) {
      long size = size(message);
      if (size > maxMessageBytes) {
        return Refusal.rejected(
            "record-too-large",
            "message: must be at most " + maxMessageBytes + " bytes (max.message.bytes): " + size);
      }
    }
    return null;
  }
}
