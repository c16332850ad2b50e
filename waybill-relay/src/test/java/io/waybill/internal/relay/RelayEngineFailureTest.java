package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of events that a broker refuses or does not answer for. */
class RelayEngineFailureTest {
  private static final EngineSettings DEFAULTS = EngineRun.DEFAULTS;

  @Test
  void aRejectionIsTriedAgainAfterItsDelayAndHoldsUpItsKeyAlone() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "a"), run.row("orders", "b"));
    List<Outgoing> sends = run.sends();
    run.confirm(sends.subList(2, 3));
    run.unknown(sends.get(1));
    run.reject(sends.get(0));
    Settlement settlement = settlement(run);
    assertThat(settlement.failed())
        .singleElement()
        .returns(RowState.RETRY, FailedRow::state)
        .returns(1, FailedRow::attempts)
        .returns(1_000L, FailedRow::delayMillis)
        .returns("too-large", FailedRow::reason);
    assertThat(settlement.held()).extracting(OutboxRow::eventId).containsExactly("e2");
    assertThat(settlement.published()).extracting(OutboxRow::eventId).containsExactly("e3");

    run.pass(Duration.ofMillis(900));
    assertThat(run.sent()).isEmpty();
    run.pass(Duration.ofMillis(101));
    assertThat(run.sent()).containsExactly("e1");
  }

  private static Settlement settlement(EngineRun run) {
    run.pass(Duration.ofMillis(20));
    return run.settled().settlement();
  }

  @Test
  void onlyRejectionsCountTowardsTheAttemptLimit() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("orders", "a"));
    for (int i = 0; i < 20; i++) {
      run.unknown(run.sends().get(0));
      run.idle(Duration.ofSeconds(10));
    }
    List<Effect.Settle> settles = run.take(Effect.Settle.class);
    assertThat(settles)
        .extracting(Effect.Settle::settlement)
        .as("changes of state by outages")
        .allMatch(settlement -> settlement.size() == settlement.noted().size());
    settles.forEach(run::settled);
    run.settleAll();
    for (int i = 0; i < 2; i++) {
      run.reject(run.sends().get(0));
      assertThat(settlement(run).failed()).extracting(FailedRow::state).contains(RowState.RETRY);
      run.idle(Duration.ofMillis(1_010));
    }
    run.reject(run.sends().get(0));

    assertThat(settlement(run).failed())
        .singleElement()
        .returns(RowState.PARKED, FailedRow::state)
        .returns(3, FailedRow::attempts)
        .returns(true, FailedRow::unknownOutcome);
  }

  @Test
  void aParkedEventHoldsItsKeyAndNoOther() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("lost", "a"), run.row("orders", "a"), run.row("orders", "b"));
    assertThat(run.sent()).containsExactly("e3");
    Settlement settlement = settlement(run);
    assertThat(settlement.failed()).extracting(FailedRow::state).containsExactly(RowState.PARKED);
    run.read(run.row("orders", "a"));
    assertThat(run.sent()).isEmpty();

    List<OutboxRow> held = new ArrayList<>(settlement.held());
    held.addAll(settlement(run).held());
    assertThat(held).extracting(OutboxRow::eventId).containsExactly("e2", "e4");
  }

  @Test
  void aBuriedEventLetsItsKeyGoOnWhenItsCopyIsConfirmed() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(DEFAULTS, bury).started();
    run.read(run.row("lost", "a"), run.row("orders", "a"));

    List<Outgoing> copy = run.sends();
    assertThat(copy)
        .singleElement()
        .returns("e1", Outgoing::eventId)
        .returns(Destination.topic("graves"), Outgoing::destination)
        .satisfies(
            message ->
                assertThat(message.headers())
                    .contains(new Header("waybill-dead-reason", "no-route")));
    run.confirm(copy);
    assertThat(settlement(run).failed())
        .extracting(FailedRow::state)
        .containsExactly(RowState.DEAD);
    assertThat(run.sent()).containsExactly("e2");
  }

  @Test
  void aBuriedEventWhoseCopyIsRefusedIsParked() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(DEFAULTS, bury).started();
    run.read(run.row("lost", "a"), run.row("orders", "a"));
    run.reject(run.sends().get(0));

    assertThat(settlement(run).failed())
        .singleElement()
        .returns(RowState.PARKED, FailedRow::state)
        .returns("dead-letter-refused", FailedRow::reason);
    assertThat(run.sent()).isEmpty();
  }

  @Test
  void aRowThatIsTooLargeIsParkedAndNotBuriedByACopy() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(DEFAULTS, bury).started();
    run.read(RunRows.unread(run.row("orders", "a"), 1 << 30), run.row("orders", "b"));

    assertThat(run.sent()).containsExactly("e2");
    assertThat(settlement(run).failed())
        .singleElement()
        .returns(RowState.PARKED, FailedRow::state)
        .returns("too-large", FailedRow::reason);
  }

  @Test
  void anUnansweredSendOpensItsDestinationsBreakerAndNoOther() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("bad", "a"), run.row("good", "b"));
    List<Outgoing> sends = run.sends();
    run.unknown(sends.get(0));
    run.confirm(sends.subList(1, 2));
    assertThat(run.told(RelayEvent.BreakerChanged.class))
        .containsExactly(new RelayEvent.BreakerChanged("bad", BreakerState.OPEN, "timeout"));
    run.read(run.row("bad", "c"), run.row("bad", "d"), run.row("good", "e"));
    assertThat(run.sent()).as("while the breaker is open").containsExactly("e5");

    run.pass(Duration.ofMillis(200));
    List<Outgoing> probe = run.sends();
    assertThat(probe).as("one message probes").hasSize(1);
    run.unknown(probe.get(0));
    run.pass(Duration.ofMillis(300));
    assertThat(run.sent()).as("the pause doubles").isEmpty();
    run.pass(Duration.ofMillis(100));
    run.confirm(run.sends());

    assertThat(run.told(RelayEvent.BreakerChanged.class))
        .last()
        .returns(BreakerState.CLOSED, RelayEvent.BreakerChanged::state);
    run.pass(Duration.ofSeconds(1));
    assertThat(run.sends()).isNotEmpty();
  }

  @Test
  void howeverLongADestinationWasAwayItIsProbedEveryTwoSeconds() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("bad", "a"), run.row("bad", "b"));
    for (int i = 0; i < 10; i++) {
      List<Outgoing> probes = run.sends();
      assertThat(probes).as("probes").isNotEmpty();
      probes.forEach(run::unknown);
      run.idle(Duration.ofMillis(2_100));
    }
  }

  private static EngineRun withGrowingPauses() {
    return new EngineRun(DEFAULTS, RetryPolicy.ofDefaults(), name -> new FailurePolicy.Park())
        .started();
  }

  @Test
  void howeverLongTheBrokerWasAwayEventsOfFewKeysGoOnSoon() {
    EngineRun run = withGrowingPauses();
    run.read(run.row("orders", "a"));
    for (int i = 0; i < 30; i++) {
      List<Outgoing> probes = run.sends();
      assertThat(probes).as("probe " + i).hasSize(1);
      run.unknown(probes.get(0));
      run.idle(Duration.ofMillis(2_100));
    }
  }

  private static EngineRun afterLongSilence() {
    EngineRun run = withGrowingPauses();
    run.read(run.row("orders", "a"));
    for (int i = 0; i < 30; i++) {
      run.sends().forEach(run::unknown);
      run.idle(Duration.ofMillis(2_010));
    }
    return run;
  }

  @Test
  void anEventThatIsNeverAnsweredForLetsOthersProbeTheirDestination() {
    EngineRun run = afterLongSilence();
    run.read(run.row("orders", "b"));
    Set<String> sent = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      List<Outgoing> probes = run.sends();
      probes.forEach(probe -> sent.add(probe.eventId()));
      probes.forEach(run::unknown);
      // All that is due in this time is due at once.
      run.pass(Duration.ofMillis(2_500));
    }
    assertThat(sent).contains("e2");
  }

  @Test
  void afterAnOutageTheFirstFailureHasAShortPauseAgain() {
    EngineRun run = afterLongSilence();
    List<Outgoing> probe = run.sends();
    run.read(run.row("others", "b"));
    run.confirm(run.sends());
    run.told(RelayEvent.Retried.class);
    run.unknown(probe.get(0));
    assertThat(run.told(RelayEvent.Retried.class))
        .last()
        .satisfies(retried -> assertThat(retried.delayMillis()).isLessThan(1_000));
  }

  @Test
  void theShareOfAPauseChangesWithEachAttempt() {
    List<Long> pauses = pausesOf("bad", "good");
    Set<Long> eighths = new HashSet<>();
    for (int i = 0; i < 8; i++) {
      eighths.add(pauses.get(i) * 8 / (200L << i));
    }
    assertThat(eighths).hasSizeGreaterThan(3);
  }

  @Test
  void aDestinationThatIsSilentWhileOthersAnswerIsTriedLessAndLess() {
    assertThat(pausesOf("bad", "good")).anyMatch(pause -> pause > 10_000);
  }

  @Test
  void anEventThatIsNeverAnsweredForIsTriedLessAndLess() {
    assertThat(pausesOf("orders", "orders")).anyMatch(pause -> pause > 10_000);
  }

  private static List<Long> pausesOf(String silent, String other) {
    EngineRun run = withGrowingPauses();
    run.read(run.row(silent, "a"));
    for (int i = 0; i < 400; i++) {
      for (Outgoing send : run.sends()) {
        if (send.eventId().equals("e1")) {
          run.unknown(send);
        } else {
          run.confirm(List.of(send));
        }
      }
      run.idle(Duration.ofSeconds(1));
      run.read(run.row(other, "b"));
    }
    return run.told(RelayEvent.Retried.class).stream()
        .map(RelayEvent.Retried::delayMillis)
        .toList();
  }

  @Test
  void attemptsAreNotForgottenWhileTheEventWaitsForItsDestinationInTheDatabase() {
    EngineRun run = EngineRun.of(EngineRun.bounds(8, 1 << 20, 8, 8)).started();
    OutboxRow poison = run.row("bad", "a");
    run.read(poison);
    run.reject(run.sends().get(0));
    assertThat(settlement(run).failed()).singleElement().returns(1, FailedRow::attempts);
    run.pass(Duration.ofMillis(950));
    run.read(run.row("bad", "b"), run.row("good", "c"), run.row("good", "d"), run.row("good", "e"));
    run.unknown(run.sends().get(0));
    run.pass(Duration.ofMillis(60));
    assertThat(settlement(run).held())
        .extracting(OutboxRow::ref)
        .as("the breaker is open")
        .contains(poison.ref());

    run.pass(Duration.ofMillis(200));
    run.readHeld(poison);
    run.reject(run.sends().get(0));

    assertThat(settlement(run).failed()).singleElement().returns(2, FailedRow::attempts);
  }

  @Test
  void aPausedDestinationWaitsUntilItIsResumed() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.pauseDestinations("bad");
    run.read(run.row("bad", "a"), run.row("good", "b"));
    assertThat(run.sent()).containsExactly("e2");
    run.pauseDestinations();

    assertThat(run.sent()).containsExactly("e1");
  }

  @Test
  void anEventOfAPausedDestinationIsBuriedOrSkippedWithoutWaitingForIt() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(DEFAULTS, bury).started();
    run.pauseDestinations("bad");
    OutboxRow buried = run.row("bad", "a");
    OutboxRow skipped = run.row("bad", "b");
    run.read(buried, run.row("good", "a"), skipped, run.row("good", "b"));
    assertThat(run.sent()).isEmpty();
    run.request(asked(1, OperatorRequest.Verb.BURY, buried), "bad");
    List<Outgoing> copy = run.sends();
    assertThat(copy).singleElement().returns(Destination.topic("graves"), Outgoing::destination);
    run.confirm(copy);
    settlement(run);
    assertThat(run.sent()).containsExactly("e3");
    assertThat(settlement(run).handled())
        .containsExactly(new HandledRequest(1, buried.rowId(), true, "dead, copy sent"));
    run.request(asked(2, OperatorRequest.Verb.SKIP, skipped), "bad");
    settlement(run);

    assertThat(run.sent()).containsExactly("e4");
  }

  private static OperatorRequest asked(long id, OperatorRequest.Verb verb, OutboxRow row) {
    return new OperatorRequest(
        id, verb, row.rowId(), row, OperatorRequest.EventState.PENDING, "not wanted");
  }
}
