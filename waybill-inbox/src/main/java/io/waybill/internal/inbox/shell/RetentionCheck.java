package io.waybill.internal.inbox.shell;

import io.waybill.broker.Subscriber;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, once, how long processed events are remembered with how long the broker keeps messages.
 * A window of the same length is long enough: {@link StoreThread#SLACK} is added to it.
 * Thread-safe.
 */
final class RetentionCheck {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);

  private final String inbox;
  private final Subscriber subscriber;
  private final Duration window;
  private final Consumer<InboxEvent> told;
  // How often it was to be asked, 0 while nobody asks and nothing was answered.
  private final AtomicInteger wanted = new AtomicInteger();
  private volatile boolean closed;

  RetentionCheck(String inbox, Subscriber subscriber, Duration window, Consumer<InboxEvent> told) {
    this.inbox = inbox;
    this.subscriber = subscriber;
    this.window = window;
    this.told = told;
  }

  /**
   * Asks on a thread of its own, for the broker may be slow to answer. If it did not answer, the
   * next call asks again.
   */
  void begin() {
    if (wanted.getAndIncrement() == 0) {
      Thread thread = new Thread(this::ask, "waybill-" + inbox + "-retention");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Whoever waits for an answer has no use for one any more. */
  void close() {
    closed = true;
  }

  private void ask() {
    int calls;
    do {
      calls = wanted.get();
    } while (!isAnswered() && !wanted.compareAndSet(calls, 0));
  }

  private boolean isAnswered() {
    if (closed) {
      return true;
    }
    try {
      compare(subscriber.retention());
      return true;
    } catch (RuntimeException e) {
      log.debug(
          "inbox {}: how long the broker keeps messages is not known; the inbox asks again when the"
              + " broker is next available",
          inbox,
          e);
      return false;
    }
  }

  private void compare(Map<String, Duration> known) {
    known.forEach(
        (source, retention) -> {
          if (!closed && window.compareTo(retention) < 0) {
            told.accept(new InboxEvent.WindowTooShort(source, retention, window));
          }
        });
  }
}
