package io.waybill.internal.inbox;

import io.waybill.handler.Registration;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.policy.InboxSettings;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many deliveries that are handled singly go into one transaction: more while all goes well, as
 * many as their handlers are quick, and none together for a while after a failure. The while grows
 * when it was the sharing that failed and not one of the events, as with handlers that take the
 * same locks in different orders.
 */
final class Sharing {
  // Events that have to go well after a shared transaction failed, before the next.
  private static final long FIRST_WAIT = 20;
  private static final long LONGEST_WAIT = 100_000;
  private static final int WAIT_GROWTH = 4;
  // So many waits without a failure, and the next failure counts as the first.
  private static final int FORGIVEN_AFTER = 100;
  private static final int SMOOTHING = 8;

  private final int limit;
  private final long micros;
  // Those of Handlers, each one object.
  private final IdentityHashMap<Registration, Double> paces = new IdentityHashMap<>();
  private int size = 1;
  private long wait;
  private long well;

  Sharing(InboxSettings.Shared settings) {
    this.limit = settings.events();
    this.micros = settings.time().toNanos() / 1000;
  }

  /** Most events of a transaction. */
  int most() {
    return size;
  }

  /** How long the handlers of a transaction may take together, microseconds. */
  long micros() {
    return micros;
  }

  /** What a handler is expected to take, microseconds: all that there is while nobody knows. */
  double pace(Registration registration) {
    return paces.getOrDefault(registration, (double) micros);
  }

  /** Work has ended well. */
  void done(List<PendingMessage> messages, List<Fate> fates) {
    int handled = 0;
    for (int i = 0; i < messages.size(); i++) {
      Registration single = single(messages.get(i));
      if (single != null && fates.get(i) instanceof Fate.Handled fate) {
        handled++;
        paces.merge(single, (double) fate.micros(), Sharing::smooth);
      }
    }
    well += handled;
    if (wait > 0 && well >= FORGIVEN_AFTER * wait) {
      wait = 0;
    }
    if (fates.stream().anyMatch(Fate.MustBeAlone.class::isInstance)) {
      return;
    }
    if (fates.stream().anyMatch(Fate.Unhandled.class::isInstance)) {
      size = Math.max(1, size / 2);
    } else if (handled > 0 && messages.size() >= size && well >= wait) {
      size = Math.min(limit, 2 * size);
    }
  }

  private static @Nullable Registration single(PendingMessage message) {
    return message.plan instanceof Plan.Handle plan && plan.registration().batch() == 1
        ? plan.registration()
        : null;
  }

  /** Slower counts at once, quicker little by little. */
  private static double smooth(double pace, double last) {
    return last > pace ? (pace + last) / 2 : pace + (last - pace) / SMOOTHING;
  }

  /** A handler has failed, or what it did could not be committed. */
  void failed(List<PendingMessage> messages) {
    PendingMessage first = messages.get(0);
    if (single(first) == null || first.deferred != null) {
      return;
    }
    well = 0;
    if (messages.size() > 1) {
      size = 1;
      wait = Math.max(FIRST_WAIT, Math.min(LONGEST_WAIT, WAIT_GROWTH * wait));
    } else if (first.alone && first.tries == 0) {
      // It was this one that made the others fail.
      wait = Math.max(FIRST_WAIT, wait / WAIT_GROWTH);
    }
  }

  /** The database has failed, maybe since two transactions waited for each other. */
  void storeFailed() {
    well = 0;
    size = 1;
  }
}
