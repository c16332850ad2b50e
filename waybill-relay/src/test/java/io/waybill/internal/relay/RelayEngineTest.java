package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.waybill.broker.Outgoing;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One decision of the engine per test; how they play together is the simulation's. */
class RelayEngineTest {
  private static final EngineSettings DEFAULTS = EngineRun.DEFAULTS;

  @ParameterizedTest
  @CsvSource({"1, 8", "2, 4", "3, 3", "4, 2", "8, 1", "20, 1"})
  void takesItsFairShareOfTheLanesAndNoMore(int relays, int share) {
    EngineRun run = EngineRun.of(DEFAULTS);
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    assertThat(run.take(Effect.Join.class)).hasSize(1);
    run.joined();
    assertThat(run.take(Effect.View.class)).hasSize(1);
    run.view(relays);

    assertThat(run.take(Effect.Acquire.class))
        .singleElement()
        .satisfies(acquire -> assertThat(acquire.lanes()).hasSize(share));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 4", "3, 5", "4, 6", "8, 7"})
  void givesUpWhatExceedsItsShareWhenOthersJoin(int relays, int givenUp) {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.pass(Duration.ofSeconds(1));
    run.take(Effect.View.class);
    run.view(relays);
    run.answerAll();

    int released =
        run.told(RelayEvent.LanesChanged.class).stream()
            .mapToInt(change -> EngineRun.LANES - change.owned())
            .max()
            .orElse(0);
    assertThat(released).isEqualTo(givenUp);
  }

  @Test
  void sendsNothingWhenTooLittleOfTheLeaseIsLeft() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    // From here on no renewal is answered; 15 s of lease less 10.5 s that a send needs.
    run.pass(Duration.ofMillis(4_400));
    run.take(Effect.Renew.class);
    OutboxRow[] rows = {run.row("orders", "a"), run.row("orders", "b")};
    run.read(rows[0]);
    assertThat(run.sent()).containsExactly("e1");
    run.pass(Duration.ofMillis(200));
    run.read(rows[1]);

    assertThat(run.sent()).isEmpty();
  }

  @Test
  void theDefaultLeaseIsLongEnoughForADelivery() {
    assertThat(EngineSettings.defaults(Duration.ofSeconds(1), 1).lease())
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(EngineSettings.defaults(Duration.ofSeconds(60), 1).lease())
        .isEqualTo(Duration.ofSeconds(63));
  }

  @Test
  void aLeaseThatIsShorterThanADeliveryIsRefused() {
    EngineSettings good = EngineSettings.defaults(Duration.ofSeconds(13), 1);
    Duration lease = Duration.ofSeconds(15);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new EngineSettings(
                    good.maxRows(),
                    good.maxBytes(),
                    good.settleBatch(),
                    good.settleDelay(),
                    good.polling(),
                    lease,
                    good.renewInterval(),
                    good.viewInterval(),
                    good.deliveryTimeout(),
                    good.maxInFlight(),
                    good.maxInFlightPerKey()))
        .withMessage(
            "lease must be at least delivery timeout + renew interval + margin = 15500 ms,"
                + " but is 15000 ms");
  }

  @Test
  void severalSendsOfAKeyAreInFlightUpToTheBoundAndInOrder() {
    EngineRun run = EngineRun.of(EngineRun.bounds(100, 1 << 20, 100, 3)).started();
    run.read(run.rows("orders", "a", 5));

    List<Outgoing> first = run.sends();
    assertThat(first).extracting(Outgoing::eventId).containsExactly("e1", "e2", "e3");
    run.confirm(first.subList(0, 1));
    assertThat(run.sent()).containsExactly("e4");
  }

  @Test
  void onlyTheConfirmedPrefixOfAKeyCountsAndTheRestIsSentAgain() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.rows("orders", "a", 4));
    List<Outgoing> sends = run.sends();
    run.confirm(sends.subList(0, 1));
    run.confirm(sends.subList(2, 3));
    run.unknown(sends.get(1));
    run.idle(Duration.ofSeconds(5));
    assertThat(run.sent()).as("before the last outcome is known").isEmpty();
    run.unknown(sends.get(3));

    assertThat(run.settled().settlement().published())
        .extracting(OutboxRow::eventId)
        .containsExactly("e1");
    run.idle(Duration.ofSeconds(10));
    List<Outgoing> probe = run.sends();
    assertThat(probe).extracting(Outgoing::eventId).containsExactly("e2");
    run.confirm(probe);
    assertThat(run.sent()).containsExactly("e3", "e4");
  }

  @Test
  void unconfirmedSendsAreBounded() {
    EngineRun run = EngineRun.of(EngineRun.bounds(100, 1 << 20, 3, 100)).started();
    run.read(
        run.row("orders", "a"),
        run.row("orders", "b"),
        run.row("orders", "c"),
        run.row("orders", "d"),
        run.row("orders", "e"));

    List<Outgoing> sends = run.sends();
    assertThat(sends).hasSize(3);
    run.confirm(sends.subList(0, 2));
    assertThat(run.sends()).hasSize(2);
  }

  @Test
  void aMillionKeysLeaveNothingBehind() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    long before = usedMemory();
    for (int batch = 0; batch < 500; batch++) {
      OutboxRow[] rows = new OutboxRow[2_000];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = run.row("orders", batch + "-" + i);
      }
      run.read(rows);
      List<Outgoing> sends = run.sends();
      assertThat(sends).hasSize(rows.length);
      run.confirm(sends);
      run.pass(DEFAULTS.settleDelay());
      run.settled();
      run.told(RelayEvent.class);
    }

    // A key that is remembered costs a hundred bytes at least.
    assertThat(usedMemory() - before).isLessThan(50_000_000);
  }

  private static long usedMemory() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void completionIsBatchedOneAtATimeAndFenced() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"), run.row("orders", "c"));
    List<Outgoing> sends = run.sends();
    run.confirm(sends.subList(0, 1));
    run.confirm(sends.subList(1, 2));
    assertThat(run.take(Effect.Settle.class)).as("within the delay").isEmpty();
    run.pass(Duration.ofMillis(20));

    Effect.Settle first = run.take(Effect.Settle.class).get(0);
    assertThat(first.settlement().published())
        .extracting(OutboxRow::eventId)
        .containsExactly("e1", "e2");
    assertThat(first.session().fence()).isEqualTo(7);
    run.confirm(sends.subList(2, 3));
    run.pass(Duration.ofSeconds(1));
    assertThat(run.take(Effect.Settle.class)).as("while one is under way").isEmpty();

    run.apply(new Input.SettleDone(first, new Settled(false, 2)));
    assertThat(run.settled().settlement().published())
        .extracting(OutboxRow::eventId)
        .containsExactly("e3");
  }

  @Test
  void aFullBatchIsSettledWithoutDelay() {
    EngineSettings small =
        new EngineSettings(
            100,
            1 << 20,
            2,
            Duration.ofSeconds(5),
            DEFAULTS.polling().batch(100),
            DEFAULTS.lease(),
            DEFAULTS.renewInterval(),
            DEFAULTS.viewInterval(),
            DEFAULTS.deliveryTimeout(),
            100,
            100);
    EngineRun run = EngineRun.of(small).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"));
    run.confirm(run.sends());

    assertThat(run.settled().settlement().published()).hasSize(2);
  }

  @Test
  void aFencedRelayForgetsEverythingAndJoinsAnew() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"));
    run.confirm(run.sends().subList(0, 1));
    run.pass(Duration.ofMillis(20));
    Effect.Settle settle = run.take(Effect.Settle.class).get(0);
    run.apply(new Input.SettleDone(settle, new Settled(true, 0)));

    assertThat(run.told(RelayEvent.Fenced.class)).hasSize(1);
    assertThat(run.take(Effect.Join.class)).hasSize(1);
    run.pass(Duration.ofSeconds(5));
    assertThat(run.sent()).isEmpty();
    assertThat(run.take(Effect.Settle.class)).isEmpty();
  }

  @Test
  void aRelayWhoseDatabaseStandsElsewhereForgetsEverythingAndJoinsAnew() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"));
    run.confirm(run.sends().subList(0, 1));
    run.pass(Duration.ofMillis(20));
    Effect.Settle settle = run.take(Effect.Settle.class).get(0);
    run.apply(new Input.SessionLost(settle, settle.session()));

    assertThat(run.told(RelayEvent.Fenced.class)).hasSize(1);
    assertThat(run.take(Effect.Join.class)).hasSize(1);
    // Another line notices the same later.
    run.apply(new Input.SessionLost(settle, settle.session()));
    run.pass(Duration.ofSeconds(5));
    assertThat(run.sent()).isEmpty();
    assertThat(run.take(Effect.Settle.class)).isEmpty();
    assertThat(run.told(RelayEvent.Fenced.class)).isEmpty();
  }

  @Test
  void aSettlementCarriesTheRenewalsThatWereAnswered() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.idle(DEFAULTS.renewInterval().multipliedBy(3));
    run.read(run.row("orders", "a"));
    run.confirm(run.sends());
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().session().renewals()).isBetween(2L, 3L);
  }

  @Test
  void aStopSendsNothingMoreAwaitsSettlesAndLeaves() {
    EngineRun run = EngineRun.of(EngineRun.bounds(100, 1 << 20, 1, 100)).started();
    run.read(run.row("orders", "a"), run.row("orders", "b"));
    List<Outgoing> sends = run.sends();
    assertThat(sends).hasSize(1);
    run.apply(Input.Signal.STOP);
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).isEmpty();

    run.confirm(sends);
    assertThat(run.sent()).isEmpty();
    assertThat(run.settled().settlement().published()).hasSize(1);
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
    assertThat(run.told(RelayEvent.Left.class)).hasSize(1);
  }

  @Test
  void answersNoRequestOnceItLeaves() {
    EngineRun run = EngineRun.of(DEFAULTS).started();
    run.pass(Duration.ofMillis(1_100));
    assertThat(run.take(Effect.ReadControl.class)).hasSize(1);
    run.apply(Input.Signal.STOP);
    OperatorRequest request =
        new OperatorRequest(1, Verb.RETRY, 5L, null, EventState.GONE, "again");
    run.apply(new Input.ControlRead(List.of(request), Set.of()));

    assertThat(run.take(Effect.Settle.class)).isEmpty();
    run.answerAll();
    assertThat(run.take(Effect.Stopped.class)).hasSize(1);
  }
}
