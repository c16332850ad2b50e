package io.waybill.proof.sim.relay;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sends of a process, and outcomes of them that its engine does not know yet. */
final class SimOutcomes {
  /** Outcomes that the engine takes together. */
  record Batch(List<SimSend> about, List<Confirmation> confirmations) {}

  private final World world;
  private final SimRelay relay;
  private final Map<Long, SimSend> sends = new LinkedHashMap<>();
  private Batch next = new Batch(new ArrayList<>(), new ArrayList<>());

  SimOutcomes(SimRelay relay) {
    this.world = relay.world;
    this.relay = relay;
  }

  void sent(SimSend send) {
    sends.put(send.message.sendId(), send);
  }

  Collection<SimSend> sends() {
    return sends.values();
  }

  void add(SimSend send, Confirmation confirmation) {
    next.about.add(send);
    next.confirmations.add(world.mutation.outcome(world, send, confirmation));
  }

  boolean isEmpty() {
    return next.about.isEmpty();
  }

  Batch take() {
    Batch taken = next;
    next = new Batch(new ArrayList<>(), new ArrayList<>());
    return taken;
  }

  /** The engine is about to know them. */
  Input tell(Batch batch) {
    for (int i = 0; i < batch.about.size(); i++) {
      told(batch.about.get(i), outcomeOf(batch.confirmations.get(i)));
    }
    return new Input.Confirmations(batch.confirmations);
  }

  private void told(SimSend send, SimSend.Outcome outcome) {
    world.seen.told(send, outcome);
    relay.breakers.told(send, outcome);
    if (world.refusals != null) {
      world.refusals.told(relay, send, outcome);
    }
    if (outcome != SimSend.Outcome.CONFIRMED) {
      // Nothing more comes of it.
      sends.remove(send.message.sendId());
    }
  }

  private static SimSend.Outcome outcomeOf(Confirmation confirmation) {
    if (!(confirmation instanceof Confirmation.NotConfirmed failure)) {
      return SimSend.Outcome.CONFIRMED;
    }
    if (failure.copyPossible()) {
      return SimSend.Outcome.UNKNOWN;
    }
    if (failure instanceof Confirmation.NotSent) {
      return SimSend.Outcome.NOT_SENT;
    }
    return failure instanceof Confirmation.Rejected
        ? SimSend.Outcome.REJECTED
        : SimSend.Outcome.REFUSED;
  }

  boolean hasInFlight(@Nullable Tenure tenure, Effect.Revoke revoke) {
    return tenure != null
        && sends.values().stream()
            .anyMatch(
                send ->
                    send.tenure == tenure
                        && send.told == SimSend.Outcome.NONE
                        && revoke.lanes().contains(send.row.lane));
  }
}
