package io.waybill.internal.relay;

import static io.waybill.internal.relay.RunRequests.settle;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.policy.FailurePolicy;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.Settlement.HandledRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that somebody sets back with SQL while their relay marks them as published. */
class ReadAgainWhilePublishingTest {
  private final EngineRun run = EngineRun.of(EngineRun.bounds(1_000, 1_000_000, 100, 1)).started();
  private final OutboxRow first = run.row("a", "k");

  private OutboxRow like(Object id, String eventId, String key) {
    return RunRows.like(
        first, id, eventId, new EventKey("order", key), Objects.requireNonNull(first.payload()));
  }

  /** Its mark is asked for, and not made yet. */
  private Effect.Settle mark(OutboxRow row) {
    run.read(row);
    run.confirm(run.sends());
    run.pass(Duration.ofMillis(20));
    return run.take(Effect.Settle.class).get(0);
  }

  /** Somebody has locked the row. */
  private void refuseMark(OutboxRow row) {
    run.refused(mark(row), true, "locked");
  }

  /** Confirms and settles what there is for 4 s. Returns which rows are held meanwhile. */
  private List<OutboxRow> goOn(List<String> sent) {
    List<OutboxRow> held = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<Outgoing> sends = run.sends();
      sends.forEach(one -> sent.add(one.eventId()));
      run.confirm(sends);
      run.idle(Duration.ofMillis(100));
      for (Effect.Settle settle : run.take(Effect.Settle.class)) {
        held.addAll(settle.settlement().held());
        run.done(settle);
      }
    }
    return held;
  }

  private List<String> sent() {
    List<String> sent = new ArrayList<>();
    assertThat(goOn(sent)).isEmpty();
    return sent;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneIsNeitherSentAgainNorHeld(boolean blocked) {
    OutboxRow second = run.row("a", "k");
    refuseMark(first);
    if (blocked) {
      run.read(second);
      run.reject(run.sends().get(0));
      settle(run);
    }
    run.read(first);
    run.stands(first, EventState.PUBLISHED);
    assertThat(sent()).doesNotContain("e1");
  }

  @Test
  void oneWithAnIdInNoOrderIsNotSentAgain() {
    OutboxRow row = like(UUID.randomUUID(), "u1", "k");
    refuseMark(row);
    run.read(row);
    run.stands(row, EventState.PUBLISHED);
    assertThat(sent()).isEmpty();
  }

  /** The read saw the table before the mark, and is answered after it. */
  @Test
  void oneThatIsReadBeforeItsMarkIsNotSentAgain() {
    refuseMark(first);
    run.pass(Duration.ofSeconds(2));
    Effect.Settle mark = run.take(Effect.Settle.class).get(0);
    Effect.Read unused = run.nextRead();
    run.stands(first, EventState.PUBLISHED);
    run.done(mark);
    run.apply(new Input.RowsRead(new ReadResult(List.of(first), false)));
    assertThat(sent()).isEmpty();
  }

  /** The same, and its mark was made at once: somebody set it back while it was in flight. */
  @Test
  void oneThatIsReadInFlightIsNotSentAgain() {
    run.read(first);
    List<Outgoing> inFlight = run.sends();
    Effect.Read unused = run.nextRead();
    run.pass(Duration.ofMillis(200));
    run.confirm(inFlight);
    run.pass(Duration.ofMillis(20));
    run.stands(first, EventState.PUBLISHED);
    run.done(run.take(Effect.Settle.class).get(0));
    run.apply(new Input.RowsRead(new ReadResult(List.of(first), false)));
    assertThat(sent()).isEmpty();
  }

  @Test
  void ofWhatIsPublishedWhileNothingIsReadNothingIsKept() {
    KeyQueue key = new KeyQueue(new EventKey("order", "k"), first.lane());
    Entry entry = new Entry(first, key, 0);
    entry.confirmed(0);
    SettleBuffer buffer = new SettleBuffer();
    buffer.published(entry, 0);
    SettleBuffer.Batch batch = buffer.take();
    ChangesMeanwhile changes = new ChangesMeanwhile();
    long later = Duration.ofSeconds(1).toNanos();
    changes.settled(batch, later);
    assertThat(changes.publishedSinceRead(first)).isNull();
    changes.readBegins();
    changes.settled(batch, later);
    assertThat(changes.publishedSinceRead(first)).isSameAs(entry);
    changes.readEnds();
    assertThat(changes.publishedSinceRead(first)).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = {"BURY", "PARK"})
  void oneIsNotGivenUpBeforeALook(Verb verb) {
    // No message of a former owner is on its way any more.
    run.idle(Duration.ofMinutes(2));
    refuseMark(first);
    run.read(first);
    Effect.Read unused = run.nextRead();
    run.pass(Duration.ofSeconds(2));
    run.stands(first, EventState.PUBLISHED);
    run.done(run.take(Effect.Settle.class).get(0));
    run.apply(new Input.RowsRead(new ReadResult(List.of(), false)));
    assertThat(run.take(Effect.ReadControl.class)).hasSize(1);
    OperatorRequest request = new RunRequests().ask(verb, first, EventState.PUBLISHED);
    run.apply(new Input.ControlRead(List.of(request), Set.of()));
    run.idle(Duration.ofMillis(200));
    assertThat(run.sent()).isEmpty();
    assertThat(run.take(Effect.Settle.class))
        .allSatisfy(settle -> assertThat(settle.settlement().failed()).isEmpty());
  }

  /** Nobody takes the copy, and a look shows that the row is dead already. */
  @Test
  void aSkipOfOneWhoseCopyWaitsIsAnswered() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun buries = EngineRun.of(EngineRun.bounds(1_000, 1_000_000, 100, 1), bury).started();
    buries.idle(Duration.ofMinutes(2));
    OutboxRow row = buries.row("a", "k");
    buries.read(row);
    for (int i = 0; i < 3; i++) {
      buries.reject(buries.sends().get(0));
      settle(buries);
      buries.idle(Duration.ofMillis(1_100));
    }
    buries.refuse(buries.sends());
    buries.idle(Duration.ofMillis(50));
    buries.stands(row, EventState.DEAD);
    OperatorRequest skip = new RunRequests().ask(Verb.SKIP, row, EventState.DEAD);
    List<HandledRequest> answers = new ArrayList<>();
    for (int i = 0; i < 5 && answers.isEmpty(); i++) {
      buries.request(skip);
      buries.idle(Duration.ofMillis(100));
      for (Effect.Settle settle : buries.take(Effect.Settle.class)) {
        answers.addAll(settle.settlement().handled());
        buries.done(settle);
      }
      buries.refuse(buries.sends());
    }
    assertThat(answers).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"PUBLISHED, already published", "PENDING, already waits for its turn"})
  void aRetryOfOneThatNeedsNoneIsAnsweredAsItStands(EventState state, String note) {
    run.request(new RunRequests().ask(Verb.RETRY, first, state));
    run.pass(Duration.ofMillis(200));
    assertThat(run.settled().settlement().handled())
        .singleElement()
        .returns(note, HandledRequest::note);
  }

  /** The read was answered after the mark, and saw the table after it too. */
  @Test
  void oneThatIsSetBackAfterItsMarkIsSentAgain() {
    Effect.Settle mark = mark(first);
    run.read(first);
    run.stands(first, EventState.PENDING);
    run.done(mark);
    assertThat(sent()).containsExactly("e1");
  }

  /** Somebody gives it another key, or has emptied the table: another event has its number. */
  @ParameterizedTest
  @CsvSource({"e1, m", "n1, k"})
  void anotherEventThereIsSentInItsTurn(String eventId, String key) {
    Effect.Settle mark = mark(first);
    OutboxRow before = run.row("a", "m");
    run.read(before);
    run.confirm(run.sends());
    OutboxRow other = like(first.rowId(), eventId, key);
    OutboxRow next = run.row("a", key);
    run.stands(other, EventState.PENDING);
    run.read(other, next);
    run.answerAll();
    run.done(mark);
    assertThat(sent()).containsExactly(eventId, next.eventId());
  }

  @Test
  void oneWhoseMarkIsThenRefusedForGoodIsSentOnceItIsSetBackAgain() {
    OutboxRow second = run.row("a", "k");
    refuseMark(first);
    run.read(first);
    run.pass(Duration.ofSeconds(2));
    run.refused(run.take(Effect.Settle.class).get(0), false, "trigger");
    run.stands(first, EventState.PARKED);
    settle(run);
    run.read(second);
    assertThat(goOn(new ArrayList<>())).containsExactly(second);
    run.stands(first, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));
    assertThat(run.sent()).containsExactly("e1");
  }
}
