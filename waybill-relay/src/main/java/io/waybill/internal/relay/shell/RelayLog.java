package io.waybill.internal.relay.shell;

import io.waybill.internal.observe.LogFields;
import io.waybill.internal.work.Ticker;
import io.waybill.message.TraceContext;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.Failure;
import io.waybill.observe.RelayListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Writes a relay's life to its log: life cycle at INFO, what needs an eye at WARN. */
final class RelayLog implements RelayListener {
  /** The logger of a relay, as configurations of logging name it. */
  static final String LOGGER = "io.waybill.relay.Relay";

  private static final Logger log = LoggerFactory.getLogger(LOGGER);

  private final String relay;
  // Operations that failed last time: only the first failure of a row of failures is a WARN.
  private final Map<String, Boolean> failing = new ConcurrentHashMap<>();
  private final RepeatedFailures repeated;
  private volatile boolean anyPublished;

  RelayLog(String relay, Ticker ticker) {
    this.relay = relay;
    this.repeated = new RepeatedFailures(ticker);
  }

  @Override
  public void on(RelayEvent event) {
    if (event instanceof RelayEvent.Published published) {
      published(published);
    } else if (event instanceof RelayEvent.Retried retried) {
      about(retried.failure(), event);
    } else if (event instanceof RelayEvent.Parked parked) {
      about(parked.failure(), event);
    } else if (event instanceof RelayEvent.Dead dead) {
      about(dead.failure(), event);
    } else if (event instanceof RelayEvent.StoreRecovered recovered) {
      recovered(recovered.operation());
    } else if (event instanceof RelayEvent.StoreFailed failed) {
      storeFailed(failed);
    } else if (event instanceof RelayEvent.Unsettled unsettled) {
      LogFields.around(unsettled.eventId(), null, null, () -> unsettled(unsettled));
    } else if (event instanceof RelayEvent.ManyKeysBlocked many) {
      manyBlocked(many);
    } else if (event instanceof RelayEvent.Gauges) {
      // Told every second.
      repeated.due().forEach(this::summary);
    } else {
      lifeCycle(event);
    }
  }

  private void about(Failure failure, RelayEvent event) {
    String trace = TraceContext.traceId(failure.traceparent());
    LogFields.around(failure.eventId(), failure.eventType(), trace, () -> failure(event));
  }

  private static void around(RelayEvent.Published published, Consumer<String> line) {
    String trace = TraceContext.traceId(published.traceparent());
    LogFields.around(
        published.eventId(),
        published.eventType(),
        trace,
        () -> line.accept(LogFields.named(published.eventId(), trace)));
  }

  private void published(RelayEvent.Published published) {
    // Asked first: this is called for every event.
    if (!anyPublished) {
      anyPublished = true;
      around(
          published,
          event ->
              log.info(
                  "relay {} has published its first {} to {}; further events are logged at DEBUG and"
                      + " counted in the metrics",
                  relay,
                  event,
                  published.destination()));
    } else if (log.isDebugEnabled()) {
      around(
          published,
          event -> log.debug("relay {} published {} to {}", relay, event, published.destination()));
    }
  }

  private void lifeCycle(RelayEvent event) {
    if (event instanceof RelayEvent.Started) {
      log.debug("relay {} started", relay);
    } else if (event instanceof RelayEvent.Joined joined) {
      log.info("relay {} joined with fence {}", relay, joined.fence());
    } else if (event instanceof RelayEvent.Ended) {
      repeated.rest().forEach(this::summary);
    } else if (event instanceof RelayEvent.Left) {
      log.info("relay {} left; everything is settled", relay);
    } else if (event instanceof RelayEvent.LanesChanged lanes) {
      log.info("relay {} owns {} lanes", relay, lanes.owned());
    } else if (event instanceof RelayEvent.TakenOver taken) {
      takenOver(taken);
    } else if (event instanceof RelayEvent.SessionLost lost) {
      log.warn(
          "relay {}: {}; the relay reads all its lanes from the start in a new session, and events"
              + " in flight may be published twice",
          relay,
          lost.reason());
    } else if (event instanceof RelayEvent.Fenced fenced) {
      log.warn(
          "relay {} was fenced with {} rows in flight: their new owners publish them again, and"
              + " this relay joins again",
          relay,
          fenced.lostRows());
    } else if (event instanceof RelayEvent.BreakerChanged breaker) {
      breaker(breaker);
    } else if (event instanceof RelayEvent.PublisherUnavailable unavailable) {
      log.warn(
          "relay {}: the broker accepts no messages ({}); sending resumes when it does",
          relay,
          unavailable.reason());
    } else if (event instanceof RelayEvent.PublisherAvailable) {
      log.info("relay {}: the broker accepts messages", relay);
    }
  }

  private void takenOver(RelayEvent.TakenOver dead) {
    log.info(
        "relay {}: relay {} (fence {}) is dead: {}; it was last seen alive {} ms ago, and its {}"
            + " lanes go to the relays that live",
        relay,
        dead.relay(),
        dead.fence(),
        dead.sessionEnded()
            ? "its session with the database has ended"
            : "it did not renew its lease",
        dead.silentMillis(),
        dead.lanes());
  }

  private void breaker(RelayEvent.BreakerChanged breaker) {
    if (breaker.state() == RelayEvent.BreakerState.CLOSED) {
      log.info(
          "relay {}: events flow to destination {} ({})",
          relay,
          breaker.destination(),
          breaker.reason());
    } else {
      log.warn(
          "relay {}: destination {} is {} ({}); its events wait, without using up attempts",
          relay,
          breaker.destination(),
          breaker.state(),
          breaker.reason());
    }
  }

  private void failure(RelayEvent event) {
    if (event instanceof RelayEvent.Retried retried) {
      log.debug(
          "relay {}: {} failed: {}; next attempt in {} ms",
          relay,
          named(retried.failure()),
          retried.failure().reason(),
          retried.delayMillis());
    } else if (event instanceof RelayEvent.Parked parked) {
      ended(
          "parked",
          parked.failure(),
          parked.failure().keyed()
              ? "; its key waits until an operator retries, skips or buries it"
              : "; it waits until an operator retries, skips or buries it");
    } else if (event instanceof RelayEvent.Dead dead) {
      ended("dead", dead.failure(), dead.failure().keyed() ? "; its key continues" : "");
    }
  }

  private void ended(String end, Failure failure, String what) {
    log.atLevel(repeated.isFirst(end, failure) ? Level.WARN : Level.DEBUG)
        .log(
            "relay {}: {} is {} after {} attempts: {}{}",
            relay,
            named(failure),
            end,
            failure.attempts(),
            failure.reason(),
            what);
  }

  private void summary(RepeatedFailures.Summary summary) {
    RepeatedFailures.Cause cause = summary.cause();
    boolean one = summary.events() == 1;
    log.warn(
        "relay {}: {} more {}{} {} {} for {}, the latest is {}; the list of events has the reason"
            + " of each",
        relay,
        summary.events(),
        one ? "event" : "events",
        cause.destination().isEmpty() ? "" : " to " + cause.destination(),
        one ? "is" : "are",
        cause.end(),
        cause.reason(),
        named(summary.latest()));
  }

  private static String named(Failure failure) {
    String to = failure.destination().isEmpty() ? "" : " to " + failure.destination();
    return LogFields.named(failure.eventId(), TraceContext.traceId(failure.traceparent())) + to;
  }

  private void unsettled(RelayEvent.Unsettled unsettled) {
    log.warn(
        "relay {}: the result of event {} could not be written for {} s: {}; the relay tries again"
            + " every two seconds, and nothing else waits for it",
        relay,
        unsettled.eventId(),
        unsettled.waitedMillis() / 1000,
        unsettled.reason());
  }

  private void manyBlocked(RelayEvent.ManyKeysBlocked many) {
    log.warn(
        "relay {}: {} keys are blocked beyond the {} that are kept in full; they take {} KB of"
            + " memory, and their events wait in the database until they are unblocked",
        relay,
        many.others(),
        many.atHand(),
        many.bytes() >> 10);
  }

  private void storeFailed(RelayEvent.StoreFailed failed) {
    if (failing.put(failed.operation(), Boolean.TRUE) == null) {
      log.warn(
          "relay {}: {} failed: {}; the relay repeats it until it succeeds",
          relay,
          failed.operation(),
          failed.reason());
    }
  }

  private void recovered(String operation) {
    if (failing.remove(operation) != null) {
      failing.clear();
      log.info("relay {}: the database answers again", relay);
    }
  }
}
