package io.waybill.relay;

import io.waybill.broker.Confirmation;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The destinations met so far, each with its circuit breaker. */
final class Destinations {
  private final EngineState state;
  private final Map<String, DestinationState> known = new LinkedHashMap<>();
  private long answers;

  Destinations(EngineState state) {
    this.state = state;
  }

  DestinationState named(String name) {
    return known.computeIfAbsent(name, DestinationState::new);
  }

  Collection<DestinationState> all() {
    return known.values();
  }

  boolean isEmpty() {
    return known.isEmpty();
  }

  boolean anyOpen() {
    for (DestinationState destination : known.values()) {
      if (destination.state(state.now) == BreakerState.CLOSED) {
        return true;
      }
    }
    return false;
  }

  void setPaused(Set<String> paused) {
    paused.forEach(this::named);
    for (DestinationState destination : known.values()) {
      if (destination.setPaused(paused.contains(destination.name))) {
        tell(destination, "an operator paused or resumed it");
      }
    }
  }

  /** Lets the breaker of the entry's destination know how the send ended. */
  void outcome(Entry entry, Confirmation confirmation) {
    DestinationState destination = entry.destination;
    if (destination == null) {
      return;
    }
    if (confirmation instanceof Confirmation.Unknown unknown) {
      if (destination.unanswered(state.now, answers)) {
        tell(destination, unknown.reason());
      }
      return;
    }
    if (confirmation instanceof Confirmation.NotSent) {
      destination.notSent();
      return;
    }
    answers++;
    if (confirmation instanceof Confirmation.Refused refused) {
      if (destination.refused(state.now)) {
        tell(destination, refused.reason());
      }
      return;
    }
    if (destination.answered(state.now)) {
      tell(destination, "it answers again");
    }
  }

  private void tell(DestinationState destination, String reason) {
    state.tell(
        new RelayEvent.BreakerChanged(destination.name, destination.state(state.now), reason));
  }

  /** The key waits for a destination no longer. */
  void release(KeyQueue key) {
    for (DestinationState destination : known.values()) {
      if (destination.waiting.remove(key)) {
        key.ready = false;
      }
    }
  }

  void forgetInFlight() {
    known.values().forEach(DestinationState::forgetInFlight);
  }

  /** When a breaker that keys wait for lets a probe through. */
  long deadline() {
    long earliest = Long.MAX_VALUE;
    for (DestinationState destination : known.values()) {
      if (!destination.waiting.isEmpty()) {
        earliest = Math.min(earliest, destination.deadline(state.now));
      }
    }
    return earliest;
  }
}
