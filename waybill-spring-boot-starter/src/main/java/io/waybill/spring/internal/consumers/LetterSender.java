package io.waybill.spring.internal.consumers;

import io.waybill.broker.Broker;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends dead letters to where they came from, one after the other. Nothing more may be sent after a
 * failure: what came of that one may still arrive. Used by one thread.
 */
final class LetterSender implements AutoCloseable {
  // Less than a job waits for its runner.
  private static final long LIMIT_NANOS = Duration.ofSeconds(10).toNanos();

  private final Broker broker;
  private final LinkedBlockingQueue<Confirmation> confirmations = new LinkedBlockingQueue<>();
  private final CountDownLatch available = new CountDownLatch(1);
  private @Nullable Publisher publisher;
  private long sendId;

  LetterSender(Broker broker) {
    this.broker = broker;
  }

  /** Why a letter cannot be sent, or null. */
  static @Nullable String hindrance(DeadLetter letter, @Nullable String consumer) {
    if (letter.original() == null) {
      return unreadable(letter.missing());
    }
    return consumer == null
        ? "the dead letter does not name its consumer; name the one that is to handle it with --for"
        : null;
  }

  private static String unreadable(DeadLetter.@Nullable Missing missing) {
    return missing == null
        ? "the dead letter has no readable original"
        : ("the dead letter was sent without its body of %d bytes (SHA-256 %s), which was too"
                + " large; the original is at %s for as long as its topic keeps it: publish the"
                + " event again from its outbox, or copy it from there")
            .formatted(missing.length(), missing.sha256(), missing.place());
  }

  /**
   * Sends a letter that nothing hinders.
   *
   * @return why the broker has not confirmed it within ten seconds, or null if it has
   */
  @Nullable String send(DeadLetter letter, DeadLetter.Original original, String consumer) {
    Publisher publisher = started();
    // Kafka's client connects by itself when something is sent.
    if (broker.transport() == Transport.RABBITMQ && !await()) {
      return "the broker takes no messages";
    }
    publisher.send(
        DeadLetterDecoder.again(
            letter, original, consumer, home(letter.source()), ++sendId, Instant.now()));
    publisher.flush();
    Confirmation confirmation = confirmation();
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

  private Publisher started() {
    Publisher known = publisher;
    if (known == null) {
      known = broker.publisher();
      publisher = known;
      known.start(new Listener());
    }
    return known;
  }

  /** Straight to the topic or queue that it came from, past all other consumers. */
  private Destination home(String source) {
    return broker.transport() == Transport.KAFKA
        ? Destination.topic(source)
        : Destination.exchange("", source);
  }

  private @Nullable Confirmation confirmation() {
    try {
      return confirmations.poll(LIMIT_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private boolean await() {
    try {
      return available.await(LIMIT_NANOS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    if (publisher != null) {
      publisher.close();
    }
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
      // Without its outcome the next letter counts as unknown.
    }
  }
}
