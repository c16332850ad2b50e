package io.waybill.internal.relay;

import io.waybill.broker.Outgoing;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What operators ask of an {@link EngineRun}, and what comes of it. */
final class RunRequests {
  private long last;

  OperatorRequest ask(Verb verb, OutboxRow row, EventState state) {
    return new OperatorRequest(++last, verb, row.rowId(), row, state, "repaired");
  }

  /** What an operator asks for who sees that the row is dead. */
  OperatorRequest retry(OutboxRow row) {
    return ask(Verb.RETRY, row, EventState.DEAD);
  }

  /** Settles what is to be settled. */
  static void settle(EngineRun run) {
    run.pass(Duration.ofMillis(20));
    run.settleAll();
  }

  /** Confirms what is sent, one after the other, and says what that was. */
  static List<String> sentInTurn(EngineRun run) {
    List<String> sent = new ArrayList<>();
    for (List<Outgoing> sends = run.sends(); !sends.isEmpty(); sends = run.sends()) {
      sends.forEach(send -> sent.add(send.eventId()));
      run.confirm(sends);
    }
    return sent;
  }
}
