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
    List<PendingMessage> messages = work.ended(in.workId());
    if (messages.isEmpty()) {
      return;
    }
    Outcome outcome = in.outcome();
    if (outcome.kind() != Outcome.Kind.STORE_DOWN) {
      state.storeAnswered();
    }
    switch (outcome.kind()) {
      case DONE -> done(messages, ((Outcome.Done) outcome).fates(), in.micros());
      case FAILED -> failed(messages, (Outcome.Failed) outcome);
      case REFUSED -> refused(messages, (Outcome.Refused) outcome);
      case STORE_DOWN -> storeDown(messages, (Outcome.StoreDown) outcome);
    }
  }

  private void storeDown(List<PendingMessage> messages, Outcome.StoreDown down) {
    state.storeFailed(down.reason(), down.transientFailure());
    messages.forEach(message -> message.left(down.open()));
    backToTheHead(messages);
  }

  private void done(List<PendingMessage> messages, List<Fate> fates, long micros) {
    state.sharing.done(messages, fates);
    List<PendingMessage> unhandled = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      if (fates.get(i) instanceof Fate.MustBeAlone alone) {
        isolate(messages.get(i), alone.starts());
      }
      if (isUnhandled(fates.get(i))) {
        unhandled.add(messages.get(i));
      }
    }
    // First, for a line with nothing in it is forgotten when an event of it is done.
    backToTheHead(unhandled);
    long each = micros / Math.max(1, messages.size() - unhandled.size());
    for (int i = 0; i < messages.size(); i++) {
      settle(messages.get(i), fates.get(i), each);
    }
  }

  private void isolate(PendingMessage message, int starts) {
    message.openStarts = starts;
    long nanos = Math.max(0, work.aloneFrom(message) - state.now);
    state.tell(new InboxEvent.Isolated(message.about, starts, nanos / Timers.MILLI));
  }

  private static boolean isUnhandled(Fate fate) {
    return switch (fate.kind()) {
      case UNHANDLED, MUST_BE_ALONE -> true;
      case HANDLED, DUPLICATE, DEFERRED_BEHIND, DEFERRED, BURIED, LOST, TO_BURY -> false;
    };
  }

  /** The same work is done again, in the same order. */
  private void backToTheHead(List<PendingMessage> messages) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      PendingMessage message = messages.get(i);
      if (isLeft(message)) {
        leave(message);
      } else {
        state.keys.again(message);
      }
    }
  }

  /** Whether nothing new is begun with it. */
  private boolean isLeft(PendingMessage message) {
    return message.gone() || state.stopping;
  }

  /** The owner of its lane or of its claim gets it again. */
  private void leave(PendingMessage message) {
    deferred.ended(message);
    state.release(message);
  }

  private void failed(List<PendingMessage> messages, Outcome.Failed failed) {
    state.sharing.failed(messages);
    if (messages.size() > 1) {
      singly(messages);
      return;
    }
    PendingMessage message = messages.get(0);
    message.left(failed.open());
    message.error = failed.failure().error();
    if (isLeft(message)) {
      leave(message);
    } else if (failed.failure().temporary()) {
      retries.failed(message);
    } else {
      letters.bury(message, "permanent-failure", message.error);
    }
  }

  private void refused(List<PendingMessage> messages, Outcome.Refused refused) {
    state.sharing.failed(messages);
    if (messages.size() > 1) {
      singly(messages);
      return;
    }
    PendingMessage message = messages.get(0);
    message.left(refused.open());
    if (isLeft(message)) {
      leave(message);
    } else {
      retries.refused(message, refused.reason());
    }
  }

  /** It shows then which of them it is. */
  private void singly(List<PendingMessage> messages) {
    messages.forEach(message -> message.alone = true);
    backToTheHead(messages);
  }

  private void settle(PendingMessage message, Fate fate, long micros) {
    switch (fate.kind()) {
      case HANDLED ->
          over(
              message,
              new InboxEvent.Handled(message.about, micros, (state.now - message.since) / 1000));
      case DUPLICATE ->
          over(message, new InboxEvent.Duplicate(message.about, ((Fate.Duplicate) fate).age()));
      case DEFERRED_BEHIND -> over(message, new InboxEvent.Deferred(message.about, 0, "", 0));
      case BURIED ->
          over(
              message,
              new InboxEvent.DeadLettered(message.about, message.deadReason, message.error));
      case LOST -> over(message, null);
      case DEFERRED -> deferral(message, Objects.requireNonNull(message.deferral, "deferral"));
      case TO_BURY -> toBury(message, (Fate.ToBury) fate);
      // They have gone back to the heads of their keys.
      case UNHANDLED, MUST_BE_ALONE -> {}
    }
  }

  /** Nothing of it is left to do. */
  private void over(PendingMessage message, @Nullable InboxEvent event) {
    if (event != null) {
      state.tell(event);
    }
    if (message.deferred != null) {
      // The next one of its key is due.
      deferred.dueIn(0);
    }
    state.succeeded(message);
    deferred.ended(message);
    state.acknowledge(message);
  }

  private void deferral(PendingMessage message, DeferredEvent put) {
    if (put.deadReason() == null && !message.leaves) {
      state.tell(
          new InboxEvent.Deferred(message.about, put.attempts(), put.failure(), put.delayMillis()));
    }
    deferred.dueIn(put.delayMillis() + 1);
    deferred.ended(message);
    state.acknowledge(message);
  }

  private void toBury(PendingMessage message, Fate.ToBury dead) {
    if (isLeft(message)) {
      leave(message);
    } else {
      letters.bury(message, dead.reason(), dead.detail());
    }
  }
}
