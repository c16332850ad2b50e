package io.waybill.rabbitmq;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Finds what a queue does behind the back of its consumers. */
final class ConsumedQueue {
  private ConsumedQueue() {}

  /**
   * Judges a queue.
   *
   * @param name its name
   * @param queue what the management API says about it
   * @param brokerVersion for example {@code 3.10.8}
   */
  static List<Finding> judge(String name, JsonValue queue, String brokerVersion) {
    if ("stream".equals(queue.at("type").text())) {
      return List.of(
          new Finding(
              Check.RABBITMQ_QUEUE_IS_STREAM,
              "queue " + name,
              "queue '"
                  + name
                  + "' is a stream: it keeps no position for its readers, so a consumer would skip"
                  + " all messages published while it is away",
              "consume from a quorum queue that is bound to the same exchange"));
    }
    List<Finding> findings = new ArrayList<>();
    if (!queue.at("arguments").at("x-single-active-consumer").isTrue()) {
      findings.add(
          new Finding(
              Check.RABBITMQ_CONSUMERS_COMPETE,
              "queue " + name,
              "queue '"
                  + name
                  + "' spreads its messages over all of its consumers: with more than one process,"
                  + " events of a key are handled out of order",
              "declare it again with x-single-active-consumer, or run one process"));
    }
    OptionalInt limit = DeliveryLimit.of(queue, brokerVersion);
    if (limit.isPresent()) {
      findings.add(
          new Finding(
              Check.RABBITMQ_DELIVERIES_LIMITED,
              "queue " + name,
              ("queue '%s' drops or moves a message after %d failed deliveries, and lost"
                      + " connections count as such")
                  .formatted(name, limit.getAsInt()),
              DeliveryLimit.remedy(queue, brokerVersion) + "; the inbox counts attempts itself"));
    }
    return findings;
  }
}
