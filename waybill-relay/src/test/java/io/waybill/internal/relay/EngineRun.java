package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.Backlog;
import io.waybill.store.LaneView;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.Standing;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An engine whose database, broker and clock are the test's: every input is given by hand. */
final class EngineRun {
  static final int LANES = 8;
  static final EngineSettings DEFAULTS = EngineSettings.defaults(Duration.ofSeconds(10), 100);
  private static final Session SESSION = new Session(7, "relay");

  private final RelayEngine engine;
  private final List<Effect> effects = new ArrayList<>();
  private final Set<Integer> mine = new TreeSet<>();
  private long now = 1_000_000_000L;
  private final RunRows rows = new RunRows();
  private int looks;
  private Backlog backlog = Backlog.NONE;

  EngineRun(
      EngineSettings settings, RetryPolicy retries, Function<String, FailurePolicy> policies) {
    engine = new RelayEngine(settings, retries, policies, RunMapper::map, now);
  }

  /** With retries after a second each, three rejections at most, and parked keys. */
  static EngineRun of(EngineSettings settings) {
    return of(settings, new FailurePolicy.Park());
  }

  static EngineRun of(EngineSettings settings, FailurePolicy policy) {
    RetryPolicy retries =
        RetryPolicy.builder().constant(Duration.ofSeconds(1)).attemptLimit(3).build();
    return new EngineRun(settings, retries, destination -> policy);
  }

  /** The defaults with other bounds. */
  static EngineSettings bounds(int maxRows, long maxBytes, int maxInFlight, int maxInFlightPerKey) {
    return new EngineSettings(
        maxRows,
        maxBytes,
        DEFAULTS.settleBatch(),
        DEFAULTS.settleDelay(),
        DEFAULTS.polling(),
        DEFAULTS.lease(),
        DEFAULTS.renewInterval(),
        DEFAULTS.viewInterval(),
        DEFAULTS.deliveryTimeout(),
        maxInFlight,
        maxInFlightPerKey);
  }

  int rememberedDestinations() {
    return engine.rememberedDestinations();
  }

  void apply(Input input) {
    effects.addAll(engine.apply(input, now));
  }

  void pass(Duration time) {
    now += time.toNanos();
    apply(Input.Signal.TICK);
  }

  /** Time in which the database answers everything and has no rows. */
  void idle(Duration time) {
    Duration step = Duration.ofMillis(10);
    for (Duration left = time; !left.isNegative() && !left.isZero(); left = left.minus(step)) {
      pass(left.compareTo(step) < 0 ? left : step);
      answerAll();
    }
  }

  /** Nanoseconds until the engine wants to be called. */
  long untilDeadline() {
    return engine.deadline() - now;
  }

  /** Joins as the only relay, takes all lanes and reads until a read finds nothing. */
  EngineRun started() {
    return started(Backlog.NONE);
  }

  /** Starts with what a former owner left in one lane. */
  EngineRun started(Backlog left) {
    backlog = left;
    apply(Input.Signal.TICK);
    answerAll();
    return this;
  }

  /** The same before the first read has been answered. */
  EngineRun assigned() {
    apply(Input.Signal.TICK);
    answerAll(Effect.Read.class);
    return this;
  }

  /** Answers the database's effects as a database without rows would, until there are none. */
  void answerAll() {
    for (Effect effect = takeStoreEffect(); effect != null; effect = takeStoreEffect()) {
      answer(effect);
    }
  }

  private @Nullable Effect takeStoreEffect() {
    for (Iterator<Effect> each = effects.iterator(); each.hasNext(); ) {
      Effect effect = each.next();
      if (!(effect instanceof Effect.Send
          || effect instanceof Effect.Notify
          || effect instanceof Effect.Stopped
          || effect instanceof Effect.Settle)) {
        each.remove();
        return effect;
      }
    }
    return null;
  }

  private void answer(Effect effect) {
    if (effect instanceof Effect.Join) {
      joined();
    } else if (effect instanceof Effect.Renew renew) {
      apply(new Input.Renewed(renew.session(), true, now));
    } else if (effect instanceof Effect.View) {
      view(1);
    } else if (effect instanceof Effect.Acquire acquire) {
      mine.addAll(acquire.lanes());
      apply(new Input.Acquired(SESSION, acquire.lanes()));
    } else if (effect instanceof Effect.Release release) {
      mine.removeAll(release.lanes());
      apply(new Input.Released(SESSION, release.lanes()));
    } else if (effect instanceof Effect.Assign assign) {
      apply(new Input.Assigned(assign.lanes(), backlog));
    } else if (effect instanceof Effect.Revoke revoke) {
      apply(new Input.Revoked(revoke.lanes()));
    } else if (effect instanceof Effect.ReadControl) {
      apply(new Input.ControlRead(List.of(), Set.of()));
    } else if (effect instanceof Effect.Read) {
      apply(new Input.RowsRead(new ReadResult(List.of(), false)));
    } else if (effect instanceof Effect.ReadHeld held) {
      apply(new Input.HeldRead(held, new ReadResult(List.of(), false)));
    } else if (effect instanceof Effect.Look look) {
      looks += look.rows().size();
      apply(new Input.Looked(look, look.rows().stream().map(rows::look).toList()));
    } else if (effect instanceof Effect.Leave) {
      apply(new Input.Left(SESSION));
    }
  }

  /** What the next looks at a row show. */
  void stands(OutboxRow row, Standing standing) {
    rows.stands(row, standing);
  }

  /** Number of rows that were looked at. */
  int looks() {
    return looks;
  }

  void refused(Effect.Settle settle, boolean locked, String reason) {
    apply(new Input.Refused(settle, locked, reason));
  }

  void settled(Effect.Settle settle) {
    settle.settlement().failed().forEach(rows::failed);
    Effect.Settle unused = done(settle);
  }

  void joined() {
    apply(new Input.Joined(SESSION, now));
  }

  /** What a look at the lanes shows with so many living relays. */
  void view(int sessions) {
    Set<Integer> free =
        IntStream.range(0, LANES).boxed().collect(Collectors.toCollection(TreeSet::new));
    free.removeAll(mine);
    apply(new Input.Viewed(SESSION, new LaneView(true, Set.copyOf(mine), sessions, free, LANES)));
  }

  /** Waits for the next read and answers it with rows. */
  void read(OutboxRow... found) {
    Effect.Read read = nextRead();
    if (read.maxRows() < found.length) {
      throw new IllegalStateException("only " + read.maxRows() + " rows were asked for");
    }
    apply(new Input.RowsRead(new ReadResult(List.of(found), false)));
  }

  /** Waits for the next read of held rows and answers it with some. */
  void readHeld(OutboxRow... found) {
    for (int i = 0; i < 100; i++) {
      List<Effect.ReadHeld> reads = take(Effect.ReadHeld.class);
      if (!reads.isEmpty()) {
        apply(new Input.HeldRead(reads.get(0), new ReadResult(List.of(found), false)));
        return;
      }
      answerAll(Effect.ReadHeld.class);
      if (effects.stream().noneMatch(Effect.ReadHeld.class::isInstance)) {
        pass(Duration.ofMillis(10));
      }
    }
    throw new IllegalStateException("no read of held rows was asked for");
  }

  /** The next read, for which time passes as far as the engine wants. */
  Effect.Read nextRead() {
    for (int i = 0; i < 100; i++) {
      List<Effect.Read> reads = take(Effect.Read.class);
      if (!reads.isEmpty()) {
        return reads.get(0);
      }
      answerAllButReads();
      if (effects.stream().noneMatch(Effect.Read.class::isInstance)) {
        pass(Duration.ofNanos(Math.max(0, untilDeadline())));
      }
    }
    throw new IllegalStateException("no read was asked for");
  }

  private void answerAllButReads() {
    List<Effect.Read> reads = take(Effect.Read.class);
    answerAll();
    effects.addAll(reads);
  }

  /** Answers the next look at operators' requests with one, and what is paused. */
  void request(OperatorRequest request, String... paused) {
    control(new Input.ControlRead(List.of(request), Set.of(paused)));
  }

  void pauseDestinations(String... names) {
    control(new Input.ControlRead(List.of(), Set.of(names)));
  }

  private void control(Input.ControlRead answer) {
    for (int i = 0; i < 100; i++) {
      if (!take(Effect.ReadControl.class).isEmpty()) {
        apply(answer);
        return;
      }
      answerAll(Effect.ReadControl.class);
      if (effects.stream().noneMatch(Effect.ReadControl.class::isInstance)) {
        pass(Duration.ofMillis(100));
      }
    }
    throw new IllegalStateException("no look at requests was asked for");
  }

  private void answerAll(Class<? extends Effect> but) {
    List<? extends Effect> kept = take(but);
    for (Effect effect = takeStoreEffect(); effect != null; effect = takeStoreEffect()) {
      if (but.isInstance(effect)) {
        effects.add(effect);
        return;
      }
      answer(effect);
    }
    effects.addAll(kept);
  }

  /** Somebody has emptied the table: the next row has the id of the first one. */
  void idsBeginAgain() {
    rows.idsBeginAgain();
  }

  OutboxRow row(String type, String key) {
    return row(type, key, 10);
  }

  RelayEvent.Gauges gauges() {
    return engine.gauges();
  }

  OutboxRow rowWithoutKey(String type) {
    return rows.add(type, null, 10);
  }

  OutboxRow row(String type, String key, int bytes) {
    return rows.add(type, key, bytes);
  }

  OutboxRow[] rows(String type, String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> row(type, key)).toArray(OutboxRow[]::new);
  }

  /** Takes the messages handed to the broker since the last call. */
  List<Outgoing> sends() {
    return take(Effect.Send.class).stream().map(Effect.Send::message).toList();
  }

  /** Event ids of the messages handed to the broker since the last call. */
  List<String> sent() {
    return sends().stream().map(Outgoing::eventId).toList();
  }

  void confirm(List<Outgoing> messages) {
    answer(messages, message -> new Confirmation.Confirmed(message.sendId()));
  }

  void reject(Outgoing message) {
    answer(
        List.of(message), m -> new Confirmation.Rejected(m.sendId(), "too-large", "1 byte over"));
  }

  void refuse(List<Outgoing> messages) {
    answer(messages, m -> new Confirmation.Refused(m.sendId(), "unroutable", "no queue", false));
  }

  void refuse(Outgoing message, String reason, boolean copyPossible) {
    answer(
        List.of(message),
        m -> new Confirmation.Refused(m.sendId(), reason, "it is full", copyPossible));
  }

  void notSent(Outgoing message) {
    answer(List.of(message), m -> new Confirmation.NotSent(m.sendId(), "buffer-full", "no room"));
  }

  void unknown(Outgoing message) {
    answer(List.of(message), m -> new Confirmation.Unknown(m.sendId(), "timeout", "no answer"));
  }

  private void answer(List<Outgoing> messages, Function<Outgoing, Confirmation> outcome) {
    apply(new Input.Confirmations(messages.stream().map(outcome).toList()));
  }

  /** Reads a row that has to wait for its key, and settles that it is held. */
  void hold(OutboxRow row) {
    read(row);
    pass(Duration.ofMillis(20));
    assertThat(settled().settlement().held()).containsExactly(row);
  }

  /** Sets a parked row back: it goes first, and what is held behind it goes next. */
  void setBack(OutboxRow parked, OutboxRow behind) {
    stands(parked, Standing.PENDING);
    idle(Duration.ofSeconds(31));
    List<Outgoing> sends = sends();
    assertThat(sends).extracting(Outgoing::eventId).containsExactly(parked.eventId());
    confirm(sends);
    pass(Duration.ofMillis(20));
    Effect.Settle unused = settled();
    readHeld(behind);
    assertThat(sent()).containsExactly(behind.eventId());
  }

  /** Takes the settlement that is asked for and says that it was carried out. */
  Effect.Settle settled() {
    Effect.Settle settle = take(Effect.Settle.class).get(0);
    settled(settle);
    return settle;
  }

  Effect.Settle done(Effect.Settle settle) {
    apply(new Input.SettleDone(settle, new Settled(false, settle.settlement().size())));
    return settle;
  }

  /** Settles whatever is asked for, as long as there is something. */
  void settleAll() {
    for (List<Effect.Settle> asked = take(Effect.Settle.class);
        !asked.isEmpty();
        asked = take(Effect.Settle.class)) {
      done(asked.get(0));
    }
  }

  /** What the listener was told since the last call. */
  <E extends RelayEvent> List<E> told(Class<E> type) {
    return take(Effect.Notify.class).stream()
        .map(Effect.Notify::event)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  /** Takes the effects of a kind out of those that nobody has carried out yet. */
  <E extends Effect> List<E> take(Class<E> type) {
    List<E> taken = effects.stream().filter(type::isInstance).map(type::cast).toList();
    effects.removeIf(type::isInstance);
    return taken;
  }
}
