package io.waybill.proof.explore;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.observe.RelayEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A real engine on its way through steps, with the calls that it waits for. */
final class Live {
  private static final int SPIN_LIMIT = 20;
  // Nothing is heard of the publisher before: then the engine joins.
  private static final long JOINS_NANOS = 5_000_000_000L;

  /** A call under way, and when it was asked for. */
  record Asked(Effect.Call call, long since) {}

  final RelayEngine engine;
  final Map<Line, Asked> asked = new EnumMap<>(Line.class);
  long now = JOINS_NANOS;
  // Of the last step.
  List<Outgoing> sent = new ArrayList<>();
  boolean fenced;
  // For good.
  boolean stopped;

  Live(Scope scope, Rows rows) {
    this.engine =
        new RelayEngine(scope.settings(), scope.retries(), destination -> scope.policy(), rows, 0);
  }

  void take(Step step) {
    sent = new ArrayList<>();
    fenced = false;
    now += step.ahead();
    run(input(step));
    // A relay that wants to be called at once is.
    for (int i = 0; !stopped && engine.deadline() - now <= 0; i++) {
      if (i > SPIN_LIMIT) {
        throw new Broken("no busy loop", "the relay wants to be called at once, for nothing");
      }
      run(Input.Signal.TICK);
    }
  }

  private Input input(Step step) {
    if (step instanceof Step.Told told) {
      return new Input.Confirmations(List.of(confirmation(told)));
    } else if (step instanceof Step.Answered answered) {
      Asked call = answeredCall(answered.line());
      return Step.input(call.call(), answered.answer(), call.since());
    } else if (step instanceof Step.Failed failed) {
      return new Input.Failed(answeredCall(failed.line()).call());
    } else if (step instanceof Step.HandOver) {
      return Input.Signal.HAND_OVER;
    }
    return Input.Signal.TICK;
  }

  private Asked answeredCall(Line line) {
    Asked call = asked.remove(line);
    if (call == null) {
      throw new IllegalStateException("no call on " + line);
    }
    return call;
  }

  private Confirmation confirmation(Step.Told told) {
    long id = Fingerprint.nextSend(engine) - told.behind();
    return switch (told.outcome()) {
      case CONFIRMED -> new Confirmation.Confirmed(id);
      case REJECTED -> new Confirmation.Rejected(id, "refused", "explored");
      case UNKNOWN -> new Confirmation.Unknown(id, "no-answer", "explored");
    };
  }

  private void run(Input input) {
    for (Effect effect : engine.apply(input, now)) {
      if (effect instanceof Effect.Call call) {
        if (asked.put(Line.of(call), new Asked(call, now)) != null) {
          throw new Broken("one call at a time", call.toString());
        }
      } else if (effect instanceof Effect.Send send) {
        sent.add(send.message());
      } else if (effect instanceof Effect.Notify notify) {
        fenced |= notify.event() instanceof RelayEvent.Fenced;
      } else if (effect instanceof Effect.Stopped) {
        stopped = true;
      }
    }
  }
}
