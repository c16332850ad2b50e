package io.waybill.rabbitmq;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the properties and policies with which a queue acknowledges messages and drops them. */
final class QueueRules {
  private final String name;
  private final JsonValue queue;
  private final String version;
  private final List<Finding> findings = new ArrayList<>();

  private QueueRules(String name, JsonValue queue, String version) {
    this.name = name;
    this.queue = queue;
    this.version = version;
  }

  /**
   * Judges a queue.
   *
   * @param name its name
   * @param queue what the management API says about it
   * @param version of the broker
   */
  static List<Finding> judge(String name, JsonValue queue, String version) {
    QueueRules rules = new QueueRules(name, queue, version);
    rules.properties();
    rules.overflow();
    rules.timeToLive();
    rules.redelivery();
    return rules.findings;
  }

  private void properties() {
    String remedy = "declare it again: durable, not auto-deleted, not exclusive";
    if (!queue.at("durable").isTrue()) {
      found(
          Check.RABBITMQ_QUEUE_NOT_DURABLE,
          "is not durable: its messages are lost when the broker restarts",
          remedy);
    }
    if (queue.at("auto_delete").isTrue()) {
      found(
          Check.RABBITMQ_QUEUE_AUTO_DELETED,
          "is deleted with its messages when its last consumer leaves",
          remedy);
    }
    if (queue.at("exclusive").isTrue()) {
      found(
          Check.RABBITMQ_QUEUE_EXCLUSIVE,
          "is deleted with its messages when its owner's connection closes",
          remedy);
    }
    String expires = setting("expires");
    if (expires != null) {
      found(
          Check.RABBITMQ_QUEUE_EXPIRES,
          "is deleted with its messages after " + expires + " ms without use",
          "remove expires from the queue's policy or arguments");
    }
  }

  private void overflow() {
    String limit = setting("max-length");
    String bytes = setting("max-length-bytes");
    String overflow = setting("overflow");
    boolean dropsHead = overflow == null || overflow.equals("drop-head");
    if ((limit == null && bytes == null) || !dropsHead) {
      return;
    }
    String size = limit != null ? limit + " messages" : bytes + " bytes";
    String remedy = "set overflow to reject-publish, in the policy or as x-overflow";
    if (setting("dead-letter-exchange") == null) {
      found(
          Check.RABBITMQ_QUEUE_DROPS_OLDEST,
          "acknowledges messages and drops the oldest above " + size,
          remedy);
    } else {
      found(
          Check.RABBITMQ_QUEUE_MOVES_OLDEST,
          "moves the oldest messages above " + size + " to its dead-letter exchange",
          remedy);
    }
  }

  private void timeToLive() {
    String millis = setting("message-ttl");
    if (millis == null) {
      return;
    }
    if (setting("dead-letter-exchange") == null) {
      found(
          Check.RABBITMQ_MESSAGES_EXPIRE,
          "drops messages after " + millis + " ms and has no dead-letter exchange",
          "remove message-ttl, or set dead-letter-exchange, in the policy or the arguments");
    }
  }

  private void redelivery() {
    OptionalInt limit = DeliveryLimit.of(queue, version);
    if (limit.isEmpty()) {
      return;
    }
    boolean isSet = DeliveryLimit.isSet(queue);
    String failures =
        " a message whose delivery has failed more than %d times%s"
            .formatted(limit.getAsInt(), isSet ? "" : ", by the broker's default limit");
    String exchange = setting("dead-letter-exchange");
    if (exchange == null) {
      found(
          Check.RABBITMQ_REDELIVERED_DROPPED,
          "drops" + failures + ", as it has no dead-letter exchange",
          "set dead-letter-exchange, in the policy or as x-dead-letter-exchange, or "
              + DeliveryLimit.remedy(queue, version));
    } else if (!isSet) {
      found(
          Check.RABBITMQ_REDELIVERED_MOVED,
          "moves%s, to its dead-letter exchange '%s'".formatted(failures, exchange),
          "set delivery-limit in a policy: to -1 for none, or to %d if that is what is meant"
              .formatted(DeliveryLimit.DEFAULT));
    }
  }

  /** Whether the broker itself moves messages to the dead-letter exchange. */
  static boolean movesMessages(JsonValue queue, String version) {
    return DeliveryLimit.of(queue, version).isPresent()
        || Stream.of("message-ttl", "max-length", "max-length-bytes")
            .anyMatch(key -> setting(queue, key) != null);
  }

  /** Whether it refuses messages when it is full. */
  static boolean refuses(JsonValue queue) {
    boolean limited =
        setting(queue, "max-length") != null || setting(queue, "max-length-bytes") != null;
    String overflow = setting(queue, "overflow");
    return limited && overflow != null && overflow.startsWith("reject-publish");
  }

  private @Nullable String setting(String key) {
    return setting(queue, key);
  }

  /** The value in force: a queue's own argument or its policy. */
  static @Nullable String setting(JsonValue queue, String key) {
    String argument = queue.at("arguments").at("x-" + key).text();
    return argument != null ? argument : queue.at("effective_policy_definition").at(key).text();
  }

  private void found(Check check, String detail, String remedy) {
    findings.add(new Finding(check, "queue " + name, "queue '" + name + "' " + detail, remedy));
  }
}
