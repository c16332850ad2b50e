package io.waybill.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.handler.Registration;
import io.waybill.internal.inbox.attempt.Answer;
import io.waybill.internal.inbox.attempt.HandlingTransaction;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.inbox.attempt.Step;
import io.waybill.internal.inbox.attempt.Task;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Headers;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What may have killed the process, and goes behind a deferred event or another copy of itself. */
class SuspectTest {
  private final List<String> steps = new ArrayList<>();

  private Outcome run(DedupeResult dedupe, boolean taken) {
    Plan plan = new Plan.Handle(new Registration("t", 1, 1, (events, connection) -> {}));
    Delivery delivery = new Delivery("q", "q", 0, null, null, Headers.NONE, 0, true, 0, "token");
    Task task = new Task(new DedupeKey("e", "t", "q", null), null, plan, delivery, null);
    HandlingTransaction attempt =
        new HandlingTransaction(
            new Work.Handle(1, List.of(task), new Work.Mark(List.of("e"), false, false, 3)));
    Step step = attempt.first();
    while (!(step instanceof Step.End)) {
      steps.add(step.getClass().getSimpleName());
      step = attempt.next(answer(step, dedupe, taken));
    }
    return ((Step.End) step).outcome();
  }

  private static Answer answer(Step step, DedupeResult dedupe, boolean taken) {
    if (step instanceof Step.LookAtStarts) {
      return new Answer.Starts(Map.of());
    }
    if (step instanceof Step.Look) {
      return new Answer.DedupeResults(List.of(dedupe));
    }
    return step instanceof Step.Defer && !taken ? new Answer.Refused("too large") : new Answer.Ok();
  }

  @Test
  void keepsWhatIsNotedOfItButForItsStart() {
    Outcome outcome = run(new DedupeResult.Behind(), true);

    assertThat(steps)
        .containsExactly(
            "Begin",
            "LookAtStarts",
            "Started",
            "Commit",
            "Begin",
            "Look",
            "Defer",
            "Commit",
            "Begin",
            "Ended",
            "Commit");
    assertThat(outcome).isEqualTo(new Outcome.Done(List.of(new Fate.DeferredBehind())));
  }

  @Test
  void hasItsStartEndedAlsoIfItCannotGoThere() {
    Outcome outcome = run(new DedupeResult.Behind(), false);

    assertThat(steps).endsWith("Defer", "Rollback", "Begin", "Ended", "Commit");
    assertThat(outcome).isEqualTo(new Outcome.Refused("too large", false));
  }

  @Test
  void isNoSuspectAnyMoreWhenItWasProcessed() {
    run(new DedupeResult.Seen(Duration.ZERO), true);

    assertThat(steps).endsWith("Look", "ForgetStarts", "Commit");
  }
}
