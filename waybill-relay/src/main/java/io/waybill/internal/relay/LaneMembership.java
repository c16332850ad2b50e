package io.waybill.internal.relay;

import io.waybill.observe.RelayEvent;
import io.waybill.store.LaneView;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.TakeOver;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Membership and lanes: joins, renews, takes its fair share, gives up what exceeds it, leaves.
 *
 * <p>The keys of a lane stand still from its last send here to the first one of its next owner. So
 * a relay joins when it can send, says that it will leave before it stops sending, and looks often
 * while lanes are on their way to it.
 */
final class LaneMembership implements EnginePart {
  // Without a word from the publisher. A relay without a broker shows what waits as well.
  private static final long JOIN_LIMIT_NANOS = 5_000_000_000L;
  private static final long OFTEN_NANOS = 50_000_000L;
  // Shares are not always whole: who has one lane less than another may wait for nothing.
  private static final long OFTEN_LIMIT_NANOS = 5_000_000_000L;
  private static final long HAND_OVER_LIMIT_NANOS = RelayEngine.HAND_OVER_LIMIT.toNanos();

  private final EngineState state;
  private final SettlementScheduler settlements;
  private final FailingDestinations failing;
  private final Channel channel = new Channel();
  private @Nullable LaneView view;
  private long renewAt;
  private long viewAt;
  private long joinAt;
  // Of the last view.
  private int sessions;
  private long oftenUntil;
  private boolean leaving;
  // Whether the renewal under way, or the last one, said so.
  private boolean announced;
  private long handOverAt;
  private Set<Integer> gone = Set.of();
  private boolean left;

  LaneMembership(EngineState state, SettlementScheduler settlements, FailingDestinations failing) {
    this.state = state;
    this.settlements = settlements;
    this.failing = failing;
    this.viewAt = state.now;
    this.renewAt = state.now;
    this.joinAt = state.now + JOIN_LIMIT_NANOS;
    this.oftenUntil = state.now;
    this.handOverAt = state.now;
  }

  void publisherUp() {
    joinAt = Math.min(joinAt, state.now);
  }

  void onJoined(Input.Joined in) {
    channel.answered();
    state.session = in.session();
    leaseFrom(in.startedNanos());
    viewAt = state.now;
    oftenUntil = state.now + OFTEN_LIMIT_NANOS;
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
      if (leaving && announced) {
        // By then each of the others has looked.
        handOverAt = Math.min(handOverAt, state.now + state.settings.viewInterval().toNanos());
      } else if (leaving) {
        renewAt = state.now;
      }
    }
    return in.alive();
  }

  /** Says to the others that this relay will leave. */
  void announce() {
    leaving = true;
    if (!isAlone()) {
      renewAt = state.now;
      // If the others are not ready by then, they will have to find the lanes themselves.
      handOverAt = state.now + HAND_OVER_LIMIT_NANOS;
      if (channel.pauses(state.now)) {
        onDatabaseFailed();
      }
    }
  }

  /** What is sent without a database might not be settled: ends the hand-over. */
  void onDatabaseFailed() {
    if (leaving) {
      handOverAt = state.now;
    }
  }

  /** Whether this relay wants to leave, and the others are ready, or there are none. */
  boolean isHandedOver() {
    return leaving && !state.stopping && (isAlone() || state.now - handOverAt >= 0);
  }

  private boolean isAlone() {
    return state.session == null || sessions <= 1 || state.lanes.size() == 0;
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
    state.quietIn(in.view().quietMillis());
    in.view().takenOver().forEach(this::tellTakeOver);
    int before = state.lanes.size();
    gone = state.lanes.reconcile(in.view().mine());
    if (state.stopping) {
      state.lanes.drainAll();
    } else if (!leaving) {
      state.lanes.drainExcess(in.view());
    }
    view = in.view();
    lookAgain(in.view());
    state.tell(
        new RelayEvent.LanesViewed(
            in.view().mine().size(), in.view().lanes(), in.view().sessions()));
    tellChange(before);
    return true;
  }

  /** Soon, if other relays are about to give lanes to this one. */
  private void lookAgain(LaneView seen) {
    if (sessions != seen.sessions()) {
      sessions = seen.sessions();
      oftenUntil = state.now + OFTEN_LIMIT_NANOS;
    }
    if (leaving || state.stopping || state.lanes.size() >= LaneTable.share(seen)) {
      oftenUntil = state.now;
    }
    boolean often = state.now - oftenUntil < 0;
    viewAt = state.now + (often ? OFTEN_NANOS : state.settings.viewInterval().toNanos());
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
      return state.stopping || state.now - joinAt < 0
          ? null
          : new Effect.Join(state.settings.lease());
    }
    if (state.now - renewAt >= 0) {
      announced = leaving;
      return new Effect.Renew(
          session, state.settings.lease(), new RelayReport(leaving, failing.now()));
    }
    if (anyReleasable()) {
      return new Effect.Release(session, state.lanes.releasable());
    }
    Set<Integer> wanted = wanted(session);
    if (!wanted.isEmpty()) {
      return new Effect.Acquire(session, wanted);
    }
    boolean lanesMove = leaving || state.now - oftenUntil < 0;
    return state.now - viewAt >= 0 ? new Effect.View(session, lanesMove) : null;
  }

  /** Of a new owner's rows the former one notes nothing, and answers no operator. */
  private boolean anyReleasable() {
    return state.lanes.anyReleasable() && !settlements.bindsLanes();
  }

  private Set<Integer> wanted(Session session) {
    LaneView seen = view;
    view = null;
    return seen == null || state.stopping || leaving
        ? Set.of()
        : state.lanes.wanted(seen, session.fence());
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
    if (state.session == null) {
      return channel.deadline(Math.max(state.now, joinAt));
    }
    boolean work = view != null || anyReleasable();
    long wanted = work ? state.now : Math.min(renewAt, viewAt);
    long calls = channel.deadline(wanted);
    return leaving && !state.stopping ? Math.min(calls, handOverAt) : calls;
  }
}
