package io.waybill.spring.internal.consumers;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Instruction;
import io.waybill.broker.Broker;
import io.waybill.broker.Confirmation;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends dead letters to where they came from, one after the other: the next is sent when the one
 * before is confirmed, so that keys keep their order, and nothing more after a failure.
 */
public final class Redrive implements AutoCloseable {
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final Broker broker;
  private final Admin admin;
  private final DeadLetterReader reader;
  private final String name;
  private final Instruction by;
  private final Publisher publisher;
  private final LinkedBlockingQueue<Confirmation> confirmations = new LinkedBlockingQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final CountDownLatch available = new CountDownLatch(1);

  /** What became of a letter. */
  public enum Outcome {
    /** The broker has confirmed it where it came from. */
    SENT,
    /** It could not be sent, or nobody knows whether it was. */
    FAILED,
    /** It was not tried: one before it failed. */
    LEFT
  }

  /**
   * A letter and what became of it.
   *
   * @param letter the letter
   * @param outcome what became of it
   * @param note why it failed, or why it stays though it was sent; else null
   */
  public record Sent(DeadLetter letter, Outcome outcome, @Nullable String note) {}

  /**
   * Begins nothing yet.
   *
   * @param broker where the letters are, and go
   * @param admin keeps the audit
   * @param reader of the letters
   * @param name topic or queue of the letters
   * @param by who sends them, and why
   */
  public Redrive(Broker broker, Admin admin, DeadLetterReader reader, String name, Instruction by) {
    this.broker = broker;
    this.admin = admin;
    this.reader = reader;
    this.name = name;
    this.by = by;
    this.publisher = broker.publisher();
  }

  /** How many were sent again so far; for any thread. */
  public int done() {
    return done.get();
  }

  /**
   * Sends letters, once.
   *
   * @param letters in their order
   * @param target the consumer that they are for; null for the one that each names
   * @param rate how many a second
   * @param time how long it may take; after that no letter is begun
   * @return each letter with its outcome
   */
  public List<Sent> run(
      List<DeadLetter> letters, @Nullable String target, int rate, Duration time) {
    publisher.start(new Listener());
    long pause = TimeUnit.SECONDS.toNanos(1) / rate;
    long begun = System.nanoTime();
    long next = begun;
    List<Sent> sent = new ArrayList<>();
    boolean goesOn = true;
    for (DeadLetter letter : letters) {
      await(new CountDownLatch(1), next - System.nanoTime());
      next = Math.max(next, System.nanoTime() - TimeUnit.SECONDS.toNanos(1)) + pause;
      long left = time.toNanos() - (System.nanoTime() - begun);
      goesOn = goesOn && left > 0 && !Thread.currentThread().isInterrupted();
      Sent one = goesOn ? send(letter, target, left) : new Sent(letter, Outcome.LEFT, null);
      goesOn = goesOn && one.note() == null;
      sent.add(one);
    }
    return sent;
  }

  private Sent send(DeadLetter letter, @Nullable String target, long mostNanos) {
    String consumer = target == null ? letter.consumer() : target;
    String failure = send(letter, consumer, done.get() + 1, mostNanos);
    String unnoted = note(letter, failure);
    if (failure != null) {
      return new Sent(letter, Outcome.FAILED, failure);
    }
    done.incrementAndGet();
    return new Sent(letter, Outcome.SENT, unnoted == null ? remove(letter) : unnoted);
  }

  private @Nullable String note(DeadLetter letter, @Nullable String failure) {
    String note = failure == null ? letter.place() : letter.place() + ": " + failure;
    try {
      admin.record(
          new AuditNote(DeadLetterSearch.VERB, letter.eventId(), name, failure == null, note), by);
      return null;
    } catch (StoreException e) {
      return "it was sent, but the audit could not be written, so the dead letter stays: "
          + e.getMessage()
          + "; repeat the command when the database answers: the inbox drops the copy";
    }
  }

  /** After the audit, since the queue may have taken the letter back meanwhile. */
  private @Nullable String remove(DeadLetter letter) {
    try {
      reader.remove(letter.delivery());
      return null;
    } catch (DeadLetterAccessException e) {
      return "it was sent, but it and all later dead letters stay in the queue: "
          + e.getMessage()
          + "; a queue takes unacknowledged messages back after half an hour (consumer_timeout)."
          + " Repeat the command with a smaller --limit: the inbox drops the copy";
    }
  }

  private @Nullable String send(
      DeadLetter letter, @Nullable String target, long sendId, long mostNanos) {
    DeadLetter.Original original = letter.original();
    if (original == null) {
      return unreadable(letter.missing());
    }
    if (target == null) {
      return "the dead letter does not name its consumer; name the one that is to handle it with"
          + " --for";
    }
    long limit = Math.min(publisher.deliveryTimeout().plus(MARGIN).toNanos(), mostNanos);
    // Kafka's client connects by itself when something is sent.
    if (broker.transport() == Transport.RABBITMQ && !await(available, limit)) {
      return "the broker takes no messages";
    }
    publisher.send(
        DeadLetterDecoder.again(
            letter, original, target, home(letter.source()), sendId, Instant.now()));
    publisher.flush();
    Confirmation confirmation = confirmation(limit);
    if (confirmation instanceof Confirmation.Confirmed) {
      return null;
    }
    return confirmation instanceof Confirmation.NotConfirmed failed
        ? failed.reason()
            + ": "
            + failed.detail()
            + (failed.copyPossible() ? "; it may have arrived" : "")
        : "no outcome in time; it may have arrived";
  }

  /** Straight to the topic or queue that it came from, past all other consumers. */
  private Destination home(String source) {
    return broker.transport() == Transport.KAFKA
        ? Destination.topic(source)
        : Destination.exchange("", source);
  }

  private static String unreadable(DeadLetter.@Nullable Missing missing) {
    return missing == null
        ? "the dead letter has no readable original"
        : ("the dead letter was sent without its body of %d bytes (SHA-256 %s), which was too"
                + " large; the original is at %s for as long as its topic keeps it: publish the"
                + " event again from its outbox, or copy it from there")
            .formatted(missing.length(), missing.sha256(), missing.place());
  }

  private @Nullable Confirmation confirmation(long limitNanos) {
    try {
      return confirmations.poll(limitNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** False as well for a thread that is interrupted: it begins no further letter. */
  private static boolean await(CountDownLatch latch, long nanos) {
    try {
      return latch.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    publisher.close();
  }

  private final class Listener implements PublisherListener {
    @Override
    public void onConfirmation(Confirmation confirmation) {
      confirmations.add(confirmation);
    }

    @Override
    public void unavailable(String reason) {
      // The next send says it.
    }

    @Override
    public void available() {
      available.countDown();
    }

    @Override
    public void failed(Throwable cause) {
      // Without its outcome the next letter is told to be unknown.
    }
  }
}
