package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.LanesChanged;
import io.waybill.policy.EngineSettings;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For how long keys stand still when lanes move from a living relay to another one. */
class HandOverTest {
  private static final EngineSettings DEFAULTS = EngineRun.DEFAULTS;
  private static final Duration OFTEN = Duration.ofMillis(50);
  private static final Duration STEP = Duration.ofMillis(10);

  /** A relay beside so many others. */
  private static EngineRun beside(int others) {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.pass(DEFAULTS.viewInterval());
    run.take(Effect.View.class);
    run.view(1 + others);
    run.database.sessions(1 + others);
    run.answerAll();
    return run;
  }

  private static void announced(EngineRun run) {
    run.apply(Input.Signal.HAND_OVER);
    run.take(Effect.Renew.class).forEach(run::answer);
  }

  @Test
  void saysThatItLeavesAndStopsAfterOneLook() {
    EngineRun run = beside(1);
    run.apply(Input.Signal.HAND_OVER);
    List<Effect.Renew> renewals = run.take(Effect.Renew.class);
    assertThat(renewals).singleElement().matches(renew -> renew.report().leaving());
    run.answer(renewals.get(0));

    int steps = 0;
    while (run.take(Effect.Stopped.class).isEmpty() && steps < 100) {
      run.pass(STEP);
      run.answerAll();
      steps++;
    }

    assertThat(STEP.multipliedBy(steps)).isEqualTo(DEFAULTS.viewInterval());
  }

  @Test
  void goesOnSendingUntilThen() {
    EngineRun run = beside(1);
    announced(run);

    run.read(run.row("orders", "a"));
    run.confirm(run.sends());
    run.pass(DEFAULTS.settleDelay());

    assertThat(run.settled().settlement().published()).hasSize(1);
  }

  /** A relay that has refused a replay and is about to give lanes to another one. */
  private static EngineRun answering() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    OutboxRow row = run.row("orders", "a");
    run.request(
        new OperatorRequest(
            7, OperatorRequest.Verb.REPLAY, row.rowId(), row, EventState.PENDING, "lost there"));
    run.told(LanesChanged.class);
    run.pass(DEFAULTS.viewInterval());
    run.take(Effect.View.class);
    run.view(2);
    run.database.sessions(2);
    run.idle(Duration.ofMillis(300));
    return run;
  }

  /** The new owner would carry out what the answer says is refused. */
  @Test
  void givesNoLaneAwayBeforeOperatorsHaveTheirAnswers() {
    EngineRun run = answering();
    assertThat(run.told(LanesChanged.class)).isEmpty();

    assertThat(run.settled().settlement().handled()).hasSize(1);
    run.idle(Duration.ofMillis(300));

    assertThat(run.told(LanesChanged.class)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsLanesForAnAnswerThatSomebodyLocksAndForNoneThatIsRefused(boolean locked) {
    EngineRun run = answering();
    run.refused(run.take(Effect.Settle.class).get(0), locked, "not now");
    run.idle(Duration.ofSeconds(1));

    assertThat(run.told(LanesChanged.class).isEmpty()).isEqualTo(locked);
  }

  @Test
  void stopsAtOnceWhereNobodyWaitsForItsLanes() {
    EngineRun run = beside(0);
    run.apply(Input.Signal.HAND_OVER);
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void stopsAtOnceWhenTheOthersAreGone() {
    EngineRun run = beside(1);
    announced(run);
    run.view(1);
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void doesNotWaitForADatabaseThatIsAway() {
    EngineRun run = beside(1);
    run.read(run.row("orders", "a"), run.row("orders", "b"));
    run.apply(Input.Signal.HAND_OVER);
    run.take(Effect.Renew.class).forEach(renewal -> run.apply(new Input.Failed(renewal)));
    run.confirm(run.sends());

    // At once, without the delay in which a batch would fill.
    assertThat(run.settled().settlement().published()).hasSize(2);
    run.idle(Duration.ofMillis(300));
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void doesNotWaitAfterASettlementThatFailed() {
    EngineRun run = beside(1);
    run.read(run.row("orders", "a"));
    run.confirm(run.sends());
    run.pass(DEFAULTS.settleDelay());
    Effect.Settle settle = run.settled();
    announced(run);

    run.apply(new Input.Failed(settle));
    run.idle(Duration.ofMillis(300));

    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void doesNotWaitWhileItsCallsFail() {
    EngineRun run = beside(1);
    run.pass(DEFAULTS.renewInterval());
    run.take(Effect.Renew.class).forEach(renewal -> run.apply(new Input.Failed(renewal)));

    run.apply(Input.Signal.HAND_OVER);
    run.idle(Duration.ofMillis(200));

    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void saysSoAgainIfARenewalWasUnderWay() {
    EngineRun run = beside(1);
    run.pass(DEFAULTS.renewInterval());
    List<Effect.Renew> before = run.take(Effect.Renew.class);
    assertThat(before).singleElement().matches(renew -> !renew.report().leaving());
    run.apply(Input.Signal.HAND_OVER);
    assertThat(run.take(Effect.Renew.class)).isEmpty();

    run.answer(before.get(0));

    assertThat(run.take(Effect.Renew.class))
        .singleElement()
        .matches(renew -> renew.report().leaving());
  }

  @Test
  void waitsNoLongerThanASecondForOthersThatLookSeldom() {
    EngineRun run = EngineRun.of(RunSettings.looking(Duration.ofSeconds(30))).started();
    run.pass(Duration.ofSeconds(30));
    run.take(Effect.View.class);
    run.view(2);
    run.database.sessions(2);
    run.answerAll();
    announced(run);
    assertThat(run.take(Effect.Stopped.class)).isEmpty();

    run.idle(RelayEngine.HAND_OVER_LIMIT);

    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void aStopFreesAllLanesButThoseWithSends() {
    EngineRun run = beside(0);
    run.read(run.row("orders", "a"));
    List<Outgoing> sends = run.sends();
    run.apply(Input.Signal.STOP);
    run.answerAll();

    assertThat(run.told(RelayEvent.LanesChanged.class)).last().returns(1, LanesChanged::owned);
    run.confirm(sends);
    assertThat(run.settled().settlement().published()).hasSize(1);
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }

  @Test
  void takesNoLanesWhileItLeaves() {
    EngineRun run = beside(1);
    announced(run);
    run.view(2);
    assertThat(run.take(Effect.Acquire.class)).isEmpty();
    assertThat(run.take(Effect.Release.class)).isEmpty();
  }

  @Test
  void looksOftenWhileLanesAreOnTheirWay() {
    EngineRun run = beside(3);
    run.database.sessions(3);
    run.pass(DEFAULTS.viewInterval());
    assertThat(run.take(Effect.View.class)).hasSize(1);
    // One has said that it leaves, and its lanes are not free yet.
    run.apply(run.database.viewedWithNoneFree(3));
    assertThat(run.untilDeadline()).isLessThanOrEqualTo(OFTEN.toNanos());
    run.pass(OFTEN);
    assertThat(run.take(Effect.View.class)).hasSize(1);
  }

  @Test
  void looksOftenForFiveSecondsAtMost() {
    EngineRun run = beside(3);
    run.database.sessions(3);
    run.pass(DEFAULTS.viewInterval());
    int looks = 0;
    for (int i = 0; i < 400; i++) {
      if (!run.take(Effect.View.class).isEmpty()) {
        looks++;
        run.apply(run.database.viewedWithNoneFree(3));
      }
      run.answerAll();
      run.pass(OFTEN);
    }
    // Twenty seconds: a hundred in the first five, two each second after that.
    assertThat(looks).isBetween(100, 140);
  }

  @Test
  void joinsWhenTheBrokerAcceptsMessages() {
    EngineRun run = EngineRun.of(DEFAULTS);
    run.apply(Input.Signal.TICK);
    run.pass(Duration.ofSeconds(1));
    assertThat(run.take(Effect.Join.class)).isEmpty();

    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(run.take(Effect.Join.class)).hasSize(1);
  }

  @Test
  void joinsWithoutABrokerAfterFiveSeconds() {
    EngineRun run = EngineRun.of(DEFAULTS);
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    assertThat(run.untilDeadline()).isEqualTo(Duration.ofSeconds(5).toNanos());
    run.pass(Duration.ofSeconds(5));
    assertThat(run.take(Effect.Join.class)).hasSize(1);
  }
}
