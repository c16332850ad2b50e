package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes through bindings of Spring Cloud Stream: a destination's target is the name of a
 * binding. A send is confirmed by what the binder's client was told by the broker, never by the
 * return of {@code StreamBridge.send}.
 *
 * <p>Binders do not stop a key after a failure, so one send of a key is in flight at a time. The
 * sends of one binding are handed over by one thread of a fixed number; a slow binding holds up
 * those that share its thread, and others only if {@code StreamBridge} does: it creates bindings
 * one after the other.
 */
final class StreamPublisher implements Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(StreamPublisher.class);
  private static final long LOOK_MILLIS = 100;

  /** Destinations that can be slow without holding up others, if they don't share a lane. */
  private static final int LANES = 32;

  private final Bridge bridge;
  private final Duration deliveryTimeout;
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private final Lanes lanes = new Lanes(LANES);
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "waybill-cloud-stream-clock");
            thread.setDaemon(true);
            return thread;
          });
  private volatile @Nullable PublisherListener listener;
  private volatile boolean closed;
  private @Nullable BrokerProbe watch;

  StreamPublisher(Bridge bridge, Duration deliveryTimeout) {
    this.bridge = bridge;
    this.deliveryTimeout = deliveryTimeout;
  }

  @Override
  public String toString() {
    return "the bindings of Spring Cloud Stream";
  }

  @Override
  public synchronized void start(PublisherListener told) {
    if (closed || listener != null) {
      throw new IllegalStateException("start: only once, and before close");
    }
    listener = told;
    BrokerProbe started = new BrokerProbe(bridge.bindings().byDefault(), told);
    started.start();
    watch = started;
    ScheduledFuture<?> unused =
        clock.scheduleWithFixedDelay(this::expire, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    LOG.debug("Publisher for Spring Cloud Stream started");
  }

  @Override
  public void send(Outgoing message) {
    Objects.requireNonNull(listener, "send: only after start");
    Pending send = new Pending(message, System.nanoTime() + deliveryTimeout.toNanos());
    pending.put(message.sendId(), send);
    Confirmation refused = HeaderNames.refusal(message);
    if (refused != null) {
      settle(send, refused);
      return;
    }
    lanes.run(message.destination().target(), () -> hand(send));
    if (closed) {
      settle(send, closing(send));
    }
  }

  private void hand(Pending send) {
    // What has waited too long behind others is not sent any more: its outcome is known.
    if (!pending.containsKey(send.message.sendId()) || closed) {
      return;
    }
    try {
      CompletableFuture<Confirmation> outcome = bridge.send(send.message);
      send.outcome = outcome;
      CompletableFuture<?> unused =
          outcome.whenComplete((confirmation, failure) -> finish(send, confirmation, failure));
      if (!pending.containsKey(send.message.sendId())) {
        outcome.cancel(false); // Its time was up while the binder took it.
      }
    } catch (RuntimeException | Error e) {
      settle(send, Failures.unknown(send.message, e));
    }
  }

  private void finish(
      Pending send, @Nullable Confirmation confirmation, @Nullable Throwable failure) {
    if (confirmation != null) {
      settle(send, confirmation);
    } else if (failure != null) {
      settle(send, Failures.unknown(send.message, failure));
    }
  }

  private void expire() {
    long now = System.nanoTime();
    for (Pending send : pending.values()) {
      if (now - send.deadline > 0) {
        String detail =
            "binding '%s' did not confirm within %d ms"
                .formatted(send.message.destination().target(), deliveryTimeout.toMillis());
        settle(send, new Confirmation.Unknown(send.message.sendId(), "delivery-timeout", detail));
      }
    }
  }

  /** Reports an outcome unless there was one. */
  private void settle(Pending send, Confirmation confirmation) {
    PublisherListener told = listener;
    if (pending.remove(send.message.sendId(), send) && told != null) {
      told.onConfirmation(confirmation);
      CompletableFuture<Confirmation> outcome = send.outcome;
      if (outcome != null) {
        outcome.cancel(false);
      }
    }
  }

  private static Confirmation closing(Pending send) {
    return new Confirmation.Unknown(
        send.message.sendId(), "closed", "the publisher was closed before the outcome came");
  }

  @Override
  public int maxInFlightPerKey() {
    return 1;
  }

  @Override
  public Duration deliveryTimeout() {
    return deliveryTimeout;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    BrokerProbe watching = watch;
    if (watching != null) {
      watching.close();
    }
    clock.shutdownNow();
    lanes.close();
    pending.values().forEach(send -> settle(send, closing(send)));
    LOG.info("Publisher for Spring Cloud Stream closed");
  }

  /** A send without outcome. */
  private static final class Pending {
    private final Outgoing message;
    private final long deadline;
    private volatile @Nullable CompletableFuture<Confirmation> outcome;

    private Pending(Outgoing message, long deadline) {
      this.message = message;
      this.deadline = deadline;
    }
  }
}
