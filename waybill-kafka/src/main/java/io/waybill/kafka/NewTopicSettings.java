package io.waybill.kafka;

import org.apache.kafka.clients.admin.NewTopic;

/**
 * How missing topics are created.
 *
 * @param partitions number of partitions, at least 1
 * @param replication replication factor, at least 1, or -1 for the broker's default
 */
public record NewTopicSettings(int partitions, short replication) {
  /** Checks both numbers. */
  public NewTopicSettings {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions: must be at least 1: " + partitions);
    }
    if (replication != -1 && replication < 1) {
      throw new IllegalArgumentException(
          "replication: must be at least 1, or -1 for the broker's default: " + replication);
    }
  }

  /** A new topic of that name. */
  NewTopic topic(String name) {
    return new NewTopic(name, partitions, replication);
  }

  static NewTopicSettings of(int partitions, int replication) {
    return new NewTopicSettings(partitions, checked(replication));
  }

  /** A replication factor as the protocol has it. */
  static short checked(int replication) {
    if (replication != (short) replication) {
      throw new IllegalArgumentException(
          "replication: must be -1 or 1 to " + Short.MAX_VALUE + ": " + replication);
    }
    return (short) replication;
  }
}
