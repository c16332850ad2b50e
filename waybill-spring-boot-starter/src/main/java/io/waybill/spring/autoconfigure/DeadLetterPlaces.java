package io.waybill.spring.autoconfigure;

import io.waybill.observe.Finding;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import io.waybill.spring.internal.keys.Problems;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the places of dead letters again that have gone, or that could not be made at the start:
 * whenever the broker comes back, and when a letter could not be sent. Thread-safe.
 */
final class DeadLetterPlaces implements InboxListener {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterPlaces.class);
  private static final long PAUSE_NANOS = Duration.ofSeconds(2).toNanos();

  private final String consumer;
  private final Supplier<List<Finding>> make;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile long last = System.nanoTime() - PAUSE_NANOS;
  private volatile String told = "";

  /** Makes them by a call that takes some seconds when the broker does not answer. */
  DeadLetterPlaces(String consumer, Supplier<List<Finding>> make) {
    this.consumer = consumer;
    this.make = make;
  }

  @Override
  public void on(InboxEvent event) {
    boolean due =
        event instanceof InboxEvent.SubscriberAvailable
            || event instanceof InboxEvent.DeadLetterFailed;
    if (due && System.nanoTime() - last >= PAUSE_NANOS && busy.compareAndSet(false, true)) {
      // The inbox does not wait for it.
      Thread thread = new Thread(this::see, "waybill-" + consumer + "-dead-letters");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void see() {
    try {
      String found = make.get().stream().map(Problems::text).collect(Collectors.joining("; "));
      if (!found.isEmpty() && !found.equals(told)) {
        LOG.warn("{}; the inbox tries again when it cannot send the next dead letter", found);
      }
      told = found;
    } catch (RuntimeException e) {
      LOG.warn(
          "Places for dead letters could not be created; the inbox tries again at the next dead"
              + " letter",
          e);
    } finally {
      last = System.nanoTime();
      busy.set(false);
    }
  }
}
