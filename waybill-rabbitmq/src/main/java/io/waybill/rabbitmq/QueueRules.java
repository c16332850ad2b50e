package io.waybill.rabbitmq;

import io.waybill.observe.Finding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the properties and policies with which a queue acknowledges messages and drops them. */
final class QueueRules {
  private final String name;
  private final JsonValue queue;
  private final List<Finding> findings = new ArrayList<>();

  private QueueRules(String name, JsonValue queue) {
    this.name = name;
    this.queue = queue;
  }

  /**
   * Judges a queue.
   *
   * @param name its name
   * @param queue what the management API says about it
   */
  static List<Finding> judge(String name, JsonValue queue) {
    QueueRules rules = new QueueRules(name, queue);
    rules.properties();
    rules.overflow();
    rules.timeToLive();
    return rules.findings;
  }

  private void properties() {
    String remedy = "declare it anew: durable, not auto-deleted, not exclusive";
    if (!queue.at("durable").isTrue()) {
      refuse("is not durable: its messages are lost when the broker restarts", remedy);
    }
    if (queue.at("auto_delete").isTrue()) {
      refuse("is deleted with its messages when its last consumer leaves", remedy);
    }
    if (queue.at("exclusive").isTrue()) {
      refuse("is deleted with its messages when its owner's connection closes", remedy);
    }
    String expires = setting("expires");
    if (expires != null) {
      refuse(
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
      refuse("acknowledges messages and drops the oldest above " + size, remedy);
    } else {
      warn("moves the oldest messages above " + size + " to its dead-letter exchange", remedy);
    }
  }

  private void timeToLive() {
    String millis = setting("message-ttl");
    if (millis == null) {
      return;
    }
    if (setting("dead-letter-exchange") == null) {
      refuse(
          "drops messages after " + millis + " ms and has no dead-letter exchange",
          "remove message-ttl, or set dead-letter-exchange, in the policy or the arguments");
    }
  }

  /** The value in force: a queue's own argument or its policy. */
  private @Nullable String setting(String key) {
    String argument = queue.at("arguments").at("x-" + key).text();
    return argument != null ? argument : queue.at("effective_policy_definition").at(key).text();
  }

  private void refuse(String detail, String remedy) {
    findings.add(Finding.refuse("queue " + name, "queue '" + name + "' " + detail, remedy));
  }

  private void warn(String detail, String remedy) {
    findings.add(Finding.warn("queue " + name, "queue '" + name + "' " + detail, remedy));
  }
}
