package io.waybill.internal.inbox;

import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.observe.InboxEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What becomes of messages when a worker is done with them: each is acknowledged, tried again,
 * deferred, dead-lettered, or goes back to the head of its key.
 */
final class WorkResults {
  private final InboxState state;
  private final WorkScheduler work;
  private final Retries retries;
  private final DeadLetterSender letters;
  private final DeferredFetcher deferred;

  WorkResults(
      InboxState state,
      WorkScheduler work,
      Retries retries,
      DeadLetterSender letters,
      DeferredFetcher deferred) {
    this.state = state;
    this.work = work;
    this.retries = retries;
    this.letters = letters;
    this.deferred = deferred;
  }

  void ended(InboxInput.Ended in) {
    List<Item> items = work.ended(in.workId());
    if (items.isEmpty()) {
      return;
    }
    if (in.outcome() instanceof Outcome.StoreDown down) {
      state.storeFailed(down.reason(), down.transientFailure());
      items.forEach(item -> item.left(down.open()));
      backToTheHead(items);
      return;
    }
    state.storeAnswered();
    if (in.outcome() instanceof Outcome.Failed failed) {
      failed(items, failed);
    } else if (in.outcome() instanceof Outcome.Refused refused) {
      refused(items, refused);
    } else if (in.outcome() instanceof Outcome.Done done) {
      done(items, done.fates(), in.micros());
    }
  }

  private void done(List<Item> items, List<Fate> fates, long micros) {
    state.sharing.done(items, fates);
    List<Item> unhandled = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (fates.get(i) instanceof Fate.MustBeAlone alone) {
        isolate(items.get(i), alone.starts());
      }
      if (isUnhandled(fates.get(i))) {
        unhandled.add(items.get(i));
      }
    }
    // First, for a line with nothing in it is forgotten when an event of it is done.
    backToTheHead(unhandled);
    long each = micros / Math.max(1, items.size() - unhandled.size());
    for (int i = 0; i < items.size(); i++) {
      if (!isUnhandled(fates.get(i))) {
        settle(items.get(i), fates.get(i), each);
      }
    }
  }

  private void isolate(Item item, int starts) {
    item.openStarts = starts;
    long nanos = Math.max(0, work.aloneFrom(item) - state.now);
    state.tell(new InboxEvent.Isolated(item.about, starts, nanos / Timers.MILLI));
  }

  private static boolean isUnhandled(Fate fate) {
    return fate instanceof Fate.Unhandled || fate instanceof Fate.MustBeAlone;
  }

  /** The same work is done again, in the same order. */
  private void backToTheHead(List<Item> items) {
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      if (isLeft(item)) {
        leave(item);
      } else {
        state.keys.again(item);
      }
    }
  }

  /** Whether nothing new is begun with it. */
  private boolean isLeft(Item item) {
    return item.gone() || state.stopping;
  }

  /** The owner of its lane or of its claim gets it again. */
  private void leave(Item item) {
    deferred.ended(item);
    state.release(item);
  }

  private void failed(List<Item> items, Outcome.Failed failed) {
    state.sharing.failed(items);
    if (items.size() > 1) {
      singly(items);
      return;
    }
    Item item = items.get(0);
    item.left(failed.open());
    item.error = failed.failure().error();
    if (isLeft(item)) {
      leave(item);
    } else if (failed.failure().temporary()) {
      retries.failed(item);
    } else {
      letters.bury(item, "permanent-failure", item.error);
    }
  }

  private void refused(List<Item> items, Outcome.Refused refused) {
    state.sharing.failed(items);
    if (items.size() > 1) {
      singly(items);
      return;
    }
    Item item = items.get(0);
    item.left(refused.open());
    if (isLeft(item)) {
      leave(item);
    } else {
      retries.refused(item, refused.reason());
    }
  }

  /** It shows then which of them it is. */
  private void singly(List<Item> items) {
    items.forEach(item -> item.alone = true);
    backToTheHead(items);
  }

  private void settle(Item item, Fate fate, long micros) {
    if (!(fate instanceof Fate.ToBury dead)) {
      report(item, fate, micros);
      if (!(fate instanceof Fate.PutOff)) {
        state.succeeded(item);
      }
      deferred.ended(item);
      state.acknowledge(item);
    } else if (isLeft(item)) {
      leave(item);
    } else {
      letters.bury(item, dead.reason(), dead.detail());
    }
  }

  private void report(Item item, Fate fate, long micros) {
    if (fate instanceof Fate.Handled) {
      state.tell(new InboxEvent.Handled(item.about, micros, (state.now - item.since) / 1000));
    } else if (fate instanceof Fate.Duplicate duplicate) {
      state.tell(new InboxEvent.Duplicate(item.about, duplicate.age()));
    } else if (fate instanceof Fate.WentBehind) {
      state.tell(new InboxEvent.Deferred(item.about, 0, "", 0));
    } else if (fate instanceof Fate.PutOff) {
      var put = Objects.requireNonNull(item.putOff, "putOff");
      if (put.deadReason() == null && !item.leaves) {
        state.tell(
            new InboxEvent.Deferred(item.about, put.attempts(), put.failure(), put.delayMillis()));
      }
      deferred.dueIn(put.delayMillis() + 1);
      return;
    } else if (fate instanceof Fate.Buried) {
      state.tell(new InboxEvent.DeadLettered(item.about, item.deadReason, item.error));
    }
    if (item.deferred != null) {
      // The next one of its key is due.
      deferred.dueIn(0);
    }
  }
}
