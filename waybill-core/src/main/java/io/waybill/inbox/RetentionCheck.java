package io.waybill.inbox;

import io.waybill.broker.Subscriber;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, once, how long processed events are remembered with how long the broker keeps messages.
 * Thread-safe.
 */
final class RetentionCheck {
  private static final Logger log = LoggerFactory.getLogger(Inbox.class);

  private final String inbox;
  private final Subscriber subscriber;
  private final Duration window;
  private final Consumer<InboxEvent> told;
  private final AtomicBoolean begun = new AtomicBoolean();

  RetentionCheck(String inbox, Subscriber subscriber, Duration window, Consumer<InboxEvent> told) {
    this.inbox = inbox;
    this.subscriber = subscriber;
    this.window = window;
    this.told = told;
  }

  /** Asks on a thread of its own, for the broker may be slow to answer. */
  void begin() {
    if (begun.compareAndSet(false, true)) {
      Thread thread = new Thread(this::compare, "waybill-" + inbox + "-retention");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void compare() {
    try {
      subscriber
          .retention()
          .forEach(
              (source, retention) -> {
                if (window.compareTo(retention) <= 0) {
                  told.accept(new InboxEvent.WindowTooShort(source, retention, window));
                }
              });
    } catch (RuntimeException e) {
      log.debug("inbox {}: how long the broker keeps messages is not known", inbox, e);
    }
  }
}
