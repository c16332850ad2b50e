package io.waybill.internal.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The inbox's decisions: takes {@link InboxInput}s, returns {@link InboxEffect}s. It has no
 * threads, clock, randomness or I/O; the same inputs give the same effects. Not thread-safe.
 *
 * <p>Deliveries wait for their key's turn, are handled in a transaction, which several share while
 * all goes well, and are acknowledged after its commit. A failure that may pass is tried again in
 * place and then deferred into a table, while its key waits; any other becomes a dead letter.
 * {@code WorkScheduler} hands out work, {@code WorkResults} says what becomes of it, {@code
 * Retries} and {@code DeadLetterSender} decide on failures, {@code DeferredFetcher} brings deferred
 * events back.
 */
public final class InboxEngine {
  private final InboxState state;
  private final HandlerRouting routing;
  private final DeadLetterSender letters;
  private final DeferredFetcher deferred;
  private final WorkScheduler work;
  private final WorkResults results;
  private boolean releasing;
  private boolean released;
  private boolean stopped;

  /**
   * Creates an engine that has not fetched anything yet.
   *
   * @param consumer name of the consumer
   * @param alone whether this consumer is the only recipient of its deliveries, as on a queue
   * @param settings bounds, retries and intervals
   * @param handlers finds the handler of an event
   * @param letters makes dead letters
   * @param now monotonic time in nanoseconds
   */
  public InboxEngine(
      String consumer,
      boolean alone,
      InboxSettings settings,
      Handlers handlers,
      DeadLetterFactory letters,
      long now) {
    this.state = new InboxState(settings, now);
    this.routing = new HandlerRouting(consumer, alone, handlers);
    this.letters = new DeadLetterSender(state, letters);
    this.deferred = new DeferredFetcher(state, routing);
    this.work = new WorkScheduler(state, this.letters);
    Retries retries = new Retries(state, this.letters);
    this.results = new WorkResults(state, work, retries, this.letters, deferred);
  }

  /**
   * Accepts an input and returns the effects to carry out, in order.
   *
   * @param input the input
   * @param now monotonic time in nanoseconds, never less than before
   * @return effects, to be started in this order
   */
  public List<InboxEffect> apply(InboxInput input, long now) {
    state.now = now;
    take(input);
    advance();
    return state.takeEffects();
  }

  /**
   * The time at which the engine wants to be called again if nothing happens.
   *
   * @return monotonic time in nanoseconds; Long.MAX_VALUE for never
   */
  public long deadline() {
    long earliest = Math.min(state.timers.deadline(), deferred.deadline());
    return Math.min(earliest, state.gate.deadline(state.now));
  }

  /**
   * The current load, for gauges.
   *
   * @return a snapshot
   */
  public InboxEvent.Gauges gauges() {
    return new InboxEvent.Gauges(
        state.lanes.events(),
        state.lanes.bytes(),
        work.running(),
        state.lanes.all().size(),
        state.lanes.held(),
        state.lanes.stopped());
  }

  /** How long the oldest message of each lane is in memory. */
  public Map<String, Duration> ages() {
    return state.lanes.ages(state.now);
  }

  /**
   * For each lane, and for the table of deferred events, the message that has been stuck for the
   * longest time, if there is one.
   *
   * @return at most one message of each place
   */
  public List<InboxEvent.MessageStuck> stuck() {
    List<InboxEvent.MessageStuck> stuck = state.lanes.stuck(state.now);
    state.tries.stuck(state.now).ifPresent(stuck::add);
    return stuck;
  }

  /** Whether anything is in memory that came until a time. */
  public boolean holds(long time) {
    return Stream.of(state.lanes.messages(), deferred.messages().stream(), work.messages())
        .flatMap(messages -> messages)
        .anyMatch(message -> message.since - time <= 0);
  }

  private void take(InboxInput input) {
    switch (input.kind()) {
      case DELIVERED -> ((InboxInput.Delivered) input).messages().forEach(this::delivered);
      case ENDED -> results.ended((InboxInput.Ended) input);
      case REVOKED -> revoked((InboxInput.Revoked) input);
      case DEAD_LETTER_OUTCOME ->
          letters.answered(((InboxInput.DeadLetterOutcome) input).confirmation());
      case FETCHED -> fetched((InboxInput.Fetched) input);
      case FETCH_FAILED -> fetchFailed((InboxInput.FetchFailed) input);
      case RELEASED -> released = true;
      case SIGNAL -> onSignal((InboxInput.Signal) input);
    }
  }

  private void onSignal(InboxInput.Signal signal) {
    switch (signal) {
      case TICK -> {}
      case STOP -> stop();
    }
  }

  private void fetched(InboxInput.Fetched in) {
    state.storeAnswered();
    deferred.fetched(in.events(), in.limit());
  }

  private void fetchFailed(InboxInput.FetchFailed in) {
    state.storeFailed(in.reason(), in.transientFailure());
    deferred.failed();
  }

  private void delivered(ReceivedMessage received) {
    Delivery delivery = received.delivery();
    if (state.stopping) {
      state.release(delivery);
      return;
    }
    Plan plan = routing.plan(delivery.headers(), received.decoded());
    PendingMessage.Meaning meaning = PendingMessage.Meaning.of(delivery, received.decoded(), plan);
    Lane lane = state.lanes.lane(delivery.lane());
    if (plan instanceof Plan.Halt halt && !lane.stopped) {
      lane.stopped = true;
      state.tell(new InboxEvent.LaneStopped(lane.name, meaning.about(), halt.detail()));
    }
    if (lane.stopped) {
      // Neither acknowledged nor kept: it comes again when the lane is assigned anew.
      return;
    }
    InboxEvent unseen = unseen(plan, meaning);
    if (unseen != null) {
      state.acknowledge(delivery);
      state.tell(unseen);
      return;
    }
    KeyQueue line = state.keys.line(delivery.source(), delivery.key(), meaning.task());
    PendingMessage message = PendingMessage.of(delivery, meaning, lane, line, state.now);
    state.lanes.add(message, lane);
    state.keys.add(message);
  }

  private static @Nullable InboxEvent unseen(Plan plan, PendingMessage.Meaning meaning) {
    return switch (plan.kind()) {
      case PASS_OVER ->
          new InboxEvent.PassedOver(meaning.about(), ((Plan.PassOver) plan).consumer());
      case IGNORE -> new InboxEvent.Ignored(meaning.about());
      case HANDLE, BURY, HALT -> null;
    };
  }

  private void revoked(InboxInput.Revoked in) {
    List<Lane> gone = state.lanes.revoke(in.number(), in.lanes());
    int running = gone.stream().mapToInt(lane -> lane.running).sum();
    state.tell(new InboxEvent.Revoked(in.lanes(), in.lost(), running));
    for (Lane lane : gone) {
      if (lane.held) {
        // The lane may be assigned again already, and then the hold has met that assignment.
        state.emit(new InboxEffect.Pause(lane.name, false));
      }
      for (PendingMessage message : List.copyOf(lane.messages)) {
        if (message.place != PendingMessage.Place.WORKING) {
          remove(message);
        }
      }
    }
  }

  /** Forgets a message that no worker has. */
  private void remove(PendingMessage message) {
    state.lanes.remove(message);
    deferred.ended(message);
    if (message.place == PendingMessage.Place.QUEUED) {
      message.line.queue.remove(message);
      state.keys.settle(message.line);
    } else {
      state.timers.cancel(message);
      letters.forget(message);
      state.keys.free(message.line);
    }
  }

  /** Only what workers have, and letters under way, are awaited. */
  private void stop() {
    state.stopping = true;
    for (Lane lane : state.lanes.all()) {
      for (PendingMessage message : List.copyOf(lane.messages)) {
        if (isIdle(message)) {
          remove(message);
          state.release(Objects.requireNonNull(message.delivery, "delivery"));
        }
      }
    }
    List.copyOf(deferred.messages()).stream().filter(InboxEngine::isIdle).forEach(this::remove);
  }

  private static boolean isIdle(PendingMessage message) {
    return message.place == PendingMessage.Place.TIMER
        || (message.place == PendingMessage.Place.QUEUED
            && message.todo != PendingMessage.Todo.BURY);
  }

  private void advance() {
    for (PendingMessage message = state.timers.poll(state.now);
        message != null;
        message = state.timers.poll(state.now)) {
      if (DeadLetterSender.waitsForLetter(message)) {
        letters.send(message);
      } else {
        state.keys.again(message);
      }
    }
    work.advance();
    deferred.advance();
    state.lanes.holds().forEach(state::emit);
    state.lanes.quiet().forEach(number -> state.emit(new InboxEffect.LanesQuiet(number)));
    finish();
  }

  private void finish() {
    if (!state.stopping || work.running() > 0 || !letters.isEmpty() || deferred.underWay()) {
      return;
    }
    if (!state.keys.isEmpty()) {
      // Dead letters that are confirmed and not yet noted.
      return;
    }
    if (!releasing) {
      releasing = true;
      state.emit(new InboxEffect.ReleaseClaims());
    } else if (released && !stopped) {
      stopped = true;
      state.emit(new InboxEffect.Stopped());
    }
  }
}
