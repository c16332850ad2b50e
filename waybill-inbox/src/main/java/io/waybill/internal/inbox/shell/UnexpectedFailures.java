package io.waybill.internal.inbox.shell;

import io.waybill.internal.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What failed unexpectedly, until it does not matter any more: for a while nothing else has failed,
 * and nothing that was in memory by then still is. What was lost that way may be stuck for ever, so
 * it is a problem while anything may be. Used by one thread, but for {@link #problem}.
 */
final class UnexpectedFailures {
  /** Long enough for a health check to act on it. */
  static final Duration CALM = Duration.ofMinutes(10);

  private final Ticker ticker;
  private final InstantSource clock;
  private volatile @Nullable String problem;
  private @Nullable Instant since;
  private long last;
  private int times;

  UnexpectedFailures(Ticker ticker, InstantSource clock) {
    this.ticker = ticker;
    this.clock = clock;
  }

  /** Something has failed. */
  void happened(String operation) {
    Instant first = since == null ? clock.instant().truncatedTo(ChronoUnit.SECONDS) : since;
    since = first;
    last = ticker.nanos();
    times++;
    problem =
        "the inbox failed unexpectedly at %s (%d times since %s): events may be stuck until a"
                .formatted(operation, times, first)
            + " restart; the log has the error";
  }

  /**
   * Looks whether it is over.
   *
   * @param isThere whether anything is in memory that came until a time
   */
  void look(LongPredicate isThere) {
    if (since != null && ticker.nanos() - last >= CALM.toNanos() && !isThere.test(last)) {
      since = null;
      times = 0;
      problem = null;
    }
  }

  /** One sentence for an operator; null if there is none. */
  @Nullable String problem() {
    return problem;
  }
}
