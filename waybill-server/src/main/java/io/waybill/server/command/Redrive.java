package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Instruction;
import io.waybill.broker.Confirmation;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.message.Transport;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.time.Instant;
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
final class Redrive implements AutoCloseable {
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final StandaloneOutbox outbox;
  private final Admin admin;
  private final DeadLetterReader reader;
  private final String name;
  private final Instruction by;
  private final Publisher publisher;
  private final LinkedBlockingQueue<Confirmation> confirmations = new LinkedBlockingQueue<>();
  private final AtomicInteger done = new AtomicInteger();
  private final CountDownLatch available = new CountDownLatch(1);

  /**
   * What became of it.
   *
   * @param done letters that were sent again
   * @param failure why the next could not be, or null
   */
  record Result(int done, @Nullable String failure) {}

  Redrive(
      StandaloneOutbox outbox, Admin admin, DeadLetterReader reader, String name, Instruction by) {
    this.outbox = outbox;
    this.admin = admin;
    this.reader = reader;
    this.name = name;
    this.by = by;
    this.publisher = outbox.publisher();
  }

  /** How many were sent again so far; for any thread. */
  int done() {
    return done.get();
  }

  Result run(List<DeadLetter> letters, @Nullable String target, int rate) {
    publisher.start(new Listener());
    long pause = TimeUnit.SECONDS.toNanos(1) / rate;
    long next = System.nanoTime();
    for (DeadLetter letter : letters) {
      await(new CountDownLatch(1), next - System.nanoTime());
      next = Math.max(next, System.nanoTime() - TimeUnit.SECONDS.toNanos(1)) + pause;
      String failure = send(letter, target == null ? letter.consumer() : target, done.get() + 1);
      String unnoted = note(letter, failure);
      if (failure != null) {
        return new Result(done.get(), letter.eventId() + ": " + failure);
      }
      done.incrementAndGet();
      String kept = unnoted == null ? remove(letter) : unnoted;
      if (kept != null) {
        return new Result(done.get(), letter.eventId() + ": " + kept);
      }
    }
    return new Result(done.get(), null);
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

  private @Nullable String send(DeadLetter letter, @Nullable String target, long sendId) {
    DeadLetter.Original original = letter.original();
    if (original == null) {
      return unreadable(letter.missing());
    }
    if (target == null) {
      return "the dead letter does not name its consumer; name the one that is to handle it with"
          + " --for";
    }
    long limit = publisher.deliveryTimeout().plus(MARGIN).toNanos();
    // Kafka's client connects by itself when something is sent.
    if (outbox.transport() == Transport.RABBITMQ && !await(available, limit)) {
      return "the broker takes no messages";
    }
    publisher.send(
        DeadLetterDecoder.again(
            letter, original, target, outbox.home(letter.source()), sendId, Instant.now()));
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
      throw interrupted();
    }
  }

  private static boolean await(CountDownLatch latch, long nanos) {
    try {
      return latch.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static CommandFailure interrupted() {
    Thread.currentThread().interrupt();
    return new CommandFailure(
        ExitCode.FINDINGS, "Interrupted; dead letters already sent stay sent");
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
