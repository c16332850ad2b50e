package io.waybill.internal.relay;

import io.waybill.internal.relay.LaneTable.Phase;
import io.waybill.message.EventKey;
import io.waybill.store.ReadResult;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the reader is asked next: lanes first, then operators' requests, held rows, new rows. */
final class ReadScheduler implements EnginePart {
  private static final int HELD_KEYS_PER_READ = 200;

  private final EngineState state;
  private static final long LOOK_BYTES = 4L << 20;

  private final KeyFlow flow;
  private final RowReview review;
  private final long controlInterval;
  private final Channel channel = new Channel();
  private final PollSchedule polls;
  private long controlAt;
  // Lanes that the reader still reads and that this relay owns no longer.
  private final Set<Integer> stale = new TreeSet<>();
  // Answers to effects of before a fencing are about lanes of others.
  private boolean ignoreAnswer;
  // The last thing asked for was a look at rows.
  private boolean looked;
  // The reader goes on by itself while it finds nothing.
  private boolean watching;

  ReadScheduler(EngineState state, KeyFlow flow, RowReview review, long controlInterval) {
    this.state = state;
    this.flow = flow;
    this.review = review;
    this.controlInterval = controlInterval;
    this.polls = new PollSchedule(state.settings.polling(), state.now);
    this.controlAt = state.now;
  }

  void wake() {
    polls.wake(state.now);
  }

  private boolean answered() {
    channel.answered();
    watching = false;
    boolean current = !ignoreAnswer;
    ignoreAnswer = false;
    return current;
  }

  void onRows(ReadResult result, SettlementScheduler settlements) {
    if (answered()) {
      polls.returned(!result.rows().isEmpty(), result.more(), state.now);
      flow.onBacklog(result.backlog());
      flow.onRows(result.rows(), settlements);
      if (!result.more()) {
        flow.onScanned(state.lanes.scanned());
      }
    }
    state.meanwhile.readEnds();
  }

  void onHeldRows(Input.HeldRead in) {
    if (answered()) {
      flow.onHeldRows(in.effect().keys(), in.result().rows(), in.result().more());
    }
  }

  /** Returns whether the answer is about lanes that this relay still owns. */
  boolean onLooked() {
    return answered();
  }

  /** Returns whether the answer is about lanes that this relay still owns. */
  boolean onControl() {
    controlAt = state.now + controlInterval;
    return answered();
  }

  void onAssigned(Input.Assigned in) {
    if (answered()) {
      state.lanes.move(in.lanes(), Phase.NEW, Phase.ACTIVE);
      flow.onBacklog(in.backlog());
      polls.soon(state.now);
    }
  }

  void onRevoked(Input.Revoked in) {
    stale.removeAll(in.lanes());
    if (answered()) {
      state.lanes.move(in.lanes(), Phase.DRAINING, Phase.REVOKED);
    }
  }

  void onFailed() {
    channel.failed(state.now);
    state.meanwhile.readEnds();
    watching = false;
    ignoreAnswer = false;
  }

  void onFenced() {
    ignoreAnswer = channel.busy();
    lost(state.lanes.all());
  }

  /** Lanes that turned out to be owned no longer. */
  void lost(Set<Integer> lanes) {
    stale.addAll(lanes);
  }

  @Override
  public void advance() {
    if (watching && hasOtherWork()) {
      watching = false;
      state.emit(new Effect.WakeReader());
    }
    if (!channel.free(state.now)) {
      return;
    }
    Effect.OnReader next = stale.isEmpty() ? next() : new Effect.Revoke(new TreeSet<>(stale));
    if (next != null) {
      channel.started();
      state.emit(next);
    }
  }

  /** Something that a watching reader must not keep waiting. */
  private boolean hasOtherWork() {
    return polls.nudged()
        || state.stopping
        || !stale.isEmpty()
        || flow.heldRows.anyReadable()
        || flow.looks.anyAsking()
        || state.lanes.any(Phase.DRAINING)
        || state.lanes.any(Phase.NEW);
  }

  private Effect.@Nullable OnReader next() {
    Session session = state.session;
    if (session == null) {
      return null;
    }
    if (state.lanes.any(Phase.DRAINING)) {
      return new Effect.Revoke(state.lanes.in(Phase.DRAINING));
    }
    if (state.stopping) {
      return null;
    }
    if (state.lanes.any(Phase.NEW)) {
      return new Effect.Assign(session, state.lanes.in(Phase.NEW));
    }
    if (state.lanes.size() == 0) {
      return null;
    }
    if (state.now - controlAt >= 0) {
      state.meanwhile.lookBegins();
      return new Effect.ReadControl(session);
    }
    // In turn, so that many blocked keys keep no others waiting.
    looked = !looked && state.now - flow.looks.deadline() >= 0;
    if (looked) {
      List<RowRef> rows = review.next();
      if (!rows.isEmpty()) {
        state.meanwhile.lookBegins();
        return new Effect.Look(session, rows, LOOK_BYTES);
      }
    }
    return readRows(session);
  }

  private Effect.@Nullable OnReader readRows(Session session) {
    if (!state.budget.hasRoom() || !flow.sender.readsOn()) {
      return null;
    }
    int rows = Math.min(polls.batch(), state.budget.freeRows());
    long bytes = state.budget.freeBytes();
    if (flow.heldRows.anyReadable()) {
      List<EventKey> keys = flow.heldRows.take(HELD_KEYS_PER_READ);
      if (!keys.isEmpty()) {
        return new Effect.ReadHeld(session, keys, rows, bytes);
      }
    }
    if (!polls.due(state.now)) {
      return null;
    }
    long pause = polls.idlePause(state.now);
    long watch = controlAt - state.now;
    polls.started(state.now);
    state.meanwhile.readBegins();
    if (pause == 0 || pause >= watch || flow.looks.inRound()) {
      return new Effect.Read(session, rows, bytes);
    }
    watching = true;
    return new Effect.Read(session, rows, bytes, watch, pause);
  }

  @Override
  public long deadline() {
    if (!stale.isEmpty()) {
      return channel.deadline(state.now);
    }
    if (state.session == null || state.lanes.size() == 0) {
      return Long.MAX_VALUE;
    }
    if (state.lanes.any(Phase.DRAINING)) {
      return channel.deadline(state.now);
    }
    if (state.stopping) {
      return Long.MAX_VALUE;
    }
    if (state.lanes.any(Phase.NEW)) {
      return channel.deadline(state.now);
    }
    boolean reads = state.budget.hasRoom() && flow.sender.readsOn();
    long wanted = Math.min(controlAt, reads ? polls.deadline() : Long.MAX_VALUE);
    wanted = Math.min(wanted, flow.looks.deadline());
    return channel.deadline(wanted);
  }
}
