package io.waybill.rabbitmq;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a queue does behind the back of its consumers. */
final class ConsumedQueue {
  private static final String DEFAULT_LIMIT = "20";
  private static final int FIRST_WITH_DEFAULT_LIMIT = 4;

  private ConsumedQueue() {}

  /**
   * Judges a queue.
   *
   * @param name its name
   * @param queue what the management API says about it
   * @param brokerVersion for example {@code 3.10.8}
   */
  static List<Finding> judge(String name, JsonValue queue, String brokerVersion) {
    List<Finding> findings = new ArrayList<>();
    if (!queue.at("arguments").at("x-single-active-consumer").isTrue()) {
      findings.add(
          new Finding(
              Check.RABBITMQ_CONSUMERS_COMPETE,
              "queue " + name,
              "queue '"
                  + name
                  + "' gives its messages to all of its consumers at once: with more than one"
                  + " process events of a key are handled out of order",
              "declare it anew with x-single-active-consumer, or run one process"));
    }
    String limit = limit(queue, brokerVersion);
    if (limit != null) {
      findings.add(
          new Finding(
              Check.RABBITMQ_DELIVERIES_LIMITED,
              "queue " + name,
              "queue '"
                  + name
                  + "' drops or moves a message after "
                  + limit
                  + " deliveries, whatever became of it: lost connections count",
              "set delivery-limit to -1 in the queue's policy (RabbitMQ 4), or remove it; the inbox"
                  + " counts attempts itself"));
    }
    return findings;
  }

  private static @Nullable String limit(JsonValue queue, String brokerVersion) {
    String limit = QueueRules.setting(queue, "delivery-limit");
    if (limit != null) {
      return limit.startsWith("-") ? null : limit;
    }
    boolean isQuorum = "quorum".equals(queue.at("type").text());
    return isQuorum && major(brokerVersion) >= FIRST_WITH_DEFAULT_LIMIT ? DEFAULT_LIMIT : null;
  }

  private static int major(String version) {
    String first = version.replaceFirst("\\..*", "");
    return first.matches("\\d{1,4}") ? Integer.parseInt(first) : 0;
  }
}
