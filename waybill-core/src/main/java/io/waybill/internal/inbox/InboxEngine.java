package io.waybill.internal.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.time.Duration;
import java.util.ArrayList;
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
 * {@code WorkScheduler} hands out work, {@code Retries} and {@code DeadLetterSender} decide on
 * failures, {@code DeferredFetcher} brings deferred events back.
 */
public final class InboxEngine {
  private final InboxState state;
  private final HandlerRouting routing;
  private final DeadLetterSender letters;
  private final Retries retries;
  private final DeferredFetcher deferred;
  private final WorkScheduler work;
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
      Letters letters,
      long now) {
    this.state = new InboxState(settings, now);
    this.routing = new HandlerRouting(consumer, alone, handlers);
    this.letters = new DeadLetterSender(state, letters);
    this.retries = new Retries(state, this.letters);
    this.deferred = new DeferredFetcher(state, routing);
    this.work = new WorkScheduler(state, this.letters);
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
    return Stream.of(state.lanes.items(), deferred.items().stream(), work.items())
        .flatMap(items -> items)
        .anyMatch(item -> item.since - time <= 0);
  }

  private void take(InboxInput input) {
    if (input instanceof InboxInput.Delivered in) {
      in.messages().forEach(this::delivered);
    } else if (input instanceof InboxInput.Ended in) {
      ended(in);
    } else if (input instanceof InboxInput.Revoked in) {
      revoked(in);
    } else if (input instanceof InboxInput.Letter in) {
      letters.answered(in.confirmation());
    } else if (input instanceof InboxInput.Fetched in) {
      state.storeAnswered();
      deferred.fetched(in.events(), in.limit());
    } else if (input instanceof InboxInput.FetchFailed in) {
      state.storeFailed(in.reason(), in.transientFailure());
      deferred.failed();
    } else if (input instanceof InboxInput.Released) {
      released = true;
    } else if (input == InboxInput.Signal.STOP) {
      stop();
    }
  }

  private void delivered(Incoming incoming) {
    Delivery delivery = incoming.delivery();
    if (state.stopping) {
      state.release(delivery);
      return;
    }
    Plan plan = routing.plan(delivery.headers(), incoming.decoded());
    Item.Meaning meaning = Item.Meaning.of(delivery, incoming.decoded(), plan);
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
    Item item = Item.of(delivery, meaning, lane, line, state.now);
    state.lanes.add(item, lane);
    state.keys.add(item);
  }

  private static @Nullable InboxEvent unseen(Plan plan, Item.Meaning meaning) {
    if (plan instanceof Plan.PassOver over) {
      return new InboxEvent.PassedOver(meaning.about(), over.consumer());
    }
    return plan instanceof Plan.Ignore ? new InboxEvent.Ignored(meaning.about()) : null;
  }

  private void ended(InboxInput.Ended in) {
    List<Item> items = work.ended(in.workId());
    if (items.isEmpty()) {
      return;
    }
    if (in.outcome() instanceof Outcome.StoreDown down) {
      state.storeFailed(down.reason(), down.transientFailure());
      items.forEach(item -> item.left(down.open()));
      backToTheHead(items);
      return;
    }
    state.storeAnswered();
    if (in.outcome() instanceof Outcome.Failed failed) {
      failed(items, failed);
    } else if (in.outcome() instanceof Outcome.Refused refused) {
      refused(items, refused);
    } else if (in.outcome() instanceof Outcome.Done done) {
      done(items, done.fates(), in.micros());
    }
  }

  private void done(List<Item> items, List<Fate> fates, long micros) {
    state.sharing.done(items, fates);
    List<Item> unhandled = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (fates.get(i) instanceof Fate.MustBeAlone alone) {
        isolate(items.get(i), alone.starts());
      }
      if (isUnhandled(fates.get(i))) {
        unhandled.add(items.get(i));
      }
    }
    // First, for a line with nothing in it is forgotten when an event of it is done.
    backToTheHead(unhandled);
    long each = micros / Math.max(1, items.size() - unhandled.size());
    for (int i = 0; i < items.size(); i++) {
      if (!isUnhandled(fates.get(i))) {
        settle(items.get(i), fates.get(i), each);
      }
    }
  }

  private void isolate(Item item, int starts) {
    item.openStarts = starts;
    long nanos = Math.max(0, work.aloneFrom(item) - state.now);
    state.tell(new InboxEvent.Isolated(item.about, starts, nanos / Timers.MILLI));
  }

  private static boolean isUnhandled(Fate fate) {
    return fate instanceof Fate.Unhandled || fate instanceof Fate.MustBeAlone;
  }

  /** The same work is done again, in the same order. */
  private void backToTheHead(List<Item> items) {
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      if (isLeft(item)) {
        leave(item);
      } else {
        state.keys.again(item);
      }
    }
  }

  /** Whether nothing new is begun with it. */
  private boolean isLeft(Item item) {
    return item.gone() || state.stopping;
  }

  /** It comes again, to whoever has its lane or its claim. */
  private void leave(Item item) {
    deferred.ended(item);
    state.release(item);
  }

  private void failed(List<Item> items, Outcome.Failed failed) {
    state.sharing.failed(items);
    if (items.size() > 1) {
      singly(items);
      return;
    }
    Item item = items.get(0);
    item.left(failed.open());
    item.error = failed.failure().error();
    if (isLeft(item)) {
      leave(item);
    } else if (failed.failure().temporary()) {
      retries.failed(item);
    } else {
      letters.bury(item, "permanent-failure", item.error);
    }
  }

  private void refused(List<Item> items, Outcome.Refused refused) {
    state.sharing.failed(items);
    if (items.size() > 1) {
      singly(items);
      return;
    }
    Item item = items.get(0);
    item.left(refused.open());
    if (isLeft(item)) {
      leave(item);
    } else {
      retries.refused(item, refused.reason());
    }
  }

  /** It shows then which of them it is. */
  private void singly(List<Item> items) {
    items.forEach(item -> item.alone = true);
    backToTheHead(items);
  }

  private void settle(Item item, Fate fate, long micros) {
    if (!(fate instanceof Fate.ToBury dead)) {
      report(item, fate, micros);
      if (!(fate instanceof Fate.PutOff)) {
        state.succeeded(item);
      }
      deferred.ended(item);
      state.acknowledge(item);
    } else if (isLeft(item)) {
      leave(item);
    } else {
      letters.bury(item, dead.reason(), dead.detail());
    }
  }

  private void report(Item item, Fate fate, long micros) {
    if (fate instanceof Fate.Handled) {
      state.tell(new InboxEvent.Handled(item.about, micros, (state.now - item.since) / 1000));
    } else if (fate instanceof Fate.Duplicate duplicate) {
      state.tell(new InboxEvent.Duplicate(item.about, duplicate.age()));
    } else if (fate instanceof Fate.WentBehind) {
      state.tell(new InboxEvent.Deferred(item.about, 0, "", 0));
    } else if (fate instanceof Fate.PutOff) {
      var put = Objects.requireNonNull(item.putOff, "putOff");
      if (put.deadReason() == null && !item.leaves) {
        state.tell(
            new InboxEvent.Deferred(item.about, put.attempts(), put.failure(), put.delayMillis()));
      }
      deferred.dueIn(put.delayMillis() + 1);
      return;
    } else if (fate instanceof Fate.Buried) {
      state.tell(new InboxEvent.DeadLettered(item.about, item.deadReason, item.error));
    }
    if (item.deferred != null) {
      // The next one of its key is due.
      deferred.dueIn(0);
    }
  }

  private void revoked(InboxInput.Revoked in) {
    List<Lane> gone = state.lanes.revoke(in.number(), in.lanes());
    int running = gone.stream().mapToInt(lane -> lane.running).sum();
    state.tell(new InboxEvent.Revoked(in.lanes(), in.lost(), running));
    for (Lane lane : gone) {
      if (lane.held) {
        // The lane may be assigned again already, and then the hold has met that assignment.
        state.emit(new InboxEffect.Hold(lane.name, false));
      }
      for (Item item : List.copyOf(lane.items)) {
        if (item.place != Item.Place.WORKING) {
          remove(item);
        }
      }
    }
  }

  /** Forgets an item that no worker has. */
  private void remove(Item item) {
    state.lanes.remove(item);
    deferred.ended(item);
    if (item.place == Item.Place.QUEUED) {
      item.line.queue.remove(item);
      state.keys.settle(item.line);
    } else {
      state.timers.cancel(item);
      letters.forget(item);
      state.keys.free(item.line);
    }
  }

  /** Only what workers have, and letters under way, are awaited. */
  private void stop() {
    state.stopping = true;
    for (Lane lane : state.lanes.all()) {
      for (Item item : List.copyOf(lane.items)) {
        if (isIdle(item)) {
          remove(item);
          state.release(Objects.requireNonNull(item.delivery, "delivery"));
        }
      }
    }
    List.copyOf(deferred.items()).stream().filter(InboxEngine::isIdle).forEach(this::remove);
  }

  private static boolean isIdle(Item item) {
    return item.place == Item.Place.TIMER
        || (item.place == Item.Place.QUEUED && item.todo != Item.Todo.BURY);
  }

  private void advance() {
    for (Item item = state.timers.poll(state.now);
        item != null;
        item = state.timers.poll(state.now)) {
      if (DeadLetterSender.waitsForLetter(item)) {
        letters.send(item);
      } else {
        state.keys.again(item);
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
      state.emit(new InboxEffect.Release());
    } else if (released && !stopped) {
      stopped = true;
      state.emit(new InboxEffect.Stopped());
    }
  }
}
