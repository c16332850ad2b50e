package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators are told when the database refuses a settlement. */
class RelayEngineAnswerTest {
  private final EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();

  private static Backlog parked(OutboxRow... rows) {
    return new Backlog(
        Stream.of(rows)
            .map(row -> new FailedRow(row, RowState.PARKED, 1, false, 0, "too-large", "no"))
            .toList(),
        List.of());
  }

  private static OperatorRequest retry(long id, OutboxRow row) {
    return new OperatorRequest(
        id, OperatorRequest.Verb.RETRY, row.rowId(), row, EventState.PARKED, "put right");
  }

  /** Two parked rows are tried again, and the database refuses the settlement of both. */
  private static EngineRun triedAgainAndRefused(OutboxRow first, OutboxRow second) {
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS).started(parked(first, second));
    owner.requests(List.of(retry(7, first), retry(8, second)));
    owner.refused(owner.take(Effect.Settle.class).get(0), true, "somebody locks one of them");
    return owner;
  }

  @Test
  void anAnswerIsSettledWithTheChangeOfItsRow() {
    OutboxRow first = run.row("a", "k0");
    OutboxRow second = run.row("a", "k1");
    EngineRun owner = triedAgainAndRefused(first, second);

    for (OutboxRow row : List.of(first, second)) {
      Settlement half = owner.settled().settlement();
      assertThat(half.failed()).singleElement().returns(row, FailedRow::row);
      assertThat(half.handled()).singleElement().returns(row.rowId(), HandledRequest::rowId);
    }
  }

  @Test
  void anAnswerGoesWithWhatBecomesOfItsRowMeanwhile() {
    OutboxRow first = run.row("a", "k0");
    OutboxRow second = run.row("a", "k1");
    EngineRun owner = triedAgainAndRefused(first, second);
    Effect.Settle underWay = owner.take(Effect.Settle.class).get(0);
    owner.sends().stream()
        .filter(sent -> sent.eventId().equals(second.eventId()))
        .forEach(owner::reject);
    owner.pass(Duration.ofMillis(20));
    owner.settled(underWay);

    Settlement next = owner.settled().settlement();
    assertThat(next.failed())
        .singleElement()
        .returns(second.rowId(), failed -> failed.row().rowId())
        .returns("too-large", FailedRow::reason);
    assertThat(next.handled()).extracting(HandledRequest::requestId).containsExactly(8L);
    owner.pass(Duration.ofMillis(20));
    assertThat(owner.take(Effect.Settle.class)).as("nothing is told twice").isEmpty();
  }

  /** A parked row is tried again, and cannot be sent for now. */
  private static EngineRun triedAgain(OutboxRow head) {
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS).started(parked(head));
    owner.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    owner.requests(List.of(retry(7, head)));
    return owner;
  }

  /** Carries settlements out for a while, but none of a kind. Returns what was carried out. */
  private static List<Settlement> settleBut(EngineRun owner, Predicate<Settlement> refused) {
    List<Settlement> done = new ArrayList<>();
    for (int step = 0; step < 50; step++) {
      for (Effect.Settle settle : owner.take(Effect.Settle.class)) {
        if (refused.test(settle.settlement())) {
          owner.refused(settle, false, "a trigger says no");
        } else {
          done.add(settle.settlement());
          owner.settled(settle);
        }
      }
      owner.pass(Duration.ofMillis(20));
    }
    return done;
  }

  @Test
  void aRetryThatIsRefusedIsAnsweredSo() {
    OutboxRow head = run.row("a", "k0");
    List<Settlement> done = settleBut(triedAgain(head), each -> !each.failed().isEmpty());

    assertThat(done.stream().flatMap(each -> each.setAside().stream()))
        .singleElement()
        .returns(head, FailedRow::row);
    assertThat(done.stream().flatMap(each -> each.handled().stream()))
        .containsExactly(
            new HandledRequest(
                7, head.rowId(), false, "the database refuses it: a trigger says no"));
  }

  @Test
  void aRowIsSettledAlthoughItsAnswerIsRefused() {
    OutboxRow head = run.row("a", "k0");
    List<Settlement> done = settleBut(triedAgain(head), each -> !each.handled().isEmpty());

    assertThat(done)
        .singleElement()
        .satisfies(each -> assertThat(each.failed()).extracting(FailedRow::row).contains(head));
  }

  @Test
  void anOperatorIsAnsweredAlthoughTheRowThatGoesBackIsRefused() {
    OutboxRow first = run.row("a", "k0");
    OutboxRow second = run.row("a", "k0");
    EngineRun owner = EngineRun.of(EngineRun.DEFAULTS).started(parked(first, second));
    owner.requests(List.of(retry(7, first)));
    List<Settlement> done = settleBut(owner, each -> !each.held().isEmpty());

    assertThat(done.stream().flatMap(each -> each.handled().stream()))
        .extracting(HandledRequest::requestId)
        .containsExactly(7L);
  }

  @Test
  void aReplayIsNothingNewerThanAChangeThatIsRefused() {
    OutboxRow row = run.row("a", "k0");
    run.request(asked(5, OperatorRequest.Verb.REPLAY, row));
    List<Outgoing> replay = run.sends();
    run.request(asked(6, OperatorRequest.Verb.RETRY, row));
    Effect.Settle change = run.take(Effect.Settle.class).get(0);
    run.confirm(replay);
    run.refused(change, true, "somebody locks it");
    run.idle(Duration.ofSeconds(1));
    List<Settlement> done = new ArrayList<>();
    for (int step = 0; step < 30; step++) {
      run.take(Effect.Settle.class).forEach(each -> done.add(run.done(each).settlement()));
      run.idle(Duration.ofMillis(100));
    }

    assertThat(done.stream().flatMap(each -> each.failed().stream()))
        .extracting(failed -> failed.row().rowId())
        .containsExactly(row.rowId());
    assertThat(done.stream().flatMap(each -> each.handled().stream()))
        .extracting(HandledRequest::requestId)
        .containsExactlyInAnyOrder(5L, 6L);
  }

  @Test
  void anAnswerThatIsRefusedKeepsNoOtherOperatorWaiting() {
    List<OperatorRequest> replays = new ArrayList<>();
    for (int id = 5; id <= 8; id++) {
      replays.add(asked(id, OperatorRequest.Verb.REPLAY, run.row("a", "k" + id)));
    }
    run.requests(replays);
    run.confirm(run.sends());
    List<Settlement> done =
        settleBut(run, each -> each.handled().stream().anyMatch(one -> one.requestId() == 6));

    assertThat(done.stream().flatMap(each -> each.handled().stream()))
        .extracting(HandledRequest::requestId)
        .containsExactlyInAnyOrder(5L, 7L, 8L);
  }

  private static OperatorRequest asked(long id, OperatorRequest.Verb verb, OutboxRow dead) {
    return new OperatorRequest(id, verb, dead.rowId(), dead, EventState.DEAD, "put right");
  }
}
