package io.waybill.kafka;

import io.waybill.broker.Outgoing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the publisher knows of one topic. Guarded by the publisher's lock, save for what callbacks
 * touch.
 */
final class Topic {
  /**
   * A send that waits until its topic is known.
   *
   * @param message the message
   * @param sinceNanos when it was accepted
   */
  record Waiting(Outgoing message, long sinceNanos) {}

  final String name;
  final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Null until looked up, and again when a failure casts doubt on it. */
  @Nullable TopicFacts facts;

  /** The generation whose client knows the topic, so that its send does not wait for metadata. */
  @Nullable Generation ready;

  /** When the topic was used last: the client forgets topics that lie idle. */
  long usedNanos;

  /** Until then a topic that was found missing is not looked up again. */
  long missingUntilNanos;

  boolean missing;

  /** Whether its last failure is not followed by a success: it then has to use the other client. */
  boolean suspect;

  /** Sends through the client for suspect topics that have no outcome yet. */
  final AtomicInteger suspectSends = new AtomicInteger();

  /** Set by a success through the client for suspect topics. */
  volatile boolean recovered;

  Topic(String name, long nowNanos) {
    this.name = name;
    this.usedNanos = nowNanos;
  }

  /** Has to be looked up again before the next send. */
  void doubt() {
    facts = null;
    ready = null;
  }
}
