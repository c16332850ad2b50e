package io.waybill.kafka.internal.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What reading has to know of a subscriber's configuration.
 *
 * @param servers the brokers, as logs and reports name them
 * @param groupId the consumer group
 * @param topics what it reads
 * @param latest whether a group begins with what comes from now on in topics new to it
 * @param refuses whether a group without position does not begin at all
 * @param commitInterval how often positions are committed
 * @param revocationLimit how long the listener may take before partitions leave
 * @param consumer properties of the client that reads
 * @param admin properties of the client that asks
 */
public record ReadSettings(
    String servers,
    String groupId,
    List<String> topics,
    boolean latest,
    boolean refuses,
    Duration commitInterval,
    Duration revocationLimit,
    Map<String, Object> consumer,
    Map<String, Object> admin) {
  /** Without the properties, which may hold passwords. */
  @Override
  public String toString() {
    return "group " + groupId + " at " + servers;
  }
}
