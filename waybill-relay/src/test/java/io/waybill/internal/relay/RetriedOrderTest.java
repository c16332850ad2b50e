package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.store.Backlog;
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

/** Events of one key that were given up, and that an operator has tried again. */
class RetriedOrderTest {
  private final EngineRun run = EngineRun.of(EngineRun.bounds(1_000, 1_000_000, 100, 1)).started();
  private final OutboxRow first = run.row("a", "k");
  private final OutboxRow second = run.row("a", "k");
  private final OutboxRow third = run.row("a", "k");
  private long lastRequest;

  private OperatorRequest retry(OutboxRow row, EventState state) {
    return new OperatorRequest(++lastRequest, Verb.RETRY, row.rowId(), row, state, "mended");
  }

  private OperatorRequest skip(OutboxRow row) {
    return new OperatorRequest(
        ++lastRequest, Verb.SKIP, row.rowId(), row, EventState.PENDING, "of no use");
  }

  private OperatorRequest retry(OutboxRow dead) {
    return retry(dead, EventState.DEAD);
  }

  /** Confirms what is sent, one after the other, and says what that was. */
  private List<String> sentInTurn(EngineRun run) {
    List<String> sent = new ArrayList<>();
    for (List<Outgoing> sends = run.sends(); !sends.isEmpty(); sends = run.sends()) {
      assertThat(sends).hasSize(1);
      sent.add(sends.get(0).eventId());
      run.confirm(sends);
    }
    return sent;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoseOfOneLookGoInTheOrderOfTheirKeyWhicheverWasAskedForFirst(boolean inOrder) {
    if (inOrder) {
      run.requests(List.of(retry(first), retry(second), retry(third)));
    } else {
      run.requests(List.of(retry(third), retry(first), retry(second)));
    }

    assertThat(sentInTurn(run)).containsExactly("e1", "e2", "e3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoseOfSeveralLooksGoInOrderAsLongAsNoneWasSent(boolean inOrder) {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.requests(List.of(retry(inOrder ? first : second)));
    run.settleAll();
    run.requests(List.of(retry(inOrder ? second : first)));
    run.settleAll();
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(sentInTurn(run)).containsExactly("e1", "e2");
  }

  @Test
  void oneGoesBeforeTheRowsThatWaitAndComeAfterIt() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(first, third);
    run.requests(List.of(retry(second)));
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(sentInTurn(run)).containsExactly("e1", "e2", "e3");
  }

  /** What the relay has read of it may be what was there before, so the table is asked first. */
  @Test
  void aDeadRowThatStillWaitsInMemoryIsTriedAgainAfterALook() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(second, third);
    run.stands(second, EventState.DEAD);
    OperatorRequest asked = retry(second);
    run.request(asked);
    assertThat(run.take(Effect.Settle.class)).isEmpty();
    run.answerAll();
    run.request(asked);
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(run.settled().settlement().handled())
        .containsExactly(asked.answer(true, "tried now"));
    assertThat(sentInTurn(run)).containsExactly("e2", "e3");
  }

  /** Somebody sets it back with SQL, and it is given up nevertheless, or set back once more. */
  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"DEAD", "PENDING"})
  void oneThatIsReadAgainWhileItIsBeingGivenUpIsLookedAtFirst(EventState state) {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(first);
    run.requests(List.of(skip(first)));
    run.pass(Duration.ofMillis(20));
    Effect.Settle end = run.take(Effect.Settle.class).get(0);
    run.read(first);
    run.stands(first, state);
    run.done(end);
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    run.answerAll();
    List<Outgoing> sends = run.sends();
    run.read(first);
    List<String> sent = new ArrayList<>(sends.stream().map(Outgoing::eventId).toList());
    run.confirm(sends);
    sent.addAll(sentInTurn(run));

    assertThat(sent).containsExactly("e1");
  }

  /** If the database refuses that, the later one comes back and blocks what is held. */
  @Test
  void oneIsNotTriedAgainWhileALaterOneIsBeingGivenUp() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(second);
    OperatorRequest again = retry(first);
    run.requests(List.of(skip(second), again));
    run.pass(Duration.ofMillis(20));
    Effect.Settle refused = run.take(Effect.Settle.class).get(0);
    assertThat(refused.settlement().failed()).extracting(FailedRow::row).containsExactly(second);
    run.refused(refused, false, "a trigger says no");
    Effect.Settle aside = run.take(Effect.Settle.class).get(0);
    assertThat(aside.settlement().setAside()).extracting(FailedRow::row).containsExactly(second);
    assertThat(aside.settlement().held()).isEmpty();
    run.done(aside);

    run.request(again);
    assertThat(run.settled().settlement().handled())
        .containsExactly(again.answer(false, "its key is blocked or catching up: fix that first"));
  }

  @Test
  void anEarlierRowThatWasCommittedLateIsNoReasonToGoBehindLaterOnes() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(third);
    run.read(first);
    run.requests(List.of(retry(second)));
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(sentInTurn(run)).containsExactly("e2", "e3", "e1");
  }

  /** The one before it is known to be tried again, and is no more reason than a late one. */
  @Test
  void anEarlierOneThatWasSetBackBehindLaterOnesIsNoReasonToGoBehindThem() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.requests(List.of(retry(first)));
    run.pass(Duration.ofMillis(20));
    run.settleAll();
    run.requests(List.of(skip(first)));
    run.pass(Duration.ofMillis(20));
    run.settleAll();
    run.read(third);
    run.read(first);
    run.stands(first, EventState.PENDING);
    run.answerAll();
    run.requests(List.of(retry(second)));
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    run.pass(Duration.ofMillis(20));
    run.answerAll();

    assertThat(sentInTurn(run)).containsExactly("e2", "e3", "e1");
  }

  @Test
  void oneGoesNextWhereALaterOneIsInFlight() {
    run.requests(List.of(retry(second)));
    List<Outgoing> inFlight = run.sends();
    assertThat(inFlight).extracting(Outgoing::eventId).containsExactly("e2");
    run.settleAll();
    run.read(third);
    run.requests(List.of(retry(first)));
    assertThat(run.sent()).isEmpty();
    run.confirm(inFlight);

    assertThat(sentInTurn(run)).containsExactly("e1", "e3");
  }

  @Test
  void thoseBehindOneInFlightStayInOrderWhenThatIsToBeSentAgain() {
    run.read(third);
    Outgoing inFlight = run.sends().get(0);
    run.requests(List.of(retry(first)));
    run.settleAll();
    run.unknown(inFlight);
    run.requests(List.of(retry(second)));
    run.settleAll();
    run.idle(Duration.ofMillis(1_100));

    assertThat(sentInTurn(run)).containsExactly("e3", "e1", "e2");
  }

  /** What was sent before, and waits for another try, may go first. */
  @Test
  void thoseBehindOneThatWaitsToBeSentAgainStayInOrder() {
    run.read(third);
    Outgoing inFlight = run.sends().get(0);
    run.requests(List.of(retry(first)));
    run.settleAll();
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.unknown(inFlight);
    run.idle(Duration.ofMillis(1_100));
    run.requests(List.of(retry(second)));
    run.settleAll();
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(sentInTurn(run)).containsExactly("e3", "e1", "e2");
  }

  @Test
  void oneThatIsRejectedAgainKeepsItsPlace() {
    run.requests(List.of(retry(second), retry(first)));
    run.settleAll();
    run.reject(run.sends().get(0));
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().held()).containsExactly(second);

    OperatorRequest late = retry(third);
    run.request(late);
    assertThat(run.settled().settlement().handled())
        .containsExactly(late.answer(false, "its key is blocked or catching up: fix that first"));
    run.idle(Duration.ofMillis(1_100));

    assertThat(sentInTurn(run)).containsExactly("e1");
    run.pass(Duration.ofMillis(20));
    run.settleAll();
    run.readHeld(second);
    assertThat(sentInTurn(run)).containsExactly("e2");
  }

  @Test
  void thoseBesideAParkedOneThatIsTakenBackGoInOrder() {
    EngineRun owner = EngineRun.of(EngineRun.bounds(1_000, 1_000_000, 100, 1));
    FailedRow parked = new FailedRow(second, RowState.PARKED, 1, false, 0, "too-large", "no");
    owner.started(new Backlog(List.of(parked), List.of()));
    owner.requests(List.of(retry(second, EventState.PARKED), retry(third), retry(first)));

    assertThat(sentInTurn(owner)).containsExactly("e1", "e2", "e3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereIdsAreInNoOrderTheOlderOneGoesFirst(boolean inOrder) {
    OutboxRow older = named("z", 10);
    OutboxRow younger = named("a", 20);
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.read(named("m", 30));
    run.requests(List.of(retry(inOrder ? older : younger), retry(inOrder ? younger : older)));
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(sentInTurn(run)).containsExactly("z", "a", "m");
  }

  @Test
  void whereNothingTellsTheOrderTheyGoAsTheyWereAskedFor() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.requests(List.of(retry(named("z", 10)), retry(named("a", 10)), retry(named("m", 10))));
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);

    assertThat(sentInTurn(run)).containsExactly("z", "a", "m");
  }

  /** A row of a table whose ids are texts. */
  private OutboxRow named(String id, long created) {
    return new OutboxRow(
        id,
        first.lane(),
        id,
        "a",
        1,
        first.key(),
        first.payload(),
        "text/plain",
        null,
        null,
        null,
        null,
        created,
        created + 1,
        false);
  }
}
