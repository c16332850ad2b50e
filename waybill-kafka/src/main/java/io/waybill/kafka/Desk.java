package io.waybill.kafka;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import io.waybill.message.RecordTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to each message: hand it to a client, let it wait until its topic is known,
 * or refuse it. Its lock is the publisher's lock. It starts no thread and waits for nothing but,
 * for some milliseconds, a free buffer of the client.
 *
 * <p>Failures are reported under the lock, so that a flush either comes before the report and lifts
 * nothing of it, or comes after it.
 */
final class Desk {
  /** The longest time a message waits for its topic. */
  static final Duration LOOKUP_LIMIT = Duration.ofMillis(1_500);

  private static final long LOOKUP_LIMIT_NANOS = LOOKUP_LIMIT.toNanos();
  private static final long MISSING_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long REFRESH_NANOS = Duration.ofMinutes(5).toNanos();

  /** Soon after an operator has raised a limit, what was too large for it goes out. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long FORGET_NANOS = Duration.ofMinutes(15).toNanos();

  /** Messages handed over before the lock is given free once. */
  private static final int SLICE = 100;

  private static final Refusal MISSING =
      Refusal.unknown("topic-missing", "the topic does not exist");
  private static final Refusal SILENT =
      Refusal.unknown("topic-lookup-timeout", "the broker did not answer a question for the topic");
  private static final Refusal HELD =
      Refusal.unknown("behind-failed-send", "an earlier message of the key failed");
  private static final Refusal CLOSED =
      Refusal.unknown("closed", "the publisher was closed before the outcome was known");

  private enum Handover {
    DONE,
    NOT_READY,
    BUFFER_FULL
  }

  private final PublisherListener listener;
  private final Runnable wantLookup;
  private final long idleNanos;
  private final Map<String, Topic> topics = new HashMap<>();
  private final Fence fence = new Fence();
  private @Nullable Generation main;
  private @Nullable Generation suspects;
  private int epoch;
  private boolean closed;

  Desk(PublisherListener listener, Runnable wantLookup, Duration idle) {
    this.listener = listener;
    this.wantLookup = wantLookup;
    this.idleNanos = idle.toNanos();
  }

  synchronized void accept(Outgoing message) {
    Refusal refusal = refusal(message);
    if (refusal != null) {
      refuse(message, refusal);
      return;
    }
    long now = System.nanoTime();
    Topic topic =
        topics.computeIfAbsent(message.destination().target(), name -> new Topic(name, now));
    if (topic.missing && now - topic.missingUntilNanos < 0) {
      refuse(message, MISSING);
    } else if (!topic.waiting.isEmpty()
        || !isReady(topic, now)
        || handOver(message, topic, now) == Handover.NOT_READY) {
      topic.waiting.add(new Topic.Waiting(message, now));
      wantLookup.run();
    }
  }

  private @Nullable Refusal refusal(Outgoing message) {
    if (closed) {
      return CLOSED;
    }
    if (fence.holds(message)) {
      return HELD;
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
    byte[] key = message.key();
    if (key != null) {
      fence.hold(message.destination().target(), key);
    }
    listener.onConfirmation(refusal.outcome(message.sendId()));
  }

  private boolean isReady(Topic topic, long now) {
    if (topic.suspect && topic.recovered && topic.suspectSends.get() == 0) {
      // Everything it sent through the other client is confirmed: nothing can be passed.
      topic.suspect = false;
    }
    Generation generation = topic.suspect ? suspects : main;
    return generation != null
        && topic.ready == generation
        && topic.facts != null
        && !generation.hasFailed()
        && now - topic.usedNanos < idleNanos;
  }

  private Handover handOver(Outgoing message, Topic topic, long now) {
    TopicFacts facts = topic.facts;
    Generation generation = topic.ready;
    if (facts == null || generation == null) {
      return Handover.NOT_READY;
    }
    Refusal refusal = facts.refusal(message);
    if (refusal != null) {
      if (now - facts.sinceNanos() > FRESH_NANOS) {
        topic.doubt();
        return Handover.NOT_READY;
      }
      refuse(message, refusal);
      return Handover.DONE;
    }
    Exception failure = generation.append(message, topic, now);
    if (failure == null) {
      topic.usedNanos = now;
      return Handover.DONE;
    }
    return afterFailure(message, topic, generation, failure);
  }

  /** Nothing was appended: the generation is not harmed. */
  private Handover afterFailure(
      Outgoing message, Topic topic, Generation generation, Exception failure) {
    if (failure instanceof BufferExhaustedException) {
      refuse(message, Refusal.of(failure));
      return Handover.BUFFER_FULL;
    }
    boolean ended = generation.hasFailed() || failure instanceof IllegalStateException;
    if (ended || failure instanceof TimeoutException) {
      topic.ready = null;
      return Handover.NOT_READY;
    }
    refuse(message, Refusal.of(failure));
    return Handover.DONE;
  }

  synchronized void flush() {
    fence.lift();
    if (main != null) {
      main.flush();
    }
    if (suspects != null) {
      suspects.flush();
    }
  }

  /** The topics that messages wait for, and those whose facts are old. */
  synchronized List<Topic> toLookUp() {
    long now = System.nanoTime();
    return topics.values().stream()
        .filter(topic -> !topic.waiting.isEmpty() || isOutdated(topic, now))
        .toList();
  }

  private static boolean isOutdated(Topic topic, long now) {
    TopicFacts facts = topic.facts;
    return facts != null
        && now - facts.sinceNanos() > REFRESH_NANOS
        && now - topic.usedNanos < REFRESH_NANOS;
  }

  synchronized boolean needsLookUp(Topic topic) {
    return topic.facts == null || isOutdated(topic, System.nanoTime());
  }

  synchronized boolean hasWaiting() {
    return topics.values().stream().anyMatch(topic -> !topic.waiting.isEmpty());
  }

  synchronized void present(Topic topic, TopicFacts facts) {
    topic.facts = facts;
    topic.missing = false;
  }

  synchronized void missing(Topic topic) {
    topic.doubt();
    topic.missing = true;
    topic.missingUntilNanos = System.nanoTime() + MISSING_NANOS;
    refuseWaiting(topic, MISSING);
  }

  synchronized void denied(Topic topic, Refusal refusal) {
    topic.doubt();
    refuseWaiting(topic, refusal);
  }

  private void refuseWaiting(Topic topic, Refusal refusal) {
    for (Topic.Waiting waiting : topic.waiting) {
      refuse(waiting.message(), refusal);
    }
    topic.waiting.clear();
  }

  /** The client that the topic has to use; null when it does not exist yet. */
  synchronized @Nullable Generation generation(boolean forSuspects) {
    return forSuspects ? suspects : main;
  }

  synchronized boolean isSuspect(Topic topic) {
    return topic.suspect;
  }

  /** Changes each time the time of day is set back. */
  synchronized int epoch() {
    return epoch;
  }

  /**
   * Takes a new client into use; false when the publisher is closed.
   *
   * @param since the epoch before it was created
   */
  synchronized boolean install(Generation generation, int since) {
    if (closed) {
      return false;
    }
    if (since != epoch) {
      generation.outdate();
    }
    if (generation.forSuspects()) {
      suspects = generation;
    } else {
      main = generation;
    }
    return true;
  }

  /**
   * The client knows the topic now: hands over some of what waits for it.
   *
   * @return true when some is left that can go at once
   */
  synchronized boolean ready(Topic topic, Generation generation) {
    long now = System.nanoTime();
    topic.ready = generation;
    topic.usedNanos = now;
    Deque<Topic.Waiting> waiting = topic.waiting;
    for (int n = 0; n < SLICE && !waiting.isEmpty() && isReady(topic, now); n++) {
      Topic.Waiting next = waiting.remove();
      Outgoing message = next.message();
      int refused = fence.size();
      Handover result = handOver(message, topic, now);
      if (result == Handover.NOT_READY) {
        waiting.addFirst(next);
      } else if (fence.size() > refused) {
        refuseHeld(topic);
      }
      if (result != Handover.DONE) {
        return false;
      }
    }
    return !waiting.isEmpty() && isReady(topic, now);
  }

  /** What was accepted after a message that failed must not pass it. */
  private void refuseHeld(Topic topic) {
    Iterator<Topic.Waiting> waiting = topic.waiting.iterator();
    while (waiting.hasNext()) {
      Outgoing message = waiting.next().message();
      if (fence.holds(message)) {
        waiting.remove();
        refuse(message, HELD);
      }
    }
  }

  /** Refuses what has waited too long for its topic, and forgets topics out of use. */
  synchronized void expire() {
    long now = System.nanoTime();
    for (Topic topic : topics.values()) {
      Topic.Waiting oldest = topic.waiting.peek();
      if (oldest != null && now - oldest.sinceNanos() > LOOKUP_LIMIT_NANOS) {
        refuseWaiting(topic, SILENT);
      }
    }
    topics.values().removeIf(t -> t.waiting.isEmpty() && now - t.usedNanos > FORGET_NANOS);
  }

  /** Age of the oldest send of the client that has no outcome; zero when there is none. */
  synchronized Duration oldestAge(Generation generation) {
    InFlight oldest = generation.oldest();
    return oldest == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - oldest.sentNanos);
  }

  /** The time of day was set back: clients of before it are used up and then replaced. */
  synchronized void outdate() {
    epoch++;
    if (main != null) {
      main.outdate();
    }
    if (suspects != null) {
      suspects.outdate();
    }
  }

  /** Replaces an outdated client once nothing is under way, so that no outcome is unknown. */
  synchronized void retire(Generation generation) {
    if (generation.isOutdated() && generation.oldest() == null) {
      generation.abandon("the time of day was set back");
    }
  }

  /** Reports all sends of a failed client that have no outcome. Idempotent. */
  synchronized void settle(Generation generation) {
    main = main == generation ? null : main;
    suspects = suspects == generation ? null : suspects;
    InFlight cause = generation.cause();
    if (cause != null) {
      cause.topic.suspect = true;
      cause.topic.recovered = false;
      cause.topic.doubt();
    }
    Set<Topic> touched = new HashSet<>();
    for (InFlight send : generation.open()) {
      if (generation.settle(send)) {
        touched.add(send.topic);
        report(send, cause);
      }
    }
    touched.forEach(this::refuseHeld);
  }

  private void report(InFlight send, @Nullable InFlight cause) {
    byte[] key = send.key;
    if (key != null) {
      fence.hold(send.topic.name, key);
    }
    listener.onConfirmation(outcome(send, cause));
  }

  private Confirmation outcome(InFlight send, @Nullable InFlight cause) {
    Exception failure = send.failure;
    // The bare class is what the client reports for sends that it drops because of others.
    if (failure != null && failure.getClass() != KafkaException.class) {
      return Refusal.of(failure).outcome(send.sendId);
    }
    if (closed) {
      return CLOSED.outcome(send.sendId);
    }
    Exception first = cause == null ? null : cause.failure;
    String why = first == null ? "its client did not answer in time" : Refusal.of(first).detail();
    return Refusal.unknown("given-up-with-others", "the Kafka client was replaced: " + why)
        .outcome(send.sendId);
  }

  /** Takes no more messages; reports those that no client has. Returns the clients to be ended. */
  synchronized List<Generation> close() {
    closed = true;
    topics.values().forEach(topic -> refuseWaiting(topic, CLOSED));
    List<Generation> living = new ArrayList<>();
    if (main != null) {
      living.add(main);
    }
    if (suspects != null) {
      living.add(suspects);
    }
    return living;
  }
}
