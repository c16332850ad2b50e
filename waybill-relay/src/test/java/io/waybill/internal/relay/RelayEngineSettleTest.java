package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.EventKey;
import io.waybill.observe.RelayEvent;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Settlements that the database refuses because of one of their rows. */
class RelayEngineSettleTest {
  private final EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
  private final List<OutboxRow> settled = new ArrayList<>();
  private final List<FailedRow> setAside = new ArrayList<>();

  private List<OutboxRow> confirmed(int count) {
    List<OutboxRow> rows = IntStream.range(0, count).mapToObj(i -> run.row("a", "k" + i)).toList();
    run.read(rows.toArray(OutboxRow[]::new));
    run.confirm(run.sends());
    run.pass(Duration.ofMillis(20));
    return rows;
  }

  /** Carries settlements out for a while, but none that publishes the row. Returns how many. */
  private int settleBut(OutboxRow row, boolean locked, Duration time) {
    int tries = 0;
    for (long step = 0; step < time.toMillis() / 20; step++) {
      for (Effect.Settle settle : run.take(Effect.Settle.class)) {
        tries++;
        Settlement settlement = settle.settlement();
        if (settlement.published().contains(row)) {
          run.refused(settle, locked, "a trigger says no");
        } else {
          settled.addAll(settlement.published());
          setAside.addAll(settlement.setAside());
          run.settled(settle);
        }
      }
      run.idle(Duration.ofMillis(20));
    }
    return tries;
  }

  @Test
  void aSettlementNamesAnIdOnceAlthoughIdsBeganAgain() {
    OutboxRow old = run.row("a", "k");
    run.read(old);
    List<Outgoing> sends = new ArrayList<>(run.sends());
    run.idsBeginAgain();
    OutboxRow anew = run.row("a", "m");
    run.read(anew);
    sends.addAll(run.sends());
    run.confirm(sends);
    run.pass(Duration.ofMillis(20));

    assertThat(run.settled().settlement().published()).containsExactly(old);
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().published()).containsExactly(anew);
  }

  @Test
  void aRowThatIsRefusedIsSetAsideAndAllOthersAreSettled() {
    List<OutboxRow> rows = confirmed(100);

    int tries = settleBut(rows.get(37), false, Duration.ofSeconds(1));

    assertThat(settled).hasSize(99).doesNotContain(rows.get(37));
    assertThat(tries).isLessThan(20);
    assertThat(setAside)
        .singleElement()
        .returns(rows.get(37), FailedRow::row)
        .returns(RowState.PARKED, FailedRow::state)
        .returns("a trigger says no", FailedRow::detail)
        .returns(true, FailedRow::unknownOutcome);
    assertThat(run.told(RelayEvent.Parked.class))
        .singleElement()
        .returns("mark-refused", parked -> parked.failure().reason());
    assertThat(run.sent()).as("it is not published again").isEmpty();
  }

  @Test
  void theKeyOfARowThatIsSetAsideWaits() {
    OutboxRow refused = confirmed(1).get(0);
    settleBut(refused, false, Duration.ofSeconds(1));

    run.read(run.row("a", "k0"));

    assertThat(run.sent()).isEmpty();
  }

  @Test
  void aRowThatSomebodyLocksIsTriedAgainAndTheOthersAreSettled() {
    List<OutboxRow> rows = confirmed(100);

    int tries = settleBut(rows.get(37), true, Duration.ofSeconds(50));

    assertThat(settled).hasSize(99);
    assertThat(setAside).isEmpty();
    assertThat(tries).isLessThan(50);
    assertThat(run.told(RelayEvent.Unsettled.class)).isEmpty();

    settleBut(rows.get(37), true, Duration.ofSeconds(20));

    assertThat(run.told(RelayEvent.Unsettled.class))
        .singleElement()
        .returns(rows.get(37).eventId(), RelayEvent.Unsettled::eventId);

    settleBut(rows.get(0), true, Duration.ofSeconds(3));

    assertThat(settled).hasSize(100);
    assertThat(run.sent()).as("nothing is published again").isEmpty();
  }

  @Test
  void whatIsConfirmedLaterDoesNotWaitForALockedRow() {
    OutboxRow locked = confirmed(1).get(0);
    settleBut(locked, true, Duration.ofSeconds(5));

    List<OutboxRow> later = confirmed(3);
    settleBut(locked, true, Duration.ofSeconds(5));

    assertThat(settled).containsAll(later.subList(1, 3));
  }

  @Test
  void whatIsConfirmedDoesNotWaitUntilAllThatFailedIsSettled() {
    run.read(
        IntStream.range(0, 500).mapToObj(i -> run.row("a", "k" + i)).toArray(OutboxRow[]::new));
    run.sends().forEach(run::reject);
    run.pass(Duration.ofMillis(20));
    List<Settlement> settlements = new ArrayList<>(List.of(run.settled().settlement()));
    OutboxRow confirmed = run.row("a", "other");
    run.read(confirmed);
    run.confirm(run.sends());

    for (int i = 0; i < 3; i++) {
      run.pass(Duration.ofMillis(20));
      settlements.add(run.settled().settlement());
    }

    assertThat(settlements)
        .extracting(each -> each.failed().size())
        .containsExactly(200, 200, 0, 100);
    assertThat(settlements.get(2).published()).containsExactly(confirmed);
    assertThat(settlements.stream().flatMap(each -> each.failed().stream()).map(FailedRow::row))
        .doesNotHaveDuplicates();
  }

  /** On a slow server, so that what is published meanwhile waits for a moment alone. */
  @Test
  void fewerRowsFailInASettlementWhereTheyTakeLong() {
    run.read(
        IntStream.range(0, 500).mapToObj(i -> run.row("a", "k" + i)).toArray(OutboxRow[]::new));
    run.sends().forEach(run::reject);
    run.pass(Duration.ofMillis(20));
    List<Integer> sizes = new ArrayList<>();

    for (int i = 0; i < 5; i++) {
      Effect.Settle settle = run.take(Effect.Settle.class).get(0);
      sizes.add(settle.settlement().failed().size());
      run.pass(i < 2 ? Duration.ofMillis(900) : Duration.ofMillis(1));
      run.settled(settle);
    }

    assertThat(sizes).containsExactly(200, 100, 50, 100, 50);
  }

  private static OperatorRequest skip(OutboxRow row, EventState state) {
    return new OperatorRequest(7, OperatorRequest.Verb.SKIP, row.rowId(), row, state, "not wanted");
  }

  @Test
  void aRowBehindOthersWhoseSkipIsRefusedStaysBehindThem() {
    OutboxRow behind = run.row("a", "k0");
    run.request(skip(behind, EventState.HELD));
    run.pass(Duration.ofMillis(20));
    Effect.Settle note = run.take(Effect.Settle.class).get(0);
    assertThat(note.settlement().handled()).as("nothing is said before it is so").isEmpty();

    run.refused(note, false, "a trigger says no");
    run.pass(Duration.ofMillis(20));

    Settlement answer = run.take(Effect.Settle.class).get(0).settlement();
    assertThat(answer.setAside()).isEmpty();
    assertThat(answer.handled())
        .singleElement()
        .returns(7L, HandledRequest::requestId)
        .returns(false, HandledRequest::done);
  }

  @Test
  void aRowThatIsReadWhileASkipBeforeItIsRefusedWaitsBehindThatRow() {
    OutboxRow behind = run.row("a", "k0");
    run.request(skip(behind, EventState.HELD));
    run.read(run.row("a", "k0"));
    run.pass(Duration.ofMillis(20));
    run.refused(run.take(Effect.Settle.class).get(0), false, "a trigger says no");
    run.pass(Duration.ofMillis(20));

    assertThat(run.sent()).isEmpty();
  }

  @Test
  void aRowThatIsSetAsideIsNotCountedAsPublished() {
    List<OutboxRow> rows = confirmed(10);

    settleBut(rows.get(3), false, Duration.ofSeconds(1));

    assertThat(setAside).hasSize(1);
    assertThat(run.told(RelayEvent.Published.class))
        .extracting(RelayEvent.Published::eventId)
        .hasSize(9)
        .doesNotContain(rows.get(3).eventId());
  }

  @Test
  void aSkipThatIsRefusedIsAnsweredSoAndNotCountedAsDead() {
    OutboxRow head = run.row("a", "k0");
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS).started(left(failed(head, RowState.PARKED)));
    owner.request(skip(head, EventState.PARKED));
    owner.pass(Duration.ofMillis(20));
    List<HandledRequest> answers = new ArrayList<>();
    for (int step = 0; step < 50; step++) {
      for (Effect.Settle settle : owner.take(Effect.Settle.class)) {
        answers.addAll(settle.settlement().handled());
        if (settle.settlement().failed().stream().anyMatch(row -> row.state() == RowState.DEAD)) {
          owner.refused(settle, false, "a trigger says no");
        } else {
          setAside.addAll(settle.settlement().setAside());
          owner.settled(settle);
        }
      }
      owner.idle(Duration.ofMillis(20));
    }

    assertThat(setAside).singleElement().returns(head, FailedRow::row);
    assertThat(answers)
        .singleElement()
        .returns(7L, HandledRequest::requestId)
        .returns(false, HandledRequest::done);
    assertThat(owner.told(RelayEvent.class))
        .noneMatch(RelayEvent.Dead.class::isInstance)
        .filteredOn(RelayEvent.Parked.class::isInstance)
        .hasSize(1);
  }

  @Test
  void aRowThatIsReadWhileItsEndIsRefusedIsNotHeldBehindItself() {
    OutboxRow head = run.row("a", "k0");
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS).started(left(failed(head, RowState.PARKED)));
    owner.request(skip(head, EventState.PARKED));
    owner.read(head);
    owner.pass(Duration.ofMillis(20));
    owner.refused(owner.take(Effect.Settle.class).get(0), false, "a trigger says no");
    owner.pass(Duration.ofMillis(20));

    List<Settlement> rest =
        owner.take(Effect.Settle.class).stream().map(Effect.Settle::settlement).toList();
    assertThat(rest).flatExtracting(Settlement::setAside).hasSize(1);
    assertThat(rest).flatExtracting(Settlement::held).isEmpty();
  }

  @Test
  void aRowThatFailedBehindAParkedOneWaitsAtItsNewOwner() {
    OutboxRow parked = run.row("a", "k0");
    OutboxRow failed = run.row("a", "k0");
    EngineRun owner =
        EngineRun.of(EngineRun.DEFAULTS)
            .started(left(failed(parked, RowState.PARKED), failed(failed, RowState.RETRY)));

    owner.pass(Duration.ofMillis(20));

    Settlement settlement = owner.settled().settlement();
    assertThat(settlement.held()).containsExactly(failed);
    assertThat(owner.sent()).isEmpty();
  }

  private static Backlog left(FailedRow... rows) {
    return new Backlog(List.of(rows), List.of());
  }

  private static FailedRow failed(OutboxRow row, RowState state) {
    return new FailedRow(row, state, 1, false, 0, "too-large", "no");
  }

  @Test
  void aReplayReplacesNothingThatWaitsToBeSaidOfItsRow() {
    OutboxRow row = run.row("a", "k0");
    SettleBuffer buffer = new SettleBuffer();
    buffer.forgotten(row.ref(), 0);
    buffer.replayed(new Entry(row, new KeyQueue(new EventKey("a", "k0"), 0), 0), 0);

    assertThat(buffer.take().settlement().forgotten()).containsExactly(row.ref());
  }
}
