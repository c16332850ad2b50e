package io.waybill.internal.relay;

import static io.waybill.internal.relay.RunRequests.sentInTurn;
import static io.waybill.internal.relay.RunRequests.settle;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that people change with SQL while they wait, and their places in their key. */
class DoubtedOrderTest {
  private static final EngineSettings ONE_AT_A_TIME = EngineRun.bounds(1_000, 1_000_000, 100, 1);
  private static final EngineSettings SEVERAL = EngineRun.bounds(1_000, 1_000_000, 100, 10);

  private final EngineRun run = EngineRun.of(ONE_AT_A_TIME).started();
  private final OutboxRow first = run.row("a", "k");
  private final OutboxRow second = run.row("a", "k");
  private final OutboxRow third = run.row("a", "k");
  private final RunRequests asked = new RunRequests();

  /** Rejects the only one in flight, and settles what becomes of its key. */
  private static void reject(EngineRun run, OutboxRow row) {
    List<Outgoing> sends = run.sends();
    assertThat(sends).extracting(Outgoing::eventId).containsExactly(row.eventId());
    run.reject(sends.get(0));
    settle(run);
  }

  /** The reader returns a row anew, since somebody has set it back. */
  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"HELD", "PENDING"})
  void oneThatIsReadAgainStaysBehindThoseThatAreHeld(EventState state) {
    run.requests(List.of(asked.retry(first), asked.retry(second), asked.retry(third)));
    run.settleAll();
    reject(run, first);
    run.read(third);
    run.stands(third, state);
    run.idle(Duration.ofMillis(1_100));

    assertThat(sentInTurn(run)).containsExactly("e1");
    settle(run);
    run.readHeld(second, third);
    assertThat(sentInTurn(run)).containsExactly("e2", "e3");
  }

  /** What stood before it goes back into the database while it waits for a look. */
  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"PENDING", "RETRY"})
  void oneThatIsAskedForTwiceStaysBehindThoseThatGoBack(EventState state) {
    run.requests(List.of(asked.retry(first), asked.retry(second), asked.retry(third)));
    run.settleAll();
    List<Outgoing> inFlight = run.sends();
    run.requests(List.of(asked.retry(third)));
    run.reject(inFlight.get(0));
    settle(run);
    run.stands(third, state);
    run.idle(Duration.ofMillis(1_100));

    assertThat(sentInTurn(run)).containsExactly("e1");
    settle(run);
    run.readHeld(second, third);
    assertThat(sentInTurn(run)).containsExactly("e2", "e3");
  }

  @Test
  void oneThatWasReadBackStaysBehindThoseThatGoBack() {
    RunHolds.park(run, first);
    OutboxRow fourth = run.row("a", "k");
    RunHolds.hold(run, second);
    RunHolds.hold(run, third);
    RunHolds.hold(run, fourth);
    run.stands(first, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));
    run.confirm(run.sends());
    settle(run);
    run.readHeld(second, third, fourth);
    List<Outgoing> inFlight = run.sends();
    run.requests(List.of(asked.retry(fourth)));
    run.reject(inFlight.get(0));
    settle(run);
    run.stands(fourth, EventState.HELD);
    run.idle(Duration.ofMillis(1_100));

    assertThat(sentInTurn(run)).containsExactly("e2");
    settle(run);
    run.readHeld(third, fourth);
    assertThat(sentInTurn(run)).containsExactly("e3", "e4");
  }

  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"PENDING", "RETRY"})
  void theFirstOneKeepsItsPlaceWhileItWaitsForItsNextAttempt(EventState state) {
    RetryPolicy slow =
        RetryPolicy.builder().constant(Duration.ofMinutes(10)).attemptLimit(3).build();
    EngineRun waits = new EngineRun(ONE_AT_A_TIME, slow, to -> new FailurePolicy.Park()).started();
    OutboxRow head = waits.row("a", "k");
    waits.read(head, waits.row("a", "k"));
    reject(waits, head);
    waits.request(asked.retry(head));
    waits.stands(head, state);
    waits.answerAll();
    assertThat(waits.take(Effect.Settle.class)).isEmpty();

    OperatorRequest again = asked.ask(Verb.RETRY, head, state);
    waits.request(again);
    assertThat(waits.settled().settlement().handled())
        .containsExactly(again.answer(true, "tried now"));
    assertThat(waits.sent()).containsExactly(head.eventId());
  }

  /** Its replay changes nothing of the row. */
  @Test
  void oneThatIsReadAgainBesideItsReplayIsSent() {
    OutboxRow dead = first;
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    giveUpOnceMore(run, dead);
    run.requests(List.of(asked.ask(Verb.REPLAY, dead, EventState.DEAD)));
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    List<Outgoing> replay = run.sends();
    run.stands(dead, EventState.PENDING);
    run.read(dead);
    run.answerAll();
    run.confirm(replay);
    run.answerAll();
    settle(run);

    assertThat(run.sent()).containsExactly("e1");
  }

  @Test
  void oneThatIsReadAgainBesideItsReplayIsLookedAtOnce() {
    EngineRun wide = EngineRun.of(SEVERAL).started();
    OutboxRow dead = wide.row("a", "k");
    wide.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    giveUpOnceMore(wide, dead);
    wide.requests(List.of(asked.ask(Verb.REPLAY, dead, EventState.DEAD)));
    wide.apply(Input.Signal.PUBLISHER_AVAILABLE);
    assertThat(wide.sends()).hasSize(1);
    wide.stands(dead, EventState.PENDING);
    wide.read(dead);

    assertThat(looksInAMillisecond(wide)).isEqualTo(1);
  }

  /** It was held and read back; then somebody removed the record that it is held. */
  @Test
  void oneThatIsReadAgainWhileItIsInFlightStandsInMemoryOnce() {
    EngineRun wide = EngineRun.of(SEVERAL).started();
    OutboxRow rejected = wide.row("a", "k");
    OutboxRow held = wide.row("a", "k");
    wide.requests(List.of(asked.retry(rejected), asked.retry(held)));
    wide.settleAll();
    List<Outgoing> both = wide.sends();
    wide.confirm(both.subList(1, 2));
    wide.reject(both.get(0));
    settle(wide);
    wide.idle(Duration.ofMillis(1_100));
    wide.confirm(wide.sends());
    settle(wide);
    wide.readHeld(held);
    assertThat(wide.sends()).hasSize(1);
    wide.read(held);

    assertThat(looksInAMillisecond(wide)).isZero();
  }

  private void giveUpOnceMore(EngineRun engine, OutboxRow row) {
    engine.requests(List.of(asked.retry(row)));
    settle(engine);
    engine.requests(List.of(asked.ask(Verb.SKIP, row, EventState.RETRY)));
    settle(engine);
  }

  private static int looksInAMillisecond(EngineRun run) {
    int before = run.looks();
    for (int i = 0; i < 1_000; i++) {
      run.pass(Duration.ofNanos(1_000));
      run.take(Effect.Look.class).forEach(run::answer);
      run.take(Effect.Read.class).forEach(run::answer);
    }
    return run.looks() - before;
  }

  /** The broker may have stored it when it was held; what is read anew knows nothing of that. */
  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"HELD", "PENDING"})
  void oneThatIsReadAgainIsNotGivenUpWhereACopyMayExist(EventState state) {
    EngineRun buries = EngineRun.of(SEVERAL, new FailurePolicy.Bury(null)).started();
    buries.idle(Duration.ofMinutes(2));
    OutboxRow rejected = buries.row("a", "k");
    OutboxRow unknown = buries.row("a", "k");
    buries.requests(List.of(asked.retry(rejected), asked.retry(unknown)));
    buries.settleAll();
    List<Outgoing> both = buries.sends();
    buries.unknown(both.get(1));
    buries.reject(both.get(0));
    settle(buries);
    OutboxRow shown = unknown.sends(1);
    buries.stands(shown, state);
    buries.read(shown);
    buries.idle(Duration.ofMillis(1_100));
    buries.settleAll();
    buries.confirm(buries.sends());
    settle(buries);
    buries.readHeld(shown);
    List<RowState> states = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      buries.reject(buries.sends().get(0));
      buries.pass(Duration.ofMillis(20));
      buries.settled().settlement().failed().stream().map(FailedRow::state).forEach(states::add);
      buries.idle(Duration.ofMillis(1_100));
    }

    assertThat(states).containsExactly(RowState.RETRY, RowState.RETRY, RowState.PARKED);
  }

  /** The database refuses for good that it is given up where it is held. */
  @Test
  void aRefusedSkipLeavesWhatIsKnownOfAHeldRow() {
    EngineRun buries = EngineRun.of(SEVERAL, new FailurePolicy.Bury(null)).started();
    buries.idle(Duration.ofMinutes(2));
    OutboxRow rejected = buries.row("a", "k");
    OutboxRow unknown = buries.row("a", "k");
    buries.read(rejected, unknown);
    List<Outgoing> both = buries.sends();
    buries.unknown(both.get(1));
    buries.reject(both.get(0));
    settle(buries);
    buries.request(asked.ask(Verb.SKIP, unknown, EventState.HELD));
    buries.pass(Duration.ofMillis(20));
    Effect.Settle skip = buries.take(Effect.Settle.class).get(0);
    assertThat(skip.settlement().failed()).hasSize(1);
    buries.refused(skip, false, "a trigger says no");
    settle(buries);
    buries.idle(Duration.ofMillis(1_100));
    buries.confirm(buries.sends());
    settle(buries);
    buries.readHeld(unknown);
    buries.reject(buries.sends().get(0));
    buries.pass(Duration.ofMillis(20));

    assertThat(buries.settled().settlement().failed())
        .extracting(FailedRow::unknownOutcome)
        .containsExactly(true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rowsThatAreHeldAreToldOnce(boolean together) {
    run.read(first, second);
    if (!together) {
      run.reject(run.sends().get(0));
      run.read(third);
    } else {
      run.read(third);
      run.reject(run.sends().get(0));
    }

    assertThat(run.told(RelayEvent.Held.class))
        .extracting(RelayEvent.Held::rows)
        .satisfies(rows -> assertThat(rows.stream().mapToInt(one -> one).sum()).isEqualTo(2));
  }
}
