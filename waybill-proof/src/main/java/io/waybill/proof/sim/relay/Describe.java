package io.waybill.proof.sim.relay;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.observe.RelayEvent;
import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.Settlement;
import java.util.List;

/** Inputs, effects and notices as text for a trace. */
final class Describe {
  private Describe() {}

  static String input(Input input) {
    if (input instanceof Input.RowsRead in) {
      return "RowsRead "
          + ids(in.result().rows())
          + (in.result().more() ? " more" : "")
          + backlog(in.result().backlog());
    } else if (input instanceof Input.HeldRead in) {
      return "HeldRead " + ids(in.result().rows()) + (in.result().more() ? " more" : "");
    } else if (input instanceof Input.SettleDone in) {
      return "SettleDone " + in.effect().id() + " " + in.settled();
    } else if (input instanceof Input.Assigned in) {
      return "Assigned " + in.lanes() + backlog(in.backlog());
    } else if (input instanceof Input.Failed in) {
      return "Failed " + effect(in.effect());
    } else if (input instanceof Input.Refused in) {
      return "Refused " + in.effect().id() + (in.locked() ? " locked" : "");
    } else if (input instanceof Input.Looked in) {
      return "Looked "
          + in.looks().stream().map(look -> look.ref().rowId() + ":" + look.state()).toList();
    } else if (input instanceof Input.ControlRead in) {
      return "ControlRead " + in.requests().size() + " paused " + in.pausedDestinations();
    }
    return input.toString();
  }

  static String effect(Effect effect) {
    if (effect instanceof Effect.Settle settle) {
      Settlement s = settle.settlement();
      return "Settle "
          + settle.id()
          + " published "
          + ids(s.published())
          + " recovered "
          + ids(s.recovered())
          + " failed "
          + failed(s.failed())
          + " held "
          + ids(s.held())
          + " "
          + s.handled()
          + (s.forgotten().isEmpty() ? "" : " forgotten " + s.forgotten())
          + (s.setAside().isEmpty() ? "" : " set aside " + failed(s.setAside()))
          + (s.noted().isEmpty() ? "" : " noted " + failed(s.noted()));
    } else if (effect instanceof Effect.Send send) {
      return "Send " + send.message().sendId() + " " + send.message().eventId();
    }
    return effect.toString();
  }

  private static String backlog(Backlog backlog) {
    return backlog.equals(Backlog.NONE)
        ? ""
        : " failed " + failed(backlog.failed()) + " held " + backlog.held();
  }

  private static List<Object> ids(List<OutboxRow> rows) {
    return rows.stream().map(OutboxRow::rowId).toList();
  }

  private static List<String> failed(List<FailedRow> rows) {
    return rows.stream()
        .map(f -> f.row().rowId() + ":" + f.state() + ":" + f.attempts() + ":" + f.delayMillis())
        .toList();
  }

  /** What a notice of the engine says about rare states. */
  static void notice(World world, SimRelay relay, RelayEvent event) {
    Observations seen = world.seen;
    if (event instanceof RelayEvent.Fenced) {
      world.fenced(relay);
    } else if (event instanceof RelayEvent.Joined && relay.wasFenced()) {
      seen.rare(RareState.REJOINED_AFTER_FENCING);
    } else if (event instanceof RelayEvent.Parked parked) {
      if (parked.failure().reason().equals("dead-letter-refused")) {
        seen.rare(RareState.DEAD_LETTER_REFUSED);
      }
    } else if (event instanceof RelayEvent.ManyKeysBlocked) {
      seen.rare(RareState.KEYS_RESTED);
    } else if (event instanceof RelayEvent.BreakerChanged changed) {
      relay.breakers.changed(changed);
    }
    world.seen.trace.line(() -> relay.name + " says " + event);
  }
}
