package io.waybill.internal.inbox;

import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DeferredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    Outcome outcome = in.outcome();
    if (outcome.kind() != Outcome.Kind.STORE_DOWN) {
      state.storeAnswered();
    }
    switch (outcome.kind()) {
      case DONE -> done(items, ((Outcome.Done) outcome).fates(), in.micros());
      case FAILED -> failed(items, (Outcome.Failed) outcome);
      case REFUSED -> refused(items, (Outcome.Refused) outcome);
      case STORE_DOWN -> storeDown(items, (Outcome.StoreDown) outcome);
    }
  }

  private void storeDown(List<Item> items, Outcome.StoreDown down) {
    state.storeFailed(down.reason(), down.transientFailure());
    items.forEach(item -> item.left(down.open()));
    backToTheHead(items);
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
      settle(items.get(i), fates.get(i), each);
    }
  }

  private void isolate(Item item, int starts) {
    item.openStarts = starts;
    long nanos = Math.max(0, work.aloneFrom(item) - state.now);
    state.tell(new InboxEvent.Isolated(item.about, starts, nanos / Timers.MILLI));
  }

  private static boolean isUnhandled(Fate fate) {
    return switch (fate.kind()) {
      case UNHANDLED, MUST_BE_ALONE -> true;
      case HANDLED, DUPLICATE, WENT_BEHIND, PUT_OFF, BURIED, LOST, TO_BURY -> false;
    };
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
    switch (fate.kind()) {
      case HANDLED ->
          over(item, new InboxEvent.Handled(item.about, micros, (state.now - item.since) / 1000));
      case DUPLICATE ->
          over(item, new InboxEvent.Duplicate(item.about, ((Fate.Duplicate) fate).age()));
      case WENT_BEHIND -> over(item, new InboxEvent.Deferred(item.about, 0, "", 0));
      case BURIED ->
          over(item, new InboxEvent.DeadLettered(item.about, item.deadReason, item.error));
      case LOST -> over(item, null);
      case PUT_OFF -> putOff(item, Objects.requireNonNull(item.putOff, "putOff"));
      case TO_BURY -> toBury(item, (Fate.ToBury) fate);
      // They have gone back to the heads of their keys.
      case UNHANDLED, MUST_BE_ALONE -> {}
    }
  }

  /** Nothing of it is left to do. */
  private void over(Item item, @Nullable InboxEvent event) {
    if (event != null) {
      state.tell(event);
    }
    if (item.deferred != null) {
      // The next one of its key is due.
      deferred.dueIn(0);
    }
    state.succeeded(item);
    deferred.ended(item);
    state.acknowledge(item);
  }

  private void putOff(Item item, DeferredEvent put) {
    if (put.deadReason() == null && !item.leaves) {
      state.tell(
          new InboxEvent.Deferred(item.about, put.attempts(), put.failure(), put.delayMillis()));
    }
    deferred.dueIn(put.delayMillis() + 1);
    deferred.ended(item);
    state.acknowledge(item);
  }

  private void toBury(Item item, Fate.ToBury dead) {
    if (isLeft(item)) {
      leave(item);
    } else {
      letters.bury(item, dead.reason(), dead.detail());
    }
  }
}
