package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import io.waybill.kafka.internal.Refusal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the publisher knows of one topic. Guarded by the publisher's lock, save for what callbacks
 * touch.
 */
final class Topic {
  private static final long REFRESH_NANOS = Duration.ofMinutes(5).toNanos();

  /** After a definite refusal more of them are likely: from the same writer, of the same event. */
  private static final long SUSPECT_NANOS = Duration.ofMinutes(5).toNanos();

  /** A send that waits until its topic is known, or until it can be handed over. */
  static final class Waiting {
    final Outgoing message;
    final long sinceNanos;

    /** What it may shrink to by compression; negative while that is not known. */
    long leastBytes = -1;

    Waiting(Outgoing message, long sinceNanos) {
      this.message = message;
      this.sinceNanos = sinceNanos;
    }
  }

  final String name;
  final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Null until looked up, and again when a failure casts doubt on it. */
  @Nullable TopicFacts facts;

  /** The session whose client knows the topic, so that its send does not wait for metadata. */
  @Nullable ProducerSession ready;

  /** When the topic was used last: the client forgets topics that lie idle. */
  long usedNanos;

  /** Until then a topic that was found missing is not looked up again. */
  long missingUntilNanos;

  boolean missing;

  /** Whether what waits does so for room in the client's buffer. */
  boolean withoutRoom;

  /** Whether it has to use the other client, since its last failure is not made good. */
  private boolean suspect;

  private long suspectUntilNanos;

  /** What the broker found too large while it did not tell the limit, and when that was. */
  private long refusedBytes = Long.MAX_VALUE;

  private long refusedNanos;

  /** Sends without outcome, through either client. */
  final AtomicInteger openSends = new AtomicInteger();

  /** Set by a success through the client for suspect topics. */
  volatile boolean recovered;

  Topic(String name, long nowNanos) {
    this.name = name;
    this.usedNanos = nowNanos;
  }

  /** Whether the session that it has to use can take a message now. */
  boolean isReady(@Nullable ProducerSession session, long now, long idleNanos) {
    return session != null
        && ready == session
        && facts != null
        && !session.hasFailed()
        && !session.isFull()
        && now - usedNanos < idleNanos;
  }

  /** The next message if it has to be measured first. */
  @Nullable Waiting unmeasured() {
    Waiting next = waiting.peek();
    TopicFacts known = facts;
    return next != null
            && known != null
            && next.leastBytes < 0
            && RecordSize.mayExceed(next.message, careAbove(known))
        ? next
        : null;
  }

  /** As far as known. */
  long partitions() {
    return facts == null ? 0 : facts.partitions();
  }

  /** Has to be looked up again before the next send. */
  void doubt() {
    facts = null;
    ready = null;
  }

  /** In use, with facts that are old. */
  boolean isOutdated(long now) {
    TopicFacts known = facts;
    return known != null
        && now - known.sinceNanos() > REFRESH_NANOS
        && now - usedNanos < REFRESH_NANOS;
  }

  /**
   * It has to use the other client. Only while none of its sends is open, or when the client that
   * has them has ended: else what follows would pass them.
   *
   * @param isDefinite whether it was refused, or may be: then it stays suspect for some minutes
   */
  void suspect(long now, boolean isDefinite) {
    suspect = true;
    recovered = false;
    suspectUntilNanos = now + (isDefinite ? SUSPECT_NANOS : 0);
  }

  /** The same, of a topic that may be refused, unless a send is open. */
  void suspectIfIdle(long now) {
    if (openSends.get() == 0) {
      suspect(now, true);
    }
  }

  /** Whether it has to use the other client; takes it back when nothing can be passed by that. */
  boolean isSuspect(long now) {
    if (suspect && recovered && now - suspectUntilNanos >= 0 && openSends.get() == 0) {
      suspect = false;
    }
    return suspect;
  }

  /** The broker found a message too large. */
  void refused(long leastBytes, long now) {
    if (leastBytes <= refusedBytes) {
      refusedBytes = leastBytes;
      refusedNanos = now;
    }
  }

  /** What is larger, before compression, has to be measured and goes through the other client. */
  long careAbove(TopicFacts known) {
    return Math.min(known.maxMessageBytes(), refusedBytes - 1);
  }

  /** Why a message that takes so much at least cannot fit; null when it may. */
  @Nullable Refusal tooLarge(long leastBytes, TopicFacts known, long now) {
    boolean refusedLately = leastBytes >= refusedBytes && now - refusedNanos < SUSPECT_NANOS;
    if (leastBytes <= known.maxMessageBytes() && !refusedLately) {
      return null;
    }
    return Refusal.rejected(
        "record-too-large",
        "message: must be at most "
            + careAbove(known)
            + " bytes (max.message.bytes, compressed): about "
            + leastBytes);
  }
}
