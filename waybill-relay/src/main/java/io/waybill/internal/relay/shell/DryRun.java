package io.waybill.internal.relay.shell;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows that an engine carries nowhere: each of its effects is answered here, and its messages are
 * thrown away. The engine has not joined yet, and is of no use afterwards.
 */
final class DryRun {
  // The session, the lanes, the read, one confirmation for each row, the settlements.
  private static final int MOST_STEPS = 1_000;

  private final RelayEngine engine;
  private final List<OutboxRow> rows;
  private final Set<Integer> lanes;
  private final int laneCount;
  private final Deque<Effect> effects = new ArrayDeque<>();
  private long now;
  private boolean owned;
  private boolean read;
  private int sent;

  DryRun(RelayEngine engine, List<OutboxRow> rows, long now) {
    this.engine = engine;
    this.rows = rows;
    this.lanes = rows.stream().map(OutboxRow::lane).collect(Collectors.toSet());
    this.laneCount = 1 + lanes.stream().mapToInt(lane -> lane).max().orElse(0);
    this.now = now;
  }

  /** Returns the number of messages that would have been sent. */
  int run() {
    apply(Input.Signal.PUBLISHER_AVAILABLE);
    for (int step = 0; step < MOST_STEPS && !done(); step++) {
      Effect effect = effects.poll();
      if (effect == null) {
        now = Math.max(now, engine.deadline());
        apply(Input.Signal.TICK);
      } else {
        Input answer = answer(effect);
        if (answer != null) {
          apply(answer);
        }
      }
    }
    return sent;
  }

  private boolean done() {
    return read && engine.inFlight() == 0 && engine.gauges().unsettledRows() == 0;
  }

  private void apply(Input input) {
    effects.addAll(engine.apply(input, now));
  }

  private @Nullable Input answer(Effect effect) {
    return switch (effect.kind()) {
      case JOIN -> new Input.Joined(Session.NONE, now);
      case VIEW -> new Input.Viewed(Session.NONE, view());
      case ACQUIRE -> acquired();
      case ASSIGN -> new Input.Assigned(((Effect.Assign) effect).lanes(), Backlog.NONE);
      case READ_CONTROL -> new Input.ControlRead(List.of(), Set.of());
      case READ -> new Input.RowsRead(readOnce());
      case SEND -> confirmed((Effect.Send) effect);
      case SETTLE -> new Input.SettleDone((Effect.Settle) effect, new Settled(false, 0));
      case RENEW, RELEASE, LEAVE, REVOKE, READ_HELD, LOOK, WAKE_READER, NOTIFY, STOPPED -> null;
    };
  }

  private LaneView view() {
    return owned
        ? new LaneView(true, lanes, 1, Set.of(), laneCount)
        : new LaneView(true, Set.of(), 1, lanes, laneCount);
  }

  private Input acquired() {
    owned = true;
    return new Input.Acquired(Session.NONE, lanes);
  }

  private ReadResult readOnce() {
    List<OutboxRow> all = read ? List.of() : rows;
    read = true;
    return new ReadResult(all, false);
  }

  private Input confirmed(Effect.Send send) {
    sent++;
    return new Input.Confirmations(List.of(new Confirmation.Confirmed(send.message().sendId())));
  }
}
