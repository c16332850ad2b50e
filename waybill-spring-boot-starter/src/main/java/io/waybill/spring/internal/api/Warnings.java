package io.waybill.spring.internal.api;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells failures of an outbox, at most once a minute: who asks again need not fill the log. */
final class Warnings {
  private static final Logger LOG = LoggerFactory.getLogger(Warnings.class);
  private static final long BETWEEN = TimeUnit.MINUTES.toNanos(1);

  private final String outbox;
  private final AtomicLong silentUntil = new AtomicLong(System.nanoTime());

  Warnings(String outbox) {
    this.outbox = outbox;
  }

  /**
   * Tells a failure.
   *
   * @param what what it keeps from being done
   * @param cause the failure
   * @param next what happens next
   */
  void warn(String what, RuntimeException cause, String next) {
    long now = System.nanoTime();
    long until = silentUntil.get();
    LOG.debug("outbox {}: {}", outbox, what, cause);
    if (now - until >= 0 && silentUntil.compareAndSet(until, now + BETWEEN)) {
      Throwable deeper = cause.getCause();
      String why = cause.getMessage() + (deeper == null ? "" : ": " + deeper.getMessage());
      LOG.warn("outbox {}: {}: {}; {}", outbox, what, why, next);
    }
  }
}
