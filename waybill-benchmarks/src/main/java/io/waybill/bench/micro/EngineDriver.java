package io.waybill.bench.micro;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.policy.EngineSettings;
import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Carries out an engine's effects at once and without a database or a broker: rows never end, every
 * send is confirmed, time passes when nothing else does.
 */
final class EngineDriver {
  static final int LANES = 4;

  private static final int PER_KEY = 5;
  private static final int ROWS_PER_READ = 500;
  private static final Session SESSION = new Session(1, "micro");

  private final RelayEngine engine;
  private final Rows rows = new Rows();
  private final ArrayDeque<Input> inputs = new ArrayDeque<>();
  private final Set<Integer> owned = new TreeSet<>();
  private List<Confirmation> confirmations = new ArrayList<>();
  private long now;

  EngineDriver(RelayRules rules) {
    engine =
        new RelayEngine(
            EngineSettings.defaults(Duration.ofSeconds(5), PER_KEY),
            rules.retryPolicy(),
            rules.failurePolicies(),
            rules.mapper(),
            now);
  }

  /** Goes on until that many more events are settled, and a few. */
  int settle(int events) {
    int settled = 0;
    while (settled < events) {
      for (Effect effect : engine.apply(input(), now)) {
        settled += carryOut(effect);
      }
    }
    return settled;
  }

  private Input input() {
    Input next = inputs.poll();
    if (next != null) {
      return next;
    }
    if (confirmations.isEmpty()) {
      now = Math.max(now + 1, engine.deadline());
      return Input.Signal.TICK;
    }
    Input confirmed = new Input.Confirmations(confirmations);
    confirmations = new ArrayList<>();
    return confirmed;
  }

  private int carryOut(Effect effect) {
    if (effect instanceof Effect.Send send) {
      confirmations.add(new Confirmation.Confirmed(send.message().sendId()));
    } else if (effect instanceof Effect.Settle settle) {
      int size = settle.settlement().size();
      inputs.add(new Input.SettleDone(settle, new Settled(false, size)));
      return size;
    } else if (effect instanceof Effect.OnReader onReader) {
      inputs.add(read(onReader));
    } else if (effect instanceof Effect.OnLanes onLanes) {
      inputs.add(answer(onLanes));
    }
    return 0;
  }

  private Input read(Effect.OnReader effect) {
    if (effect instanceof Effect.Read read) {
      List<OutboxRow> found = new ArrayList<>();
      for (int i = Math.min(ROWS_PER_READ, read.maxRows()); i > 0; i--) {
        found.add(rows.next());
      }
      return new Input.RowsRead(new ReadResult(found, true));
    }
    if (effect instanceof Effect.Assign assign) {
      return new Input.Assigned(assign.lanes(), Backlog.NONE);
    }
    if (effect instanceof Effect.ReadControl) {
      return new Input.ControlRead(List.of(), Set.of());
    }
    throw new IllegalStateException("Nothing fails or moves here, but the engine wants " + effect);
  }

  private Input answer(Effect.OnLanes effect) {
    if (effect instanceof Effect.Join) {
      return new Input.Joined(SESSION, now);
    }
    if (effect instanceof Effect.Renew) {
      return new Input.Renewed(SESSION, true, now);
    }
    if (effect instanceof Effect.Acquire acquire) {
      owned.addAll(acquire.lanes());
      return new Input.Acquired(SESSION, acquire.lanes());
    }
    if (effect instanceof Effect.View) {
      Set<Integer> free = new TreeSet<>(IntStream.range(0, LANES).boxed().toList());
      free.removeAll(owned);
      return new Input.Viewed(SESSION, new LaneView(true, Set.copyOf(owned), 1, free, LANES));
    }
    throw new IllegalStateException("Nothing is given up here, but the engine wants " + effect);
  }
}
