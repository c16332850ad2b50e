package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.Refusal;
import io.waybill.kafka.internal.TopicName;
import io.waybill.message.RecordTime;
import java.time.Duration;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to each message: hand it to a client, let it wait until its topic is known,
 * or refuse it. Its lock is the publisher's lock. It starts no thread and waits for nothing: what
 * finds no room in the client's buffer waits here, like what has to learn its topic.
 *
 * <p>Failures are reported under the lock, so that a flush either comes before the report and lifts
 * nothing of it, or comes after it.
 */
public final class SendDispatcher {
  /** The longest time a message waits for its topic. */
  public static final Duration LOOKUP_LIMIT = Duration.ofMillis(1_500);

  private static final long LOOKUP_LIMIT_NANOS = LOOKUP_LIMIT.toNanos();
  private static final long MISSING_NANOS = Duration.ofSeconds(1).toNanos();

  /** Soon after an operator has raised a limit, what was too large for it goes out. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long FORGET_NANOS = Duration.ofMinutes(15).toNanos();

  /** Messages handed over before the lock is given free once. */
  private static final int SLICE = 100;

  private final PublisherListener listener;
  private final Runnable wantLookup;
  private final long idleNanos;
  private final Map<String, Topic> topics = new HashMap<>();
  private final Fence fence = new Fence();
  private final Sessions sessions = new Sessions();
  private boolean closed;

  SendDispatcher(PublisherListener listener, Runnable wantLookup, Duration idle) {
    this.listener = listener;
    this.wantLookup = wantLookup;
    this.idleNanos = idle.toNanos();
  }

  /** Takes a message; its outcome comes to the listener. */
  public synchronized void accept(Outgoing message) {
    try {
      place(message, System.nanoTime());
    } catch (RuntimeException | Error e) {
      // Its outcome like any other: without one, the next message of its key would pass it.
      refuse(message, Refusal.unknown("send-failed", e.toString()));
    }
  }

  private void place(Outgoing message, long now) {
    Refusal refusal = refusal(message);
    if (refusal != null) {
      refuse(message, refusal);
      return;
    }
    Topic topic =
        topics.computeIfAbsent(message.destination().target(), name -> new Topic(name, now));
    if (topic.missing && now - topic.missingUntilNanos < 0) {
      refuse(message, Refusal.MISSING);
      return;
    }
    Topic.Waiting send = new Topic.Waiting(message, now);
    if (!topic.waiting.isEmpty() || !isReady(topic, now) || !handOver(send, topic, now)) {
      topic.waiting.add(send);
      topic.withoutRoom |= topic.ready != null && topic.ready.isFull();
      wantLookup.run();
    }
  }

  private @Nullable Refusal refusal(Outgoing message) {
    if (closed) {
      return Refusal.CLOSED;
    }
    if (fence.holds(message)) {
      return Refusal.HELD;
    }
    if (message.timestampMillis() < 0 && message.destination().timestamp() == RecordTime.CREATED) {
      return Refusal.rejected(
          "invalid-timestamp", "timestamp: must not be negative: " + message.timestampMillis());
    }
    // The names of known topics were checked before.
    String name = message.destination().target();
    return topics.containsKey(name) ? null : TopicName.refusal(name);
  }

  private void refuse(Outgoing message, Refusal refusal) {
    fence.hold(message);
    listener.onConfirmation(refusal.outcome(message.sendId()));
  }

  private boolean isReady(Topic topic, long now) {
    return topic.isReady(sessions.get(topic.isSuspect(now)), now, idleNanos);
  }

  /** Gives it to the client, or refuses it; false when it has to wait. */
  private boolean handOver(Topic.Waiting send, Topic topic, long now) {
    TopicFacts facts = topic.facts;
    ProducerSession session = topic.ready;
    if (facts == null || session == null) {
      return false;
    }
    Outgoing message = send.message;
    Refusal refusal = facts.refusal(message);
    if (refusal == null && RecordSize.mayExceed(message, topic.careAbove(facts))) {
      if (send.leastBytes < 0) {
        return false;
      }
      refusal = topic.tooLarge(send.leastBytes, facts, now);
      if (refusal == null && !topic.isSuspect(now)) {
        // The broker may refuse it all the same: at the cost of this topic alone.
        topic.suspectIfIdle(now);
        return false;
      }
    }
    if (refusal == null) {
      return append(message, topic, session, now);
    }
    if (now - facts.sinceNanos() > FRESH_NANOS) {
      topic.doubt();
      return false;
    }
    refuse(message, refusal);
    return true;
  }

  private boolean append(Outgoing message, Topic topic, ProducerSession session, long now) {
    Exception failure = session.append(message, topic, now);
    if (failure == null) {
      topic.usedNanos = now;
      return true;
    }
    // Nothing was appended: the session is not harmed.
    if (failure instanceof BufferExhaustedException) {
      return false;
    }
    boolean ended = session.hasFailed() || failure instanceof IllegalStateException;
    if (ended || failure instanceof TimeoutException) {
      topic.ready = null;
      return false;
    }
    refuse(message, Refusal.of(failure));
    return true;
  }

  /** Ends a burst of messages. */
  public synchronized void flush() {
    fence.lift();
    sessions.flush();
  }

  /** The topics that messages wait for or are expected for, and those whose facts are old. */
  synchronized List<Topic> toLookUp(Set<String> expected) {
    long now = System.nanoTime();
    expected.forEach(name -> topics.computeIfAbsent(name, absent -> new Topic(absent, now)));
    return topics.values().stream()
        .filter(t -> !t.waiting.isEmpty() || t.isOutdated(now) || expected.contains(t.name))
        .toList();
  }

  synchronized boolean needsLookUp(Topic topic) {
    return topic.facts == null || topic.isOutdated(System.nanoTime());
  }

  synchronized void present(Topic topic, TopicFacts facts) {
    topic.facts = facts;
    topic.missing = false;
  }

  synchronized void doubt(Topic topic) {
    topic.doubt();
  }

  synchronized void missing(Topic topic) {
    topic.missing = true;
    topic.missingUntilNanos = System.nanoTime() + MISSING_NANOS;
    denied(topic, Refusal.MISSING);
  }

  synchronized void denied(Topic topic, Refusal refusal) {
    topic.doubt();
    refuseWaiting(topic, refusal);
  }

  private void refuseWaiting(Topic topic, Refusal refusal) {
    for (Topic.Waiting next = topic.waiting.peek(); next != null; next = topic.waiting.peek()) {
      refuse(next.message, refusal);
      topic.waiting.remove();
    }
    topic.withoutRoom = false;
  }

  /** The client that the topic has to use; null when it does not exist yet. */
  synchronized @Nullable ProducerSession session(boolean forSuspects) {
    return sessions.get(forSuspects);
  }

  synchronized boolean isSuspect(Topic topic) {
    return topic.isSuspect(System.nanoTime());
  }

  /** Partitions of the topics in use. */
  synchronized long partitions() {
    return topics.values().stream().mapToLong(Topic::partitions).sum();
  }

  /** Clients with larger batches are replaced as soon as nothing is under way. */
  synchronized void fit(int batchBytes, int suspectsBatchBytes) {
    sessions.fit(batchBytes, suspectsBatchBytes);
  }

  /** Changes each time the time of day is set back. */
  synchronized int epoch() {
    return sessions.epoch();
  }

  /**
   * Takes a new client into use; false when the publisher is closed.
   *
   * @param since the epoch before it was created
   */
  synchronized boolean install(ProducerSession session, int since) {
    if (closed) {
      return false;
    }
    sessions.install(session, since);
    return true;
  }

  /**
   * The client knows the topic now: hands over some of what waits for it.
   *
   * @return true when some is left that can go at once
   */
  synchronized boolean ready(Topic topic, ProducerSession session) {
    long now = System.nanoTime();
    topic.ready = session;
    topic.usedNanos = now;
    Deque<Topic.Waiting> waiting = topic.waiting;
    for (int n = 0; n < SLICE && !waiting.isEmpty() && isReady(topic, now); n++) {
      int refused = fence.size();
      if (!handOver(waiting.element(), topic, now)) {
        topic.withoutRoom |= session.isFull();
        return false;
      }
      waiting.remove();
      topic.withoutRoom = false;
      if (fence.size() > refused) {
        refuseHeld(topic);
      }
    }
    return !waiting.isEmpty() && isReady(topic, now);
  }

  /** The next message of the topic if it has to be measured first. */
  synchronized Topic.@Nullable Waiting unmeasured(Topic topic) {
    return topic.unmeasured();
  }

  synchronized void measured(Topic.Waiting send, long leastBytes) {
    send.leastBytes = leastBytes;
  }

  /** What was accepted after a message that failed must not pass it. */
  private void refuseHeld(Topic topic) {
    Iterator<Topic.Waiting> waiting = topic.waiting.iterator();
    while (waiting.hasNext()) {
      Outgoing message = waiting.next().message;
      if (fence.holds(message)) {
        refuse(message, Refusal.HELD);
        waiting.remove();
      }
    }
  }

  /** Refuses what has waited too long for its topic, and forgets topics out of use. */
  synchronized void expire() {
    long now = System.nanoTime();
    for (Topic topic : topics.values()) {
      Topic.Waiting oldest = topic.waiting.peek();
      if (oldest != null && now - oldest.sinceNanos > LOOKUP_LIMIT_NANOS) {
        refuseWaiting(topic, topic.withoutRoom ? Refusal.FULL : Refusal.SILENT);
      }
    }
    topics.values().removeIf(t -> t.waiting.isEmpty() && now - t.usedNanos > FORGET_NANOS);
  }

  /** Age of the oldest send of the client that has no outcome; zero when there is none. */
  synchronized Duration oldestAge(ProducerSession session) {
    return session.sends().oldestAge();
  }

  /** The time of day was set back: clients of before it are used up and then replaced. */
  synchronized void outdate() {
    sessions.outdate();
  }

  /** Replaces an outdated client once nothing is under way, so that no outcome is unknown. */
  synchronized void retire(ProducerSession session) {
    Sessions.retire(session);
  }

  /**
   * Reports all sends of a failed client that have no outcome. To be repeated while {@link
   * #session} gives the client: a report that ends in an error is left open, and nothing is sent
   * anew before all is reported.
   */
  synchronized void settle(ProducerSession session) {
    List<InFlight> open = session.sends().all();
    Verdicts verdicts = new Verdicts(session.cause(), open, closed);
    verdicts.suspectCause(System.nanoTime());
    Set<Topic> touched = new HashSet<>();
    for (InFlight send : open) {
      fence.hold(send.message);
      if (session.settle(send, verdicts.of(send).outcome(send.message.sendId()))) {
        touched.add(send.topic);
      }
    }
    touched.forEach(this::refuseHeld);
    if (session.sends().oldest() == null) {
      sessions.forget(session);
    }
  }

  /** Takes no more messages; reports those that no client has. Returns the clients to be ended. */
  synchronized List<ProducerSession> close() {
    closed = true;
    topics.values().forEach(topic -> refuseWaiting(topic, Refusal.CLOSED));
    return sessions.living();
  }
}
