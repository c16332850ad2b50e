package io.waybill.internal.inbox.shell;

import io.waybill.internal.inbox.attempt.HandlerCall;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lanes that leave, and whoever waits until their running handlers have ended. Thread-safe. */
final class Revocations {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);

  private final String inbox;
  private final Duration limit;
  private final Map<Long, CountDownLatch> leaving = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  Revocations(String inbox, Duration limit) {
    this.inbox = inbox;
    this.limit = limit;
  }

  /** Returns its number. */
  long begin() {
    long number = numbers.incrementAndGet();
    leaving.put(number, new CountDownLatch(1));
    return number;
  }

  /** Nothing of it is running any more. */
  void quiet(long number) {
    CountDownLatch latch = leaving.remove(number);
    if (latch != null) {
      latch.countDown();
    }
  }

  /** Waits until it is quiet, or its time is over. */
  void await(long number, Set<String> lanes) {
    CountDownLatch latch = leaving.get(number);
    try {
      if (latch != null && !latch.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn(
            "inbox {}: handlers of lanes {} did not end within {}; their events are redelivered"
                + " elsewhere and still applied only once",
            inbox,
            lanes,
            limit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
