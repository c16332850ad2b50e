package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.List;

/** Steps of an {@link EngineRun} with rows that wait behind another one of their key. */
final class RunHolds {
  private RunHolds() {}

  /** Parks the key at the row. */
  static void park(EngineRun run, OutboxRow row) {
    run.read(row);
    for (int i = 0; i < 3; i++) {
      run.reject(run.sends().get(0));
      run.pass(Duration.ofMillis(20));
      run.settled();
      run.idle(Duration.ofMillis(1_100));
    }
  }

  /** Reads a row that has to wait for its key, and settles that it is held. */
  static void hold(EngineRun run, OutboxRow row) {
    run.read(row);
    run.pass(Duration.ofMillis(20));
    assertThat(run.settled().settlement().held()).containsExactly(row);
  }

  /** Sets a parked row back: it goes first, and what is held behind it goes next. */
  static void setBack(EngineRun run, OutboxRow parked, OutboxRow behind) {
    run.stands(parked, EventState.PENDING);
    run.idle(Duration.ofSeconds(31));
    List<Outgoing> sends = run.sends();
    assertThat(sends).extracting(Outgoing::eventId).containsExactly(parked.eventId());
    run.confirm(sends);
    run.pass(Duration.ofMillis(20));
    Effect.Settle unused = run.settled();
    run.readHeld(behind);
    assertThat(run.sent()).containsExactly(behind.eventId());
  }
}
