package io.waybill.internal.relay;

import io.waybill.observe.RelayEvent;
import io.waybill.store.LaneView;
import io.waybill.store.Session;
import io.waybill.store.TakeOver;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Membership and lanes: joins, renews, takes its fair share, gives up what exceeds it, leaves. */
final class LaneMembership implements EnginePart {
  private final EngineState state;
  private final SettlementScheduler settlements;
  private final Channel channel = new Channel();
  private @Nullable LaneView view;
  private long renewAt;
  private long viewAt;
  private Set<Integer> gone = Set.of();
  private boolean left;

  LaneMembership(EngineState state, SettlementScheduler settlements) {
    this.state = state;
    this.settlements = settlements;
    this.viewAt = state.now;
    this.renewAt = state.now;
  }

  void onJoined(Input.Joined in) {
    channel.answered();
    state.session = in.session();
    leaseFrom(in.startedNanos());
    viewAt = state.now;
    state.tell(new RelayEvent.Joined(in.session().relay(), in.session().fence()));
  }

  private void leaseFrom(long startedNanos) {
    state.leaseUntil = startedNanos + state.settings.lease().toNanos();
    renewAt = startedNanos + state.settings.renewInterval().toNanos();
  }

  private boolean isMine(Session session) {
    Session mine = state.session;
    return mine != null && mine.is(session);
  }

  /** Returns false if the session was fenced. */
  boolean onRenewed(Input.Renewed in) {
    channel.answered();
    if (!isMine(in.session())) {
      return true;
    }
    if (in.alive()) {
      state.session = in.session().renewed();
      leaseFrom(in.startedNanos());
    }
    return in.alive();
  }

  /** Returns false if the session was fenced. */
  boolean onViewed(Input.Viewed in) {
    channel.answered();
    if (!isMine(in.session())) {
      return true;
    }
    if (!in.view().alive()) {
      return false;
    }
    viewAt = state.now + state.settings.viewInterval().toNanos();
    state.quietIn(in.view().quietMillis());
    in.view().takenOver().forEach(this::tellTakeOver);
    int before = state.lanes.size();
    gone = state.lanes.reconcile(in.view().mine());
    if (state.stopping) {
      state.lanes.drainAll();
    } else {
      state.lanes.drainExcess(in.view());
    }
    view = in.view();
    state.tell(
        new RelayEvent.LanesViewed(
            in.view().mine().size(), in.view().lanes(), in.view().sessions()));
    tellChange(before);
    return true;
  }

  private void tellTakeOver(TakeOver dead) {
    boolean ended = dead.cause() == TakeOver.Cause.SESSION_ENDED;
    state.tell(
        new RelayEvent.TakenOver(
            dead.relay(), dead.fence(), dead.lanes(), ended, dead.silentMillis()));
  }

  void onAcquired(Input.Acquired in) {
    channel.answered();
    int before = state.lanes.size();
    if (isMine(in.session()) && !in.lanes().isEmpty()) {
      state.lanes.acquired(in.lanes());
      state.lanesCame();
      viewAt = state.now;
    }
    tellChange(before);
  }

  void onReleased(Input.Released in) {
    channel.answered();
    int before = state.lanes.size();
    if (isMine(in.session())) {
      state.lanes.released(in.lanes());
    }
    tellChange(before);
  }

  private void tellChange(int before) {
    if (before != state.lanes.size()) {
      state.tell(new RelayEvent.LanesChanged(state.lanes.size()));
    }
  }

  void onLeft() {
    channel.answered();
    left = true;
    Session session = state.session;
    if (session != null) {
      state.tell(new RelayEvent.Left(session.relay()));
    }
    state.session = null;
  }

  void onFailed() {
    channel.failed(state.now);
  }

  void onFenced(int lost) {
    Session session = state.session;
    if (session != null) {
      state.tell(new RelayEvent.Fenced(session.relay(), lost));
    }
    state.session = null;
    state.lanes.clear();
    view = null;
    viewAt = state.now;
  }

  /** Lanes that turned out to be lost or released since the last call. */
  Set<Integer> gone() {
    Set<Integer> taken = gone;
    gone = Set.of();
    return taken;
  }

  @Override
  public void advance() {
    if (!channel.free(state.now) || left) {
      return;
    }
    Effect.OnLanes next = next();
    if (next != null) {
      channel.started();
      state.emit(next);
    }
  }

  private Effect.@Nullable OnLanes next() {
    Session session = state.session;
    if (session == null) {
      return state.stopping ? null : new Effect.Join(state.settings.lease());
    }
    if (state.now - renewAt >= 0) {
      return new Effect.Renew(session, state.settings.lease());
    }
    if (anyReleasable()) {
      return new Effect.Release(session, state.lanes.releasable());
    }
    Set<Integer> wanted = wanted(session);
    if (!wanted.isEmpty()) {
      return new Effect.Acquire(session, wanted);
    }
    return state.now - viewAt >= 0 ? new Effect.View(session) : null;
  }

  /** A new owner's rows are not noted by the former one. */
  private boolean anyReleasable() {
    return state.lanes.anyReleasable() && !settlements.notes();
  }

  private Set<Integer> wanted(Session session) {
    LaneView seen = view;
    view = null;
    return seen == null || state.stopping ? Set.of() : state.lanes.wanted(seen, session.fence());
  }

  /** Ends the session once the channel is free. Returns whether that is under way or done. */
  boolean leave() {
    if (left || channel.busy()) {
      return left;
    }
    Session session = state.session;
    if (session == null) {
      left = true;
      state.emit(new Effect.Stopped());
      return true;
    }
    if (!channel.free(state.now)) {
      return false;
    }
    channel.started();
    state.emit(new Effect.Leave(session));
    return false;
  }

  @Override
  public long deadline() {
    if (left) {
      return Long.MAX_VALUE;
    }
    boolean work = state.session == null || view != null || anyReleasable();
    long wanted = work ? state.now : Math.min(renewAt, viewAt);
    return channel.deadline(wanted);
  }
}
