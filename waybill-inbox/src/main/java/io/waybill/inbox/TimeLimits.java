package io.waybill.inbox;

import io.waybill.policy.InboxSettings;
import io.waybill.store.InboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of an inbox, and whether they fit together.
 *
 * @param handlerTimeout how long a handler may take
 * @param dedupeWindow how long processed events are remembered
 * @param brokerRetention how long the broker keeps messages; zero if that is not known
 */
record TimeLimits(Duration handlerTimeout, Duration dedupeWindow, Duration brokerRetention) {
  /** One sentence for each limit that does not fit. */
  List<String> problems(@Nullable InboxStore store, InboxSettings settings) {
    List<String> found = new ArrayList<>();
    if (handlerTimeout.isNegative() || handlerTimeout.isZero()) {
      found.add("handlerTimeout must be more than zero, is " + handlerTimeout);
    }
    if (store != null) {
      store.statementLimit().ifPresent(limit -> withinStatement(found, limit));
    }
    longerThan(found, "the longest retry", settings.longestRetry());
    longerThan(found, "brokerRetention", brokerRetention);
    Duration claim = settings.deferred().claim();
    if (claim.compareTo(handlerTimeout.multipliedBy(2)) < 0) {
      found.add(
          "the claim of deferred events must be at least twice handlerTimeout ("
              + handlerTimeout
              + "), is "
              + claim);
    }
    return found;
  }

  private void withinStatement(List<String> found, Duration limit) {
    if (handlerTimeout.compareTo(limit) >= 0) {
      found.add(
          "handlerTimeout must be less than the statement limit of the store ("
              + limit
              + "), after which the database ends a handler's transaction, is "
              + handlerTimeout);
    }
  }

  private void longerThan(List<String> found, String what, Duration least) {
    if (dedupeWindow.compareTo(least) <= 0) {
      found.add(
          "dedupeWindow must be longer than " + what + " (" + least + "), is " + dedupeWindow);
    }
  }
}
