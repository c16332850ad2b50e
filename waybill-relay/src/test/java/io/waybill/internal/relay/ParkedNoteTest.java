package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.policy.FailurePolicy;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the table is not to show of rows that are parked. */
class ParkedNoteTest {
  /** A note would say that it waits for its next try, and the next owner would send it. */
  @Test
  void aParkedRowThatAnOperatorGivesUpIsNotNoted() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS, bury);
    OutboxRow row = run.row("orders", "a");
    FailedRow parked = new FailedRow(row, RowState.PARKED, 1, false, 0, "too-large", "no");
    run.started(new Backlog(List.of(parked), List.of()));
    run.request(
        new OperatorRequest(
            7, OperatorRequest.Verb.BURY, row.rowId(), row, EventState.PARKED, "of no use"));
    List<Outgoing> copies = run.sends();
    assertThat(copies).hasSize(1);
    copies.forEach(run::unknown);

    assertThat(RelayEngineNoteTest.notes(run, Duration.ofSeconds(15), run::unknown)).isEmpty();
  }

  /** The second would push back the first, which is still parked in the table. */
  @Test
  void oneOfAKeyIsBuriedAtATime() {
    FailurePolicy bury = new FailurePolicy.Bury(Destination.topic("graves"));
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS, bury);
    List<OutboxRow> rows = List.of(run.row("orders", "a"), run.row("orders", "a"));
    List<FailedRow> parked =
        rows.stream()
            .map(row -> new FailedRow(row, RowState.PARKED, 1, false, 0, "too-large", "no"))
            .toList();
    run.started(new Backlog(parked, List.of()));
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);
    run.requests(
        rows.stream()
            .map(
                row ->
                    new OperatorRequest(
                        (long) row.rowId(),
                        OperatorRequest.Verb.BURY,
                        row.rowId(),
                        row,
                        EventState.PARKED,
                        "of no use"))
            .toList());
    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    List<Outgoing> copies = run.sends();
    assertThat(copies).extracting(Outgoing::eventId).containsExactly(rows.get(0).eventId());
    copies.forEach(run::reject);
    run.pass(Duration.ofMillis(20));

    assertThat(run.settled().settlement().held()).isEmpty();
  }
}
