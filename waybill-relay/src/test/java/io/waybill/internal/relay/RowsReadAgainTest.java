package io.waybill.internal.relay;

import static io.waybill.internal.relay.RunRequests.sentInTurn;
import static io.waybill.internal.relay.RunRequests.settle;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that the reader returns again, since somebody has changed them with SQL. */
class RowsReadAgainTest {
  private static final EngineSettings ONE = EngineRun.bounds(1_000, 1_000_000, 100, 1);
  private static final EngineSettings SEVERAL = EngineRun.bounds(1_000, 1_000_000, 100, 10);

  private final EngineRun run = EngineRun.of(ONE).started();
  private final OutboxRow first = run.row("a", "k");
  private final OutboxRow second = run.row("a", "k");
  private final OutboxRow third = run.row("a", "k");
  private final RunRequests asked = new RunRequests();

  /** The second and the third one were held behind the first and are in memory again. */
  private void readBack() {
    run.requests(List.of(asked.retry(first), asked.retry(second), asked.retry(third)));
    run.settleAll();
    run.reject(run.sends().get(0));
    settle(run);
    run.idle(Duration.ofMillis(1_100));
    run.confirm(run.sends());
    settle(run);
    run.readHeld(second, third);
  }

  private static List<OutboxRow> settleHeld(EngineRun run) {
    List<OutboxRow> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      run.pass(Duration.ofMillis(20));
      for (Effect.Settle s : run.take(Effect.Settle.class)) {
        held.addAll(s.settlement().held());
        run.done(s);
      }
    }
    return held;
  }

  /** It was read back, and the reader returns it anew. */
  @Test
  void oneWhoseRecordWasRemovedIsRecordedAnewWhenItGoesBack() {
    readBack();
    List<Outgoing> inFlight = run.sends();
    assertThat(inFlight).extracting(Outgoing::eventId).containsExactly("e2");
    // Somebody removes the held record of third; the reader returns it anew.
    run.stands(third, EventState.PENDING);
    run.read(third);
    run.reject(inFlight.get(0));
    // third has to be written as held again, or nobody reads it.
    List<OutboxRow> held = settleHeld(run);
    run.idle(Duration.ofMillis(1_100));
    List<String> sent = sentInTurn(run);
    held.addAll(settleHeld(run));
    run.idle(Duration.ofSeconds(60));
    held.addAll(settleHeld(run));
    sent.addAll(run.sent());
    boolean inMemory = sent.contains("e3");
    assertThat(inMemory || held.contains(third)).as("sent %s held %s", sent, held).isTrue();
  }

  @Test
  void thatACopyMayExistIsKnownWhereNothingIsHeld() {
    EngineRun buries = EngineRun.of(SEVERAL, new FailurePolicy.Bury(null)).started();
    buries.idle(Duration.ofMinutes(2));
    OutboxRow rejected = buries.row("a", "k");
    OutboxRow unknown = buries.row("a", "k");
    OutboxRow later = buries.row("a", "k");
    buries.requests(List.of(asked.retry(rejected), asked.retry(unknown)));
    buries.settleAll();
    List<Outgoing> both = buries.sends();
    buries.read(later);
    buries.unknown(both.get(1));
    buries.reject(both.get(0));
    settle(buries);
    buries.confirm(buries.sends());
    settle(buries);
    OutboxRow shown = unknown.sends(1);
    buries.stands(shown, EventState.PENDING);
    buries.idle(Duration.ofMillis(1_100));
    buries.confirm(buries.sends());
    settle(buries);
    // The held record of unknown was removed: only the later one is found.
    buries.readHeld(later);
    List<Outgoing> inFlight = buries.sends();
    assertThat(inFlight).extracting(Outgoing::eventId).containsExactly("e3");
    buries.read(shown);
    buries.idle(Duration.ofMillis(50));
    buries.confirm(inFlight);
    settle(buries);
    List<RowState> states = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      buries.idle(Duration.ofMillis(1_100));
      List<Outgoing> x = buries.sends();
      assertThat(x).extracting(Outgoing::eventId).containsExactly("e2");
      buries.reject(x.get(0));
      buries.pass(Duration.ofMillis(20));
      buries.settled().settlement().failed().stream().map(FailedRow::state).forEach(states::add);
    }
    assertThat(states).containsExactly(RowState.RETRY, RowState.RETRY, RowState.PARKED);
  }

  /** The change is made, and its answer comes late. */
  @Test
  void oneThatIsSetBackBeforeItIsKnownToBeHeldIsNotLost() {
    run.requests(List.of(asked.retry(first), asked.retry(second)));
    run.settleAll();
    run.reject(run.sends().get(0));
    run.pass(Duration.ofMillis(20));
    Effect.Settle held = run.take(Effect.Settle.class).get(0);
    assertThat(held.settlement().held()).containsExactly(second);
    // Committed; its record is removed; read anew; looked at before the answer comes.
    run.stands(second, EventState.PENDING);
    run.read(second);
    run.answerAll();
    run.done(held);
    List<OutboxRow> again = settleHeld(run);
    run.idle(Duration.ofMillis(1_100));
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<Outgoing> x = run.sends();
      x.forEach(one -> sent.add(one.eventId()));
      run.confirm(x);
      again.addAll(settleHeld(run));
      run.idle(Duration.ofMillis(100));
    }
    assertThat(sent.contains("e2") || again.contains(second))
        .as("sent %s held %s", sent, again)
        .isTrue();
  }

  @Test
  void oneInDoubtIsNotParkedBeforeALook() {
    run.requests(List.of(asked.retry(first), asked.retry(third)));
    run.settleAll();
    run.read(second);
    run.reject(run.sends().get(0));
    settle(run);
    run.idle(Duration.ofMillis(1_100));
    List<Outgoing> inFlight = run.sends();
    assertThat(inFlight).extracting(Outgoing::eventId).containsExactly("e1");
    run.stands(third, EventState.PENDING);
    Effect.Read unused = run.nextRead();
    run.confirm(inFlight);
    run.pass(Duration.ofMillis(1_500));
    run.settleAll();
    run.apply(new Input.RowsRead(new ReadResult(List.of(third), false)));
    assertThat(run.take(Effect.ReadControl.class)).hasSize(1);
    run.apply(
        new Input.ControlRead(List.of(asked.ask(Verb.PARK, third, EventState.PENDING)), Set.of()));
    settle(run);
    run.request(asked.ask(Verb.RETRY, third, EventState.PARKED));
    settle(run);
    assertThat(run.sent()).doesNotContain("e3");
  }

  @Test
  void oneWhoseRecordIsGoneAtALookIsRecordedAnewWhenItGoesBack() {
    readBack();
    List<Outgoing> inFlight = run.sends();
    run.stands(third, EventState.PENDING);
    run.requests(List.of(asked.retry(third)));
    run.answerAll();
    run.read(third);
    run.answerAll();
    run.reject(inFlight.get(0));
    List<OutboxRow> held = settleHeld(run);
    run.idle(Duration.ofMillis(1_100));
    List<String> sent = sentInTurn(run);
    assertThat(sent.contains("e3") || held.contains(third))
        .as("sent %s held %s", sent, held)
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void attemptsBeforeItWasGivenUpDoNotCount(int sends) {
    EngineRun run = EngineRun.of(ONE).started();
    run.idle(Duration.ofMinutes(2));
    OutboxRow first = run.row("a", "k");
    OutboxRow second = run.row("a", "k");
    OutboxRow third = run.row("a", "k");
    run.read(second);
    run.reject(run.sends().get(0));
    settle(run);
    run.idle(Duration.ofMillis(1_100));
    run.reject(run.sends().get(0));
    settle(run);
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.idle(Duration.ofMillis(1_100));
    run.requests(List.of(asked.retry(first)));
    settle(run);
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    List<Outgoing> x = run.sends();
    assertThat(x).extracting(Outgoing::eventId).containsExactly("e1");
    run.reject(x.get(0));
    assertThat(settleHeld(run)).extracting(OutboxRow::eventId).containsExactly("e2");
    run.read(third);
    assertThat(settleHeld(run)).containsExactly(third);
    OutboxRow shown = second.sends(sends);
    run.request(asked.ask(Verb.SKIP, shown, EventState.HELD));
    run.pass(Duration.ofMillis(20));
    List<FailedRow> dead = new ArrayList<>();
    for (Effect.Settle s : run.take(Effect.Settle.class)) {
      dead.addAll(s.settlement().failed());
      run.settled(s);
    }
    assertThat(dead).extracting(FailedRow::state).containsExactly(RowState.DEAD);
    settle(run);
    run.idle(Duration.ofMillis(1_100));
    x = run.sends();
    assertThat(x).extracting(Outgoing::eventId).containsExactly("e1");
    run.confirm(x);
    settle(run);
    run.readHeld(third);
    x = run.sends();
    assertThat(x).extracting(Outgoing::eventId).containsExactly("e3");
    run.requests(List.of(asked.retry(shown)));
    settle(run);
    run.reject(x.get(0));
    assertThat(settleHeld(run)).extracting(OutboxRow::eventId).containsExactly("e2");
    run.idle(Duration.ofMillis(1_100));
    run.confirm(run.sends());
    settle(run);
    run.readHeld(shown);
    x = run.sends();
    assertThat(x).extracting(Outgoing::eventId).containsExactly("e2");
    run.reject(x.get(0));
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().failed())
        .extracting(FailedRow::state)
        .containsExactly(RowState.RETRY);
  }

  @Test
  void oneThatIsSetBackWhileItIsGivenUpIsSent() {
    EngineRun run = EngineRun.of(ONE).started();
    run.idle(Duration.ofMinutes(2));
    OutboxRow first = run.row("a", "k");
    OutboxRow second = run.row("a", "k");
    run.requests(List.of(asked.retry(first), asked.retry(second)));
    run.settleAll();
    run.reject(run.sends().get(0));
    settle(run);
    run.idle(Duration.ofMillis(1_100));
    run.confirm(run.sends());
    settle(run);
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.readHeld(second);
    run.requests(List.of(asked.ask(Verb.SKIP, second, EventState.HELD)));
    run.pass(Duration.ofMillis(20));
    Effect.Settle end = run.take(Effect.Settle.class).get(0);
    assertThat(end.settlement().failed())
        .extracting(FailedRow::state)
        .containsExactly(RowState.DEAD);
    run.stands(second, EventState.PENDING);
    run.read(second);
    run.answerAll();
    run.done(end);
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    run.answerAll();
    settle(run);
    run.idle(Duration.ofMillis(200));
    assertThat(run.sent()).containsExactly("e2");
  }

  @Test
  void oneThatIsSetBackTwiceIsSentOnce() {
    readBack();
    List<Outgoing> x = run.sends();
    assertThat(x).extracting(Outgoing::eventId).containsExactly("e2");
    run.stands(third, EventState.PENDING);
    run.read(third);
    run.answerAll();
    run.read(third);
    run.answerAll();
    List<String> sent = new ArrayList<>();
    for (; !x.isEmpty(); x = run.sends()) {
      x.forEach(one -> sent.add(one.eventId()));
      run.confirm(x);
      for (Effect.Settle s : run.take(Effect.Settle.class)) {
        s.settlement().published().forEach(one -> run.stands(one, EventState.PUBLISHED));
        s.settlement().recovered().forEach(one -> run.stands(one, EventState.PUBLISHED));
        run.done(s);
      }
      run.answerAll();
    }
    assertThat(sent).containsExactly("e2", "e3");
  }

  /** Somebody gives both up and sets them back while the first is in flight. */
  @Test
  void thoseThatAreInMemoryAreSentOnce() {
    run.read(first, second);
    run.read(second);
    run.read(first);
    List<String> sent = sentInTurn(run);

    assertThat(sent).containsExactly("e1", "e2");
  }
}
