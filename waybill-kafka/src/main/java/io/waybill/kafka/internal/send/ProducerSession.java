package io.waybill.kafka.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance of the Kafka client, from its creation to its first failure. A failure ends it as a
 * whole, because the client has no other way to take back what it has accepted: left alone, it
 * would go on with the next batch of the partition and so pass the failed one.
 *
 * <p><b>Why nothing passes a failed send.</b> The claim: when the callback of a send runs with an
 * exception, no later send of its partition has left the client, and none leaves it afterwards. It
 * rests on the client's I/O thread (Sender of kafka-clients 4.1 to 4.4, the same in all of them)
 * with one request in flight for each connection:
 *
 * <ul>
 *   <li>In this mode the client mutes a partition from the drain of a batch until the response (or
 *       the loss of the connection) is processed. A batch that is tried again goes to the head of
 *       its partition before the partition is unmuted. So of a partition one batch at most is out,
 *       and it is the oldest one, also over retries and changes of the leader.
 *   <li>Failures of a batch that was sent reach us in the processing of its response. Requests are
 *       created at another place, in the next turn of the loop.
 *   <li>A batch that expires while it is out is failed after the drain of the same turn; its
 *       partition was muted in that drain. A batch that expires before it was sent is younger than
 *       any batch of its partition that this turn has drained.
 *   <li>Callbacks run on the I/O thread. Closing with timeout zero there sets the flags that end
 *       the loop after this turn, so there is no next turn and no next drain. The remaining batches
 *       are aborted; their callbacks come with an exception, too.
 * </ul>
 *
 * <p>With more requests in flight, the broker's check of sequence numbers would have to do this,
 * and it accepts any number from a producer that it does not know: were the first batch on a
 * partition refused for a moment, the second would be stored.
 *
 * <p>Outcomes of a failed session are reported when its I/O thread has ended, or a second after the
 * failure if it has not: it may hang in the resolution of a name. What a broker then still has in
 * its socket, and what that thread sends in its last turn, may be stored late. It is a prefix of
 * what the next session sends again, so the first arrivals of a key stay in order.
 */
final class ProducerSession {
  private static final Logger LOG = LoggerFactory.getLogger(ProducerSession.class);
  private static final AtomicInteger FLUSHERS = new AtomicInteger();

  /** With more sends out than this, batches are left to fill: each request costs the same. */
  private static final int BUSY = 500;

  private final KafkaProducer<byte[], byte[]> producer;
  private final PublisherListener listener;
  private final boolean forSuspects;
  private final int batchBytes;
  private final Records records;
  private final OpenSends sends = new OpenSends();
  private final Watcher watcher;
  private final Flusher flusher;
  private final AtomicBoolean failed = new AtomicBoolean();

  private final AtomicLong confirmed = new AtomicLong();
  private volatile @Nullable InFlight cause;
  private volatile long causeBytes = -1;
  private volatile String reason = "the publisher ends it";
  private volatile long failedNanos;
  private final AtomicBoolean ending = new AtomicBoolean();

  /** Whether the buffer had no room lately. Nothing is tried until an outcome has made some. */
  private volatile boolean full;

  /** Why it should be replaced. Guarded by the publisher's lock. */
  private @Nullable String outdated;

  /** The thread that is inside the client's send method. Others only ask whether it is them. */
  private @Nullable Thread appending;

  /** What the client said against a send from within its send method. */
  private @Nullable Exception refusal;

  /** Is told what becomes of a session; called on any thread, and neither waits nor throws. */
  interface Watcher {
    /** It has failed and has to be ended. */
    void failed(ProducerSession session);

    /** Its buffer, which was full, has some room. */
    void hasRoom();
  }

  ProducerSession(
      KafkaProducer<byte[], byte[]> producer,
      PublisherListener listener,
      boolean forSuspects,
      int batchBytes,
      SendSettings.Partitions partitions,
      Watcher watcher) {
    this.producer = producer;
    this.listener = listener;
    this.forSuspects = forSuspects;
    this.batchBytes = batchBytes;
    this.records = new Records(partitions);
    this.watcher = watcher;
    this.flusher = new Flusher(producer, "waybill-kafka-flusher-" + FLUSHERS.incrementAndGet());
  }

  boolean forSuspects() {
    return forSuspects;
  }

  boolean hasFailed() {
    return failed.get();
  }

  /** The send whose failure ended the session; null when something else did. */
  @Nullable InFlight cause() {
    return cause;
  }

  /** Measures the message that was too large for the broker, which takes some time. */
  void measureCause(String compression) {
    InFlight failed = cause;
    if (failed != null && failed.failure instanceof RecordTooLargeException) {
      causeBytes = RecordSize.least(failed.message, compression);
    }
  }

  /** What the message takes that was too large for the broker; negative if none is known. */
  long causeBytes() {
    return causeBytes;
  }

  /** Why it ended. */
  String reason() {
    return reason;
  }

  /** How long ago it failed. */
  Duration sinceFailure() {
    return Duration.ofNanos(System.nanoTime() - failedNanos);
  }

  /** True for the first who asks: they have to end it. */
  boolean isMineToEnd() {
    return ending.compareAndSet(false, true);
  }

  /** Whoever was to end it could not. */
  void leaveToEnd() {
    ending.set(false);
  }

  /** What the client sets aside for each partition in use. */
  int batchBytes() {
    return batchBytes;
  }

  /** It is to be replaced as soon as nothing is under way. Called under the publisher's lock. */
  void outdate(String why) {
    outdated = why;
  }

  /** Why it should be replaced; null when it is up to date. Called under the publisher's lock. */
  @Nullable String outdated() {
    return outdated;
  }

  boolean isFull() {
    return full;
  }

  /** Lets a send try again. */
  void tryAgain() {
    full = false;
  }

  /** Makes the client know the topic; does not wait. */
  void learn(String topic) {
    producer.partitionsFor(topic);
  }

  /**
   * Hands a message to the client. Called under the publisher's lock.
   *
   * @return why the client did not take it; null when it did and its outcome will be reported
   */
  @Nullable Exception append(Outgoing message, Topic topic, long now) {
    InFlight send = new InFlight(message, topic, this, now);
    ProducerRecord<byte[], byte[]> record;
    try {
      record = records.of(message, producer);
    } catch (KafkaException | IllegalStateException e) {
      return e;
    }
    refusal = null;
    appending = Thread.currentThread();
    try {
      Future<RecordMetadata> unused = producer.send(record, send);
    } catch (KafkaException | IllegalStateException e) {
      refusal = e;
    } catch (RuntimeException | Error e) {
      // Nobody knows how far it came with the message: as after a failure, all is unknown.
      refusal = null;
      abandon("its send method failed: " + e);
    } finally {
      appending = null;
    }
    if (refusal instanceof BufferExhaustedException) {
      full = true;
    }
    if (refusal == null) {
      send.topic.openSends.incrementAndGet();
      sends.add(send);
    }
    return refusal;
  }

  /** Ends a burst of sends. Called under the publisher's lock. */
  void flush() {
    InFlight unused = sends.oldest();
    long out = sends.appended() - confirmed.get();
    if (out > 0 && out <= BUSY) {
      flusher.ask();
    }
  }

  /** Called by the client, on its I/O thread or from within its send method. */
  void completed(InFlight send, @Nullable RecordMetadata metadata, @Nullable Exception exception) {
    if (exception == null) {
      confirm(send, metadata);
    } else if (Thread.currentThread() == appending) {
      refusal = exception;
    } else {
      send.failure = exception;
      fail(send);
    }
  }

  private void confirm(InFlight send, @Nullable RecordMetadata metadata) {
    try {
      if (settle(send, send.confirmed(metadata))) {
        confirmed.incrementAndGet();
        if (forSuspects) {
          send.topic.recovered = true;
        }
      }
    } catch (RuntimeException | Error e) {
      // Reported again with all that is open, as unknown: the client's thread has to go on.
      abandon("a confirmation could not be reported: " + e);
    }
    if (full) {
      full = false;
      watcher.hasRoom();
    }
  }

  private void fail(InFlight send) {
    if (failed.get()) {
      return;
    }
    cause = send;
    reason = "a send to " + send.topic.name + " failed: " + send.failure;
    if (takeNoMore()) {
      try {
        end();
      } finally {
        watcher.failed(this);
      }
    }
  }

  /** Ends it for a reason that is not the outcome of a send. */
  void abandon(String why) {
    if (takeNoMore()) {
      reason = why;
      watcher.failed(this);
    }
  }

  /** From now on nothing can be appended; true for the first call. */
  boolean takeNoMore() {
    boolean first = failed.compareAndSet(false, true);
    if (first) {
      failedNanos = System.nanoTime();
    }
    return first;
  }

  /**
   * Ends the client. From another thread than the client's own, returns when its I/O thread has
   * ended, so that nothing is sent after the return.
   */
  void end() {
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      LOG.debug("The Kafka client did not close in order", e);
    } finally {
      flusher.end();
    }
  }

  /** Reports the outcome of a send unless it was reported; true if this call did. */
  boolean settle(InFlight send, Confirmation outcome) {
    if (!send.take()) {
      return false;
    }
    boolean made = false;
    try {
      listener.onConfirmation(outcome);
      made = true;
    } finally {
      send.reported(made);
    }
    send.topic.openSends.decrementAndGet();
    return true;
  }

  /** The sends without outcome. Guarded by the publisher's lock. */
  OpenSends sends() {
    return sends;
  }
}
