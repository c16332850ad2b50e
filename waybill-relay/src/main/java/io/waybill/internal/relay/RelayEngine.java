package io.waybill.internal.relay;

import io.waybill.internal.encode.MessageMapper;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.Session;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The relay's decisions: takes {@link Input}s, returns {@link Effect}s. It has no threads, clock,
 * randomness or I/O; the same inputs give the same effects. Not thread-safe.
 *
 * <p>{@link #apply} takes in what happened and gives each part its turn: {@code Sender} sends what
 * may be sent, {@code SettlementScheduler} settles in batches under the session's fence, {@code
 * LaneMembership} renews and hands over lanes, {@code ReadScheduler} reads on. {@code KeyFlow}
 * keeps the order of keys, {@code Failures} says what becomes of events that failed.
 */
public final class RelayEngine {
  /** The longest time for which a relay that hands over goes on sending. */
  public static final Duration HAND_OVER_LIMIT = Duration.ofSeconds(1);

  private static final long CONTROL_INTERVAL_NANOS = 1_000_000_000L;

  private final EngineState state;
  private final KeyFlow flow;
  private final Failures failures;
  private final OperatorRequests operators;
  private final LaneMembership membership;
  private final ReadScheduler reads;
  private final RowReview review;
  private final SettlementScheduler settlements;
  // In the order of a turn: sends, notes what waits, settles, renews, hands over lanes, reads on.
  private final List<EnginePart> parts;
  private boolean leaving;

  /**
   * Creates an engine that has not joined yet. It joins when the publisher is available, or after
   * five seconds.
   *
   * @param settings bounds and intervals
   * @param retryPolicy backoff and attempt limit
   * @param policies maps a destination's name (empty if no route was found) to its failure policy
   * @param mapper makes messages of rows
   * @param now monotonic time in nanoseconds
   */
  public RelayEngine(
      EngineSettings settings,
      RetryPolicy retryPolicy,
      Function<String, FailurePolicy> policies,
      MessageMapper mapper,
      long now) {
    this.state = new EngineState(settings, now);
    this.failures = new Failures(state, retryPolicy, policies);
    this.flow = new KeyFlow(state, new GuardedMapper(mapper), failures);
    this.settlements = new SettlementScheduler(state, flow, failures);
    this.operators = new OperatorRequests(state, flow, failures, policies);
    this.membership =
        new LaneMembership(state, settlements, new FailingDestinations(state, flow.destinations));
    this.review = new RowReview(state, flow, failures);
    this.reads = new ReadScheduler(state, flow, review, CONTROL_INTERVAL_NANOS);
    this.parts = List.of(flow.sender, flow.notes, settlements, membership, reads);
  }

  /**
   * Accepts an input and returns the effects to carry out, in order.
   *
   * @param input the input
   * @param now monotonic time in nanoseconds, never less than before
   * @return effects, to be started in this order
   */
  public List<Effect> apply(Input input, long now) {
    state.now = now;
    take(input);
    if (membership.isHandedOver()) {
      stop();
    }
    parts.forEach(EnginePart::advance);
    leaveWhenDone();
    return state.takeEffects();
  }

  /**
   * The time at which the engine wants to be called again if nothing happens.
   *
   * @return monotonic time in nanoseconds; Long.MAX_VALUE for never
   */
  public long deadline() {
    long earliest = Long.MAX_VALUE;
    for (EnginePart part : parts) {
      earliest = Math.min(earliest, part.deadline());
    }
    return earliest;
  }

  /**
   * The current load, for gauges.
   *
   * @return a snapshot
   */
  public RelayEvent.Gauges gauges() {
    int unsettled = state.settle.size() + settlements.entries();
    return flow.gauges(unsettled);
  }

  /** Sends without outcome. */
  public int inFlight() {
    return flow.sender.inFlight();
  }

  /**
   * The number of failing or paused destinations; the engine remembers no others.
   *
   * @return their number, common breakers included
   */
  public int rememberedDestinations() {
    return flow.destinations.size();
  }

  private void take(Input input) {
    switch (input.kind()) {
      case SIGNAL -> onSignal((Input.Signal) input);
      case CONFIRMATIONS -> flow.onConfirmations(((Input.Confirmations) input).confirmations());
      case JOINED -> membership.onJoined((Input.Joined) input);
      case RENEWED -> onRenewed((Input.Renewed) input);
      case VIEWED -> onViewed((Input.Viewed) input);
      case ACQUIRED -> membership.onAcquired((Input.Acquired) input);
      case RELEASED -> onReleased((Input.Released) input);
      case LEFT -> onLeft();
      case ASSIGNED -> reads.onAssigned((Input.Assigned) input);
      case REVOKED -> reads.onRevoked((Input.Revoked) input);
      case ROWS_READ -> reads.onRows(((Input.RowsRead) input).result(), settlements);
      case HELD_READ -> reads.onHeldRows((Input.HeldRead) input);
      case LOOKED -> onLooked((Input.Looked) input);
      case CONTROL_READ -> onControl((Input.ControlRead) input);
      case SETTLE_DONE -> onSettled((Input.SettleDone) input);
      case REFUSED -> settlements.onRefused((Input.Refused) input);
      case SESSION_LOST -> onLost((Input.SessionLost) input);
      case FAILED -> onFailed(((Input.Failed) input).effect());
    }
  }

  private void onSignal(Input.Signal signal) {
    switch (signal) {
      case TICK -> {}
      case WAKE -> reads.wake();
      case PUBLISHER_AVAILABLE -> {
        state.publisherUp = true;
        membership.publisherUp();
      }
      case PUBLISHER_UNAVAILABLE -> state.publisherDown();
      case HAND_OVER -> membership.announce();
      case STOP -> stop();
    }
  }

  private void onRenewed(Input.Renewed in) {
    if (!membership.onRenewed(in)) {
      fenced();
    }
  }

  private void onReleased(Input.Released in) {
    membership.onReleased(in);
    flow.forgetLanes(in.lanes());
  }

  private void onLeft() {
    membership.onLeft();
    state.emit(new Effect.Stopped());
  }

  private void onLooked(Input.Looked in) {
    if (reads.onLooked() && !state.stopping) {
      review.onLooked(in.looks(), state.meanwhile.lookEnds(settlements));
    }
  }

  private void onControl(Input.ControlRead in) {
    // What is answered on the way out could not be settled any more: the next owner answers.
    if (reads.onControl() && !state.stopping) {
      flow.destinations.setPaused(in.pausedDestinations());
      Set<Object> moving = state.meanwhile.lookEnds(settlements).keySet();
      operators.onRequests(in.requests(), new HashSet<>(moving));
    }
  }

  private void onSettled(Input.SettleDone in) {
    if (settlements.onSettled(in)) {
      fenced();
    }
  }

  private void stop() {
    state.stopping = true;
    state.lanes.drainAll();
    flow.dropUnsent(state.lanes.all());
  }

  private void onViewed(Input.Viewed in) {
    if (!membership.onViewed(in)) {
      fenced();
      return;
    }
    Set<Integer> gone = membership.gone();
    if (!gone.isEmpty()) {
      flow.forgetLanes(gone);
      reads.lost(gone);
    }
  }

  private void onFailed(Effect effect) {
    membership.onDatabaseFailed();
    switch (effect.kind()) {
      case JOIN, RENEW, VIEW, ACQUIRE, RELEASE, LEAVE -> membership.onFailed();
      case ASSIGN, REVOKE, READ, READ_CONTROL -> reads.onFailed();
      case READ_HELD -> {
        reads.onFailed();
        flow.heldRows.offerAll(((Effect.ReadHeld) effect).keys());
      }
      case LOOK -> {
        reads.onFailed();
        review.onFailed();
      }
      case SETTLE -> settlements.onFailed();
      // They have no answer.
      case WAKE_READER, SEND, NOTIFY, STOPPED -> {}
    }
  }

  private void onLost(Input.SessionLost in) {
    onFailed(in.effect());
    Session session = state.session;
    if (session != null && session.is(in.session())) {
      fenced();
    }
  }

  private void leaveWhenDone() {
    if (!state.stopping || leaving || flow.sender.inFlight() > 0 || !settlements.idle()) {
      return;
    }
    if (state.settle.isEmpty() && membership.leave()) {
      leaving = true;
    }
  }

  /** Another relay was given what this one owned: forget it all and join anew. */
  private void fenced() {
    int lost = flow.reset() + state.settle.size();
    state.settle.clear();
    settlements.clear();
    state.budget.clear();
    state.meanwhile.clear();
    reads.onFenced();
    membership.onFenced(lost);
  }
}
