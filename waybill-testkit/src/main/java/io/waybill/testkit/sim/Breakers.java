package io.waybill.testkit.sim;

import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import java.util.HashSet;
import java.util.Set;

/** What one relay says of its breakers, held against what it sends. */
final class Breakers {
  private final Observations seen;
  private final Set<String> open = new HashSet<>();
  private final Set<SimSend> probes = new HashSet<>();

  Breakers(Observations seen) {
    this.seen = seen;
  }

  void changed(RelayEvent.BreakerChanged change) {
    if (change.state() == BreakerState.OPEN) {
      open.add(change.destination());
      seen.rare(RareState.BREAKER_OPENED);
    } else if (change.state() == BreakerState.CLOSED) {
      if (open.remove(change.destination())) {
        seen.rare(RareState.BREAKER_CLOSED_AGAIN);
      }
    } else if (change.state() == BreakerState.PAUSED) {
      seen.rare(RareState.DESTINATION_PAUSED);
    }
  }

  void sent(SimSend send) {
    if (open.contains(send.destination())) {
      seen.rare(RareState.BREAKER_HALF_OPEN);
      probes.add(send);
    }
  }

  void told(SimSend send, SimSend.Outcome outcome) {
    boolean failed = outcome == SimSend.Outcome.UNKNOWN || outcome == SimSend.Outcome.REFUSED;
    if (probes.remove(send) && failed) {
      seen.rare(RareState.BREAKER_PROBE_FAILED);
    }
  }
}
