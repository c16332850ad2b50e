package io.waybill.spring.autoconfigure;

import io.waybill.RetentionJob;
import io.waybill.Waybill;
import io.waybill.observe.Finding;
import io.waybill.spring.WakeUp;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of the relay, from its checks to its stop. It begins on a thread of its own: a database
 * or broker that is down delays nothing else.
 */
final class RelayRun {
  private static final Logger LOG = LoggerFactory.getLogger(RelayRun.class);
  private static final long PAUSE_SECONDS = 2;

  private final RelayParts parts;
  private final WakeUp wakeUp;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable String refusal;
  private String told = "";
  private @Nullable Waybill waybill;
  private @Nullable RetentionJob retention;

  RelayRun(RelayParts parts, WakeUp wakeUp) {
    this.parts = parts;
    this.wakeUp = wakeUp;
    this.thread = new Thread(this::run, "waybill-" + parts.name() + "-start");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Why the relay does not start, or null. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Stops; returns whether all work was settled in time. */
  boolean stop(Duration grace) {
    stopping.countDown();
    thread.interrupt();
    wakeUp.relay(null);
    return end(grace);
  }

  private void run() {
    try {
      while (!passes(check())) {
        if (stopping.await(PAUSE_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
      }
      begin();
    } catch (InterruptedException e) {
      LOG.debug("Stopped before the relay began");
    } catch (RuntimeException e) {
      refusal = String.valueOf(e.getMessage());
      LOG.error("The relay {} could not start; events stay in the outbox", parts.name(), e);
    }
  }

  /** Findings, or null if the database does not answer. */
  private @Nullable List<Finding> check() {
    try {
      return parts.check();
    } catch (StoreException e) {
      if (!e.isTransient()) {
        throw e;
      }
      Throwable cause = e.getCause();
      tell(e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()));
      return null;
    }
  }

  private boolean passes(@Nullable List<Finding> findings) {
    if (findings == null) {
      return false;
    }
    String refused =
        findings.stream()
            .filter(finding -> finding.severity() == Finding.Severity.REFUSE)
            .map(RelayRun::text)
            .collect(Collectors.joining("; "));
    if (!refused.isEmpty()) {
      tell(refused);
      return false;
    }
    refusal = null;
    findings.forEach(finding -> LOG.warn("{}; the relay starts nevertheless", text(finding)));
    return true;
  }

  /** Once for each reason, however often it is checked. */
  private void tell(String reason) {
    refusal = reason;
    if (!reason.equals(told)) {
      told = reason;
      LOG.warn("{}; the relay does not start, checked again every {} s", reason, PAUSE_SECONDS);
    }
  }

  private static String text(Finding finding) {
    return finding.check().code()
        + ": "
        + finding.subject()
        + ": "
        + finding.detail()
        + "; mend with: "
        + finding.remedy();
  }

  private synchronized void begin() {
    if (stopping.getCount() == 0) {
      return;
    }
    Waybill started = parts.start();
    waybill = started;
    retention = parts.retention();
    wakeUp.relay(started.relay()::nudge);
  }

  private synchronized boolean end(Duration grace) {
    wakeUp.relay(null);
    boolean clean = waybill == null || waybill.stop(grace);
    if (retention != null) {
      retention.close();
    }
    return clean;
  }
}
