package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.policy.FailurePolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of events whose destination refuses, whatever they are. */
class RelayEngineRefusalTest {
  @Test
  void aDestinationThatRefusesForHoursCostsNoAttemptAndHoldsUpNoOther() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("full", "a"), run.row("full", "b"), run.row("good", "c"));
    List<Outgoing> sends = run.sends();
    run.refuse(sends.get(0), "queue-full", false);
    run.refuse(sends.get(1), "queue-full", false);
    run.confirm(sends.subList(2, 3));
    assertThat(run.told(RelayEvent.BreakerChanged.class))
        .containsExactly(new RelayEvent.BreakerChanged("full", BreakerState.OPEN, "queue-full"));
    for (int i = 0; i < 500; i++) {
      run.idle(Duration.ofMillis(2_010));
      List<Outgoing> probes = run.sends();
      assertThat(probes).as("probes in two seconds").hasSize(1);
      run.refuse(probes.get(0), "queue-full", false);
    }
    assertThat(run.settled().settlement().failed()).isEmpty();
    run.read(run.row("good", "d"));
    assertThat(run.sent()).containsExactly("e4");

    List<String> flowed = new ArrayList<>();
    for (Duration time = Duration.ZERO;
        time.compareTo(Duration.ofSeconds(3)) < 0;
        time = time.plusMillis(10)) {
      run.idle(Duration.ofMillis(10));
      List<Outgoing> more = run.sends();
      run.confirm(more);
      more.forEach(message -> flowed.add(message.eventId()));
    }
    assertThat(flowed).as("after the repair").containsExactlyInAnyOrder("e1", "e2");
  }

  /** What the broker may answer for a destination that takes nothing. */
  enum Trouble {
    REFUSED,
    REFUSED_WITH_COPIES,
    SILENT
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void aDayOfTroubleGivesUpNothing(Trouble trouble) {
    FailurePolicy policy = new FailurePolicy.Bury(null);
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS, policy).started();
    run.read(run.row("ill", "a"), run.row("ill", "b"));
    int healthy = 0;
    for (int second = 0; second < 86_400; second++) {
      run.read(run.row("well", "c"));
      for (Outgoing send : run.sends()) {
        if (send.destination().target().equals("well")) {
          run.confirm(List.of(send));
          healthy++;
        } else if (trouble == Trouble.SILENT) {
          run.unknown(send);
        } else {
          run.refuse(send, "nacked", trouble == Trouble.REFUSED_WITH_COPIES);
        }
      }
      run.pass(Duration.ofSeconds(1));
      run.answerAll();
      run.take(Effect.Settle.class)
          .forEach(settle -> assertThat(run.done(settle).settlement().failed()).isEmpty());
      assertThat(run.told(RelayEvent.class)).noneMatch(RelayEvent.Parked.class::isInstance);
    }
    assertThat(healthy).as("of the other destination").isGreaterThanOrEqualTo(86_399);
  }

  @Test
  void aCopyThatMayExistIsRemembered() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS, new FailurePolicy.Bury(null)).started();
    run.read(run.row("fanout", "a"));
    run.refuse(run.sends().get(0), "nacked", true);
    FailedRow last = null;
    for (int i = 0; i < 3; i++) {
      run.pass(Duration.ofSeconds(1));
      run.reject(run.sends().get(0));
      run.pass(Duration.ofMillis(20));
      last = run.settled().settlement().failed().get(0);
    }
    assertThat(last)
        .as("not buried, and not for the refusal")
        .returns(RowState.PARKED, FailedRow::state)
        .returns(3, FailedRow::attempts)
        .returns(true, FailedRow::unknownOutcome);
  }

  @Test
  void aQueueThatTakesSomeIsNotSentThousandsThatItRefuses() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    for (int i = 0; i < 500; i++) {
      run.read(run.row("full", "k" + i));
    }
    run.refuse(run.sends());
    int taken = 0;
    int refused = 0;
    while (taken < 500) {
      run.idle(Duration.ofMillis(100));
      // There is room for ten in a hundred milliseconds.
      List<Outgoing> sends = run.sends();
      List<Outgoing> fit = sends.subList(0, Math.min(10, sends.size()));
      run.confirm(fit);
      run.refuse(sends.subList(fit.size(), sends.size()));
      taken += fit.size();
      refused += sends.size() - fit.size();
    }
    assertThat(refused).isLessThan(500);
    run.idle(Duration.ofSeconds(3));
    assertThat(run.told(RelayEvent.BreakerChanged.class))
        .extracting(RelayEvent.BreakerChanged::state)
        .containsExactly(BreakerState.OPEN, BreakerState.CLOSED);
  }

  @Test
  void theReasonThatPeopleSeeIsTheLastOne() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"));
    run.unknown(run.sends().get(0));
    run.idle(Duration.ofSeconds(2));
    run.refuse(run.sends().get(0), "topic-missing", false);
    run.idle(Duration.ofSeconds(2));
    run.refuse(run.sends().get(0), "topic-missing", false);
    run.idle(Duration.ofSeconds(3));
    run.confirm(run.sends());
    assertThat(run.told(RelayEvent.BreakerChanged.class))
        .containsExactly(
            new RelayEvent.BreakerChanged("orders", BreakerState.OPEN, "timeout"),
            new RelayEvent.BreakerChanged("orders", BreakerState.OPEN, "topic-missing"),
            new RelayEvent.BreakerChanged("orders", BreakerState.CLOSED, "it answers again"));
    assertThat(run.rememberedDestinations()).isZero();
  }

  @Test
  void pausedAndResumedAreTwoTexts() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.pauseDestinations("orders");
    run.pauseDestinations();
    assertThat(run.told(RelayEvent.BreakerChanged.class))
        .containsExactly(
            new RelayEvent.BreakerChanged("orders", BreakerState.PAUSED, "an operator paused it"),
            new RelayEvent.BreakerChanged("orders", BreakerState.CLOSED, "an operator resumed it"));
    assertThat(run.rememberedDestinations()).isZero();
  }

  @Test
  void onlyWhoChoseToGiveUpGivesUp() {
    FailurePolicy policy = new FailurePolicy.Park(Duration.ofMinutes(5));
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS, policy).started();
    run.read(run.row("gone", "a"), run.row("gone", "b"));
    run.refuse(run.sends());
    for (int i = 0; i < 100; i++) {
      run.idle(Duration.ofSeconds(2));
      run.refuse(run.sends());
    }
    assertThat(run.take(Effect.Settle.class))
        .extracting(Effect.Settle::settlement)
        .as("after 200 s")
        .allMatch(settlement -> settlement.size() == settlement.noted().size());
    for (int i = 0; i < 60; i++) {
      run.idle(Duration.ofSeconds(2));
      run.refuse(run.sends());
    }
    assertThat(run.told(RelayEvent.Parked.class))
        .extracting(parked -> parked.failure().reason())
        .containsExactly("unroutable", "unroutable");
  }

  @Test
  void aSendThatDidNotLeaveTheProcessTripsNothingAndIsTriedAgainSoon() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"));
    List<Outgoing> sends = run.sends();
    run.notSent(sends.get(0));
    run.confirm(sends.subList(1, 2));
    assertThat(run.told(RelayEvent.BreakerChanged.class)).isEmpty();
    run.pass(Duration.ofMillis(100));
    assertThat(run.sent()).containsExactly("e1");
    assertThat(run.settled().settlement().failed()).isEmpty();
  }

  @Test
  void aBreakerInCommonGivesUpNothingThatWasRefusedForAMoment() {
    FailurePolicy policy = new FailurePolicy.Park(Duration.ofMinutes(5));
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS.bounds(1, 10_000), policy).started();
    run.read(run.row("ill/first", "a"), run.row("ill/second", "b"));
    run.refuse(run.sends());
    for (int i = 0; i < 140; i++) {
      run.idle(Duration.ofSeconds(2));
      run.refuse(run.sends());
    }
    run.read(run.row("ill/third", "c"));
    for (int i = 0; i < 20; i++) {
      run.idle(Duration.ofSeconds(2));
      run.refuse(run.sends());
    }
    assertThat(run.told(RelayEvent.Parked.class))
        .extracting(parked -> parked.failure().destination())
        .containsExactlyInAnyOrder("ill/first", "ill/second");
  }

  @Test
  void aBreakerInCommonIsForgottenWhenTheLastHasOneOfItsOwn() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS.bounds(1, 10_000)).started();
    run.read(run.row("ill/first", "a"), run.row("ill/second", "b"));
    run.refuse(run.sends());
    assertThat(run.rememberedDestinations()).isEqualTo(2);
    run.idle(Duration.ofSeconds(1));
    List<Outgoing> probes = run.sends();
    run.confirm(List.of(probes.get(0)));
    run.refuse(List.of(probes.get(1)));

    assertThat(run.rememberedDestinations()).isEqualTo(1);
  }

  @Test
  void aBreakerInCommonIsForgottenWhenTheLastThatStandsInItsLineBelongsToAnother() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS.bounds(1, 10_000)).started();
    run.read(run.row("ill/first", "a"));
    run.refuse(run.sends());
    run.read(run.rows("ill/second", "b", 30));
    run.sends().forEach(run::unknown);
    run.idle(Duration.ofSeconds(1));
    run.refuse(run.sends());
    for (int i = 0; i < 20; i++) {
      run.idle(Duration.ofSeconds(1));
      run.confirm(run.sends());
      run.settleAll();
    }

    assertThat(run.rememberedDestinations()).isZero();
  }

  @Test
  void aSendWithoutAnAnswerDoesNotWaitForDestinationsThatRefuse() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS.bounds(1, 10_000)).started();
    for (int i = 0; i < 60; i++) {
      run.read(run.row("ill/" + i, "k" + i));
      run.refuse(run.sends());
    }
    run.read(run.row("ill/well", "k"));
    run.unknown(run.sends().get(0));

    boolean again = false;
    for (int i = 0; i < 20 && !again; i++) {
      run.idle(Duration.ofMillis(50));
      List<Outgoing> sends = run.sends();
      again = sends.stream().anyMatch(send -> send.destination().routingKey().equals("well"));
      run.refuse(sends);
    }
    assertThat(again).as("within a second").isTrue();
  }

  @Test
  void aRowBehindOneThatIsRefusedDoesNotTakeTheLastRoom() {
    EngineRun run = EngineRun.of(EngineRun.bounds(2, 1_000_000, 10, 1)).started();
    run.read(run.row("ill", "a"));
    run.refuse(run.sends().get(0), "nacked", false);
    RunHolds.hold(run, run.row("ill", "a"));
    run.read(run.row("well", "b"));

    assertThat(run.sent()).containsExactly("e3");
  }
}
