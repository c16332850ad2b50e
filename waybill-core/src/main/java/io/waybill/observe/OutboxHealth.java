package io.waybill.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges from a relay's events whether it makes progress: a process that is up and does nothing is
 * not ready. A relay that waits for its database or broker is not ready, but not dead either.
 * Thread-safe.
 */
public final class OutboxHealth implements RelayListener {
  private final String outbox;
  private final HealthLimits limits;
  private final LongSupplier nanos;
  private volatile long turned;
  private volatile long viewed;
  private volatile long progressed;
  private volatile boolean running;
  private volatile boolean member;
  private volatile boolean busy;
  private volatile @Nullable String brokerProblem;
  private volatile @Nullable String storeProblem;
  private volatile String waitsFor = "it has not started yet";
  private final Map<String, Failing> failing = new ConcurrentHashMap<>();

  private record Failing(long since, long last, String reason) {}

  /**
   * Starts judging.
   *
   * @param outbox name of the outbox
   * @param limits how long the relay may show no progress
   * @param nanos monotonic clock, nanoseconds
   */
  public OutboxHealth(String outbox, HealthLimits limits, LongSupplier nanos) {
    this.outbox = outbox;
    this.limits = limits;
    this.nanos = nanos;
    long now = nanos.getAsLong();
    turned = now;
    viewed = now;
    progressed = now;
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.Published || isFailure(event)) {
      progressed = nanos.getAsLong();
    } else if (event instanceof RelayEvent.Gauges gauges) {
      gauges(gauges);
    } else if (event instanceof RelayEvent.LanesViewed || event instanceof RelayEvent.Joined) {
      viewed = nanos.getAsLong();
      member = true;
      storeProblem = null;
    } else if (event instanceof RelayEvent.Fenced || event instanceof RelayEvent.Left) {
      member = false;
    } else if (event instanceof RelayEvent.StoreFailed failed) {
      storeFailed(failed);
    } else if (event instanceof RelayEvent.StoreRecovered recovered) {
      failing.remove(recovered.operation());
    } else if (event instanceof RelayEvent.PublisherUnavailable unavailable) {
      brokerProblem = unavailable.reason();
    } else if (event instanceof RelayEvent.PublisherAvailable) {
      brokerProblem = null;
    } else {
      life(event);
    }
  }

  private void life(RelayEvent event) {
    if (event instanceof RelayEvent.Started) {
      turned = nanos.getAsLong();
      progressed = turned;
      busy = false;
      running = true;
    } else if (event instanceof RelayEvent.Waiting waiting) {
      waitsFor = waiting.reason();
    } else if (event instanceof RelayEvent.Ended ended) {
      running = false;
      member = false;
      brokerProblem = null;
      storeProblem = null;
      failing.clear();
      waitsFor = ended.failure() == null ? "it was stopped" : "it has failed: " + ended.failure();
    }
  }

  private void storeFailed(RelayEvent.StoreFailed failed) {
    storeProblem = failed.operation() + ": " + failed.reason();
    long now = nanos.getAsLong();
    failing.compute(
        failed.operation(),
        (name, before) ->
            new Failing(
                before == null || isOver(before) ? now : before.since, now, failed.reason()));
  }

  /**
   * The reasons why the relay's own thread seems dead. A relay that does not run yet, or is being
   * started again, is not dead.
   *
   * @return reasons, empty if it is alive
   */
  public List<String> dead() {
    return running && silent(turned, limits.alive())
        ? List.of(outbox + ": the relay's thread gave no sign of life for " + seconds(turned))
        : List.of();
  }

  /**
   * The reasons why the relay makes no progress.
   *
   * @return reasons, empty if it does
   */
  public List<String> unready() {
    if (!running) {
      return List.of(outbox + ": the relay is not running: " + waitsFor);
    }
    List<String> reasons = new ArrayList<>(dead());
    String store = storeProblem;
    if (!member) {
      reasons.add(outbox + ": not a member of the outbox" + because(store));
    } else if (silent(viewed, limits.database())) {
      reasons.add(outbox + ": no answer from the database for " + seconds(viewed) + because(store));
    } else {
      failing.forEach(
          (operation, failure) -> {
            if (silent(failure.since, limits.database()) && !isOver(failure)) {
              reasons.add(
                  outbox
                      + ": every "
                      + operation
                      + " of the database has been failing for "
                      + seconds(failure.since)
                      + because(failure.reason));
            }
          });
    }
    String broker = brokerProblem;
    if (broker != null) {
      reasons.add(outbox + ": the broker accepts no messages" + because(broker));
    }
    if (busy && silent(progressed, limits.progress())) {
      reasons.add(
          outbox + ": events are in flight, but none has finished for " + seconds(progressed));
    }
    return reasons;
  }

  /** Not tried any more: what it was for is no longer wanted. */
  private boolean isOver(Failing failure) {
    return silent(failure.last, limits.database().multipliedBy(3));
  }

  private void gauges(RelayEvent.Gauges gauges) {
    long now = nanos.getAsLong();
    turned = now;
    boolean inFlight = gauges.inFlightRows() > 0 || gauges.unsettledRows() > 0;
    if (!inFlight || !busy) {
      // The clock of progress starts when there is something to do.
      progressed = now;
    }
    busy = inFlight;
  }

  private static boolean isFailure(RelayEvent event) {
    return event instanceof RelayEvent.Retried
        || event instanceof RelayEvent.Parked
        || event instanceof RelayEvent.Dead;
  }

  private boolean silent(long since, Duration limit) {
    return nanos.getAsLong() - since > limit.toNanos();
  }

  private String seconds(long since) {
    return Duration.ofNanos(nanos.getAsLong() - since).toSeconds() + " s";
  }

  private static String because(@Nullable String reason) {
    return reason == null ? "" : " (" + reason + ")";
  }
}
