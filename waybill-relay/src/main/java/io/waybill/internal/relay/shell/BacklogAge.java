package io.waybill.internal.relay.shell;

import io.waybill.internal.work.Ticker;
import io.waybill.observe.RelayEvent;
import io.waybill.store.LaneStore;
import io.waybill.store.StoreException;
import io.waybill.store.Tally;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the outbox stands as a whole, whoever owns its lanes and whatever the broker does: asked of
 * the database, since the relay knows only what it has read. It decides nothing. {@link #look} is
 * for one thread, {@link #oldestMillis} for any.
 */
final class BacklogAge {
  private static final Logger LOG = LoggerFactory.getLogger(BacklogAge.class);
  private static final long INTERVAL_NANOS = 15_000_000_000L;
  private static final long LONGEST_NANOS = 300_000_000_000L;
  private static final int MOST = 100_000;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final String relay;
  private final Ticker ticker;
  private final Consumer<RelayEvent> listener;
  private long lookAt;
  private long pause = INTERVAL_NANOS;
  private boolean counts = true;
  private volatile Look last;

  /** What the last answer was, and whether a later look went unanswered. */
  private record Look(long atNanos, long oldestMillis, boolean unanswered) {}

  BacklogAge(String relay, Ticker ticker, Consumer<RelayEvent> listener) {
    this.relay = relay;
    this.ticker = ticker;
    this.listener = listener;
    this.lookAt = ticker.nanos();
    this.last = new Look(lookAt, 0, false);
  }

  /** Asks if it is time; the numbers at every second time. */
  void look(LaneStore lanes) {
    long now = ticker.nanos();
    if (now - lookAt < 0) {
      return;
    }
    try {
      last = new Look(now, lanes.oldestUnpublishedMillis(), false);
      if (counts) {
        Tally tally = lanes.tally(MOST);
        listener.accept(new RelayEvent.Backlog(tally.parked(), tally.dead(), tally.held(), MOST));
      }
      counts = !counts;
      pause = INTERVAL_NANOS;
    } catch (StoreException e) {
      if (!last.unanswered) {
        LOG.warn(
            "relay {}: the number and age of waiting events are not known for now; next query in {}"
                + " s, later at most every five minutes",
            relay,
            pause / (1_000 * NANOS_PER_MILLI),
            e);
      }
      last = new Look(last.atNanos, last.oldestMillis, true);
      pause = Math.min(2 * pause, LONGEST_NANOS);
    }
    lookAt = ticker.nanos() + pause;
  }

  /**
   * Age of the oldest event that waits. Between two looks it grows only where the event has waited
   * for longer than that: of a younger one it is not known whether it still does.
   */
  long oldestMillis() {
    Look known = last;
    boolean grows =
        known.oldestMillis * NANOS_PER_MILLI >= INTERVAL_NANOS
            || (known.unanswered && known.oldestMillis > 0);
    return grows
        ? known.oldestMillis + (ticker.nanos() - known.atNanos) / NANOS_PER_MILLI
        : known.oldestMillis;
  }
}
