package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.internal.encode.Mapped;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.Failure;
import io.waybill.policy.Decision;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.RowState;
import io.waybill.store.Settlement.HandledRequest;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of the first failed row of a key: another attempt, parked, or dead. Only
 * definite rejections of the row itself count towards the attempt limit, and a row of which an
 * unknown copy may exist is never given up by itself.
 */
final class Failures {
  private static final long NOT_SENT_PAUSE_MILLIS = 50;

  private final EngineState state;
  private final RetryPolicy retryPolicy;
  private final Function<String, FailurePolicy> policies;
  final RetryTimers timers = new RetryTimers();

  Failures(EngineState state, RetryPolicy retryPolicy, Function<String, FailurePolicy> policies) {
    this.state = state;
    this.retryPolicy = retryPolicy;
    this.policies = policies;
  }

  /** The head failed and nothing of its key is in flight. */
  void decide(Entry head, KeyFlow flow) {
    Confirmation.NotConfirmed failure = head.failure;
    if (failure instanceof Confirmation.Rejected) {
      rejected(head, failure.reason(), failure.detail(), flow);
    } else if (failure instanceof Confirmation.Unknown) {
      unknown(head, failure, flow.sender.gate(head));
      flow.looks.watch(head.key);
    } else if (failure instanceof Confirmation.Refused) {
      refused(head, failure, flow);
    } else if (failure instanceof Confirmation.NotSent) {
      head.key.rewind();
      tellRetried(head, failure, NOT_SENT_PAUSE_MILLIS);
      backOff(head.key, NOT_SENT_PAUSE_MILLIS * 1_000_000L);
    }
  }

  /**
   * The destination refuses, whatever the message is. The breaker waits until it does so no more,
   * unless somebody chose to give up.
   */
  private void refused(Entry head, Confirmation.NotConfirmed refusal, KeyFlow flow) {
    Breaker breaker = flow.sender.gate(head);
    Duration limit = policies.apply(head.name).giveUpAfter();
    if (breaker != null
        && limit != null
        && !head.burying
        && flow.destinations.refusesFor(head.key, breaker) >= limit.toNanos()) {
      // What waits behind it has waited as long.
      breaker.probeNow(state.now);
      giveUp(head, refusal.reason(), refusal.detail(), flow);
      return;
    }
    head.key.rewind();
    tellRetried(head, refusal, breaker == null ? 0 : breaker.pauseMillis(state.now));
  }

  private void tellRetried(Entry head, Confirmation.NotConfirmed failure, long delay) {
    state.tell(new RelayEvent.Retried(failure(head, failure.reason()), false, delay));
  }

  private void unknown(Entry head, Confirmation.NotConfirmed unknown, @Nullable Breaker breaker) {
    boolean outage = breaker != null && breaker.nobodyAnswers();
    if (!outage || head.unknowns == 0) {
      // That nobody answers says nothing of the event: its pauses do not grow by that.
      head.unanswered();
    }
    head.key.rewind();
    long pause = retryPolicy.afterUnknown(head.unknowns, jitter(head)).delayMillis();
    long delay = outage ? Math.min(pause, Breaker.LONGEST_PAUSE_MILLIS) : pause;
    tellRetried(head, unknown, delay);
    backOff(head.key, delay * 1_000_000L);
  }

  private void rejected(Entry head, String reason, String detail, KeyFlow flow) {
    if (head.burying) {
      head.notCopied();
      park(head, "dead-letter-refused", detail, flow);
      return;
    }
    head.rejected();
    Decision decision = retryPolicy.afterRejection(head.attempts, jitter(head));
    if (decision instanceof Decision.RetryAt retry) {
      retry(head, reason, detail, retry.delayMillis(), flow);
    } else {
      giveUp(head, reason, detail, flow);
    }
  }

  /** A row without a route or a form: another attempt by the same relay would end the same. */
  void unmappable(Entry head, Mapped.Unmappable unmappable, KeyFlow flow) {
    if (head.burying) {
      head.notCopied();
      park(head, "dead-letter-unmappable", unmappable.detail(), flow);
      return;
    }
    if (!state.isQuiet() && burial(head) != null) {
      tryWhenQuiet(head, unmappable.reason(), unmappable.detail(), flow);
      return;
    }
    head.rejected();
    giveUp(head, unmappable.reason(), unmappable.detail(), flow);
  }

  private void retry(Entry head, String reason, String detail, long delay, KeyFlow flow) {
    if (head.row.replay()) {
      // The row's own state is settled: a failed copy of it is nothing to record.
      head.key.rewind();
      backOff(head.key, delay * 1_000_000L);
      return;
    }
    head.recorded();
    flow.marks.failed(head, failed(head, RowState.RETRY, delay, reason, detail));
    head.key.rewind();
    flow.heldRows.holdRest(head.key, head.key.cutAfter(head));
    state.tell(new RelayEvent.Retried(failure(head, reason), true, delay));
    backOff(head.key, delay * 1_000_000L);
    flow.looks.watch(head.key);
  }

  private void giveUp(Entry head, String reason, String detail, KeyFlow flow) {
    if (head.row.replay()) {
      head.key.rewind();
      head.key.removeHead();
      answer(head, false, "not published again: " + reason);
      flow.heldRows.release(head);
      return;
    }
    FailurePolicy.Bury burial = burial(head);
    if (burial == null) {
      park(head, reason, detail, flow);
    } else if (state.isQuiet()) {
      bury(head, burial, reason, detail, flow);
    } else {
      tryWhenQuiet(head, reason, detail, flow);
    }
  }

  /** How the head is given up; null if it is parked. */
  private FailurePolicy.@Nullable Bury burial(Entry head) {
    // Of a row that was too large to be read there is no copy: it stays where it is.
    return policies.apply(head.name) instanceof FailurePolicy.Bury bury
            && !head.unknownOutcome
            && !head.row.replay()
            && (bury.deadLetter() == null || head.row.whole())
        ? bury
        : null;
  }

  /** A former owner's copy can be on its way: the next of the key must not come before it. */
  private void tryWhenQuiet(Entry head, String reason, String detail, KeyFlow flow) {
    retry(head, reason, detail, state.untilQuiet() / 1_000_000L + 1, flow);
  }

  void park(Entry head, String reason, String detail, KeyFlow flow) {
    KeyQueue key = head.key;
    key.rewind();
    flow.heldRows.holdRest(key, key.cutAfter(head));
    key.removeHead();
    flow.destinations.release(key);
    flow.parkedRows.park(head.row.ref(), head.unknownOutcome, key);
    flow.marks.failed(head, failed(head, RowState.PARKED, 0, reason, detail));
    state.tell(new RelayEvent.Parked(failure(head, reason)));
    answer(head, false, "parked instead: " + reason);
  }

  /** Gives the head up, after a copy went to the dead-letter destination if there is one. */
  void bury(Entry head, FailurePolicy.Bury policy, String reason, String detail, KeyFlow flow) {
    // Neither a dead-letter copy nor what stands behind need wait for the head's destination.
    flow.destinations.release(head.key);
    head.giveUp(reason, detail);
    if (policy.deadLetter() == null) {
      head.key.removeHead();
      buried(head, flow);
    } else {
      head.copyTo(policy.deadLetter());
      head.key.rewind();
    }
  }

  /** The row is out of its key's way, and is dead once that is durable. */
  void buried(Entry entry, KeyFlow flow) {
    flow.marks.failed(
        entry,
        new FailedRow(
            entry.row,
            RowState.DEAD,
            entry.attempts,
            entry.unknownOutcome,
            0,
            entry.buryReason,
            entry.buryDetail,
            entry.buryName));
  }

  /** That the row is dead is durable. */
  void dead(Entry entry) {
    boolean copied = entry.burying;
    state.tell(new RelayEvent.Dead(failure(entry, entry.buryReason), copied));
    answer(entry, true, copied ? "dead, copy sent" : "dead");
  }

  /** Answers the request that the entry carries out, if it does. */
  void answer(Entry entry, boolean done, String note) {
    if (entry.requestId != 0) {
      state.settle.handled(
          new HandledRequest(entry.requestId, entry.row.rowId(), done, note), state.now);
      entry.answered();
    }
  }

  void backOff(KeyQueue key, long nanos) {
    timers.start(key, state.now + nanos);
  }

  FailedRow failed(Entry entry, RowState rowState, long delay, String reason, String detail) {
    return new FailedRow(
        entry.row,
        rowState,
        entry.attempts,
        entry.unknownOutcome,
        delay,
        reason,
        detail,
        entry.name);
  }

  Failure failure(Entry entry, String reason) {
    return new Failure(
        entry.row.eventId(),
        entry.row.eventType(),
        entry.row.traceparent(),
        entry.name,
        entry.attempts,
        reason,
        entry.row.key() != null);
  }

  // Spreads retries without a source of randomness, so that a run can be repeated exactly.
  private static long jitter(Entry entry) {
    return (entry.row.rowId().hashCode() + entry.attempts * 31L + entry.unknowns)
        * 0x9E3779B97F4A7C15L;
  }
}
