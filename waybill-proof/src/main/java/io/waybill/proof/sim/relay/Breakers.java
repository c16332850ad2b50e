package io.waybill.proof.sim.relay;

import io.waybill.broker.Confirmation;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.proof.sim.seed.Violation;
import java.util.HashSet;
import java.util.Set;

/** Compares what one relay says of its breakers with its sends and their outcomes. */
final class Breakers {
  private final Observations seen;
  private final Set<String> open = new HashSet<>();
  private final Set<SimSend> probes = new HashSet<>();
  // Destinations that did not answer or refused, as the publisher has it.
  private final Set<String> troubled = new HashSet<>();

  Breakers(Observations seen) {
    this.seen = seen;
  }

  void changed(RelayEvent.BreakerChanged change) {
    if (change.state() == BreakerState.OPEN) {
      opened(change.destination());
    } else if (change.state() == BreakerState.CLOSED) {
      if (open.remove(change.destination())) {
        seen.rare(RareState.BREAKER_CLOSED_AGAIN);
      }
    } else if (change.state() == BreakerState.PAUSED) {
      seen.rare(RareState.DESTINATION_PAUSED);
    }
  }

  private void opened(String name) {
    open.add(name);
    seen.rare(RareState.BREAKER_OPENED);
    if (name.endsWith("/*")) {
      seen.rare(RareState.COMMON_BREAKER_OPENED);
    } else if (!troubled.contains(name)) {
      throw new Violation("no breaker without a failure", name);
    }
  }

  void sent(SimSend send) {
    if (open.contains(send.message.destination().name())) {
      seen.rare(RareState.BREAKER_HALF_OPEN);
      probes.add(send);
    }
  }

  void told(SimSend send, SimSend.Outcome outcome) {
    if (send.answer instanceof Confirmation.Refused
        || send.answer instanceof Confirmation.Unknown) {
      troubled.add(send.message.destination().name());
    }
    boolean failed = outcome == SimSend.Outcome.UNKNOWN || outcome == SimSend.Outcome.REFUSED;
    if (probes.remove(send) && failed) {
      seen.rare(RareState.BREAKER_PROBE_FAILED);
    }
  }
}
