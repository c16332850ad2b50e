package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that people change with SQL while the relay has them in memory, or its key is parked. */
class RelayEngineLookTest {
  private final EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();

  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"GONE", "PUBLISHED", "DEAD"})
  void aKeyGoesOnWhenSomebodyRemovedOrMarkedItsParkedRow(EventState now) {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);
    OutboxRow behind = run.row("a", "k");
    RunHolds.hold(run, behind);

    run.stands(parked, now);
    run.idle(Duration.ofMillis(26_500));
    run.readHeld(behind);

    assertThat(run.sent()).containsExactly(behind.eventId());
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().forgotten()).containsExactly(parked.ref());
  }

  @Test
  void aParkedRowThatSomebodySetBackIsTriedBeforeWhatWaitsBehindIt() {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);
    OutboxRow behind = run.row("a", "k");
    RunHolds.hold(run, behind);

    RunHolds.setBack(run, parked, behind);
  }

  @Test
  void aNewRowWithTheIdOfAParkedOneIsNotThatOne() {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);
    run.idsBeginAgain();
    OutboxRow anew = run.row("a", "k");
    assertThat(anew.rowId()).isEqualTo(parked.rowId());
    run.read(anew);
    run.pass(Duration.ofMillis(20));
    assertThat(run.sent()).isEmpty();
    assertThat(run.settled().settlement().held()).containsExactly(anew);

    run.idle(Duration.ofMillis(26_500));
    run.readHeld(anew);

    assertThat(run.sent()).containsExactly(anew.eventId());
  }

  @Test
  void aRowWithoutAKeyIsNotSentAgainWithAnOldOneThatHadItsNumber() {
    OutboxRow old = run.rowWithoutKey("a");
    run.read(old);
    Outgoing sent = run.sends().get(0);
    run.idsBeginAgain();
    OutboxRow anew = run.rowWithoutKey("a");
    assertThat(anew.rowId()).isEqualTo(old.rowId());
    run.read(anew);
    List<Outgoing> second = run.sends();
    run.confirm(second);
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().published()).containsExactly(anew);

    run.unknown(sent);
    run.idle(Duration.ofSeconds(5));

    assertThat(second).extracting(Outgoing::eventId).containsExactly(anew.eventId());
    assertThat(run.sent()).isEmpty();
    assertThat(run.gauges().inFlightBytes()).isZero();
  }

  @Test
  void aRowWithoutAKeyWaitsForNoOldOneThatHadItsNumber() {
    OutboxRow old = run.rowWithoutKey("a");
    run.read(old);
    run.reject(run.sends().get(0));
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().failed())
        .extracting(failed -> failed.row().ref())
        .contains(old.ref());
    run.idsBeginAgain();
    OutboxRow anew = run.rowWithoutKey("a");

    run.read(anew);

    assertThat(run.sent()).containsExactly(anew.eventId());
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().forgotten()).containsExactly(old.ref());
  }

  @Test
  void aRowThatTheReaderReturnsAnewWasSetBack() {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);

    run.read(parked);

    assertThat(run.sent()).containsExactly(parked.eventId());
  }

  @Test
  void aRowIsNotTakenTwiceWhenLookAndReadBothShowIt() {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);
    run.stands(parked, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));

    run.read(parked);

    assertThat(run.sent()).containsExactly(parked.eventId());
  }

  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"PENDING", "DEAD"})
  void aRowThatIsReadOnceMoreAfterItsEndIsLookedAt(EventState now) {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);
    run.stands(parked, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));
    List<Outgoing> first = run.sends();
    OutboxRow other = run.row("a", "k");
    run.read(other);
    run.confirm(first);
    run.pass(Duration.ofMillis(20));
    run.settled();

    run.stands(parked, now);
    run.read(parked);
    List<Outgoing> second = run.sends();
    run.confirm(second);
    run.answerAll();

    List<String> sent = new ArrayList<>(second.stream().map(Outgoing::eventId).toList());
    sent.addAll(run.sent());
    assertThat(sent)
        .containsExactlyElementsOf(
            now == EventState.PENDING
                ? List.of(other.eventId(), parked.eventId())
                : List.of(other.eventId()));
  }

  @Test
  void aParkedRowThatNobodyTouchedStaysParked() {
    OutboxRow parked = run.row("a", "k");
    RunHolds.park(run, parked);

    run.idle(Duration.ofMinutes(2));

    assertThat(run.sent()).isEmpty();
    assertThat(run.looks()).isBetween(3, 5);
  }

  @Test
  void whatWaitedLongIsSentAsItIsNow() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    OutboxRow row = waiting();
    byte[] payload = "changed".getBytes(StandardCharsets.US_ASCII);
    EventKey key = Objects.requireNonNull(row.key());
    OutboxRow changed = RunRows.like(row, row.rowId(), row.eventId(), key, payload);
    run.stands(changed, EventState.PENDING);

    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    assertThat(run.sent()).isEmpty();
    run.answerAll();

    assertThat(run.sends())
        .singleElement()
        .satisfies(send -> assertThat(send.body()).isEqualTo(changed.payload()));
  }

  @ParameterizedTest
  @EnumSource(
      value = EventState.class,
      names = {"GONE", "PUBLISHED", "DEAD"})
  void whatSomebodyRemovedOrMarkedWhileItWaitedIsNotSent(EventState now) {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    OutboxRow row = waiting();
    run.stands(row, now);

    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    run.answerAll();
    OutboxRow next = run.row("a", "k");
    run.read(next);

    assertThat(run.sent()).containsExactly(next.eventId());
    run.pass(Duration.ofMillis(20));
    assertThat(run.take(Effect.Settle.class))
        .extracting(Effect.Settle::settlement)
        .allMatch(settlement -> settlement.size() == settlement.noted().size());
  }

  @Test
  void whatWaitedShortlyIsNotLookedAt() {
    OutboxRow row = run.row("a", "k");
    run.read(row);

    assertThat(run.sent()).containsExactly(row.eventId());
    assertThat(run.looks()).isZero();
  }

  /** A row in memory that waits for the broker for 40 seconds. */
  private OutboxRow waiting() {
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    OutboxRow row = run.row("a", "k");
    Effect.Read read = run.nextRead();
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    assertThat(read.maxRows()).isPositive();
    run.apply(new Input.RowsRead(new ReadResult(List.of(row), false)));
    run.idle(Duration.ofSeconds(40));
    return row;
  }

  @Test
  void aNewOwnerForgetsWhatIsRecordedOfRowsThatAreGone() {
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS);
    RowRef gone = owner.row("a", "k0").ref();
    owner.started(new Backlog(List.of(), List.of(), List.of(gone)));
    owner.pass(Duration.ofMillis(20));

    assertThat(owner.settled().settlement().forgotten()).containsExactly(gone);
  }

  @Test
  void aParkedRowThatIsSetBackWhileItIsTriedAgainIsNotTakenInTwice() {
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS);
    OutboxRow row = owner.row("a", "k0");
    FailedRow parked = new FailedRow(row, RowState.PARKED, 1, false, 0, "too-large", "no");
    owner.started(new Backlog(List.of(parked), List.of()));
    owner.request(
        new OperatorRequest(
            7, OperatorRequest.Verb.RETRY, row.rowId(), row, EventState.PARKED, "mended"));
    assertThat(owner.sent()).hasSize(1);

    owner.read(row);

    assertThat(owner.sent()).isEmpty();
  }
}
