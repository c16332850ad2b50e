package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.observe.RelayEvent;
import io.waybill.policy.EngineSettings;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An engine whose database, broker and clock are the test's: every input is given by hand. */
final class EngineRun {
  static final int LANES = 8;
  static final EngineSettings DEFAULTS = RunSettings.defaults();

  private final RelayEngine engine;
  private final List<Effect> effects = new ArrayList<>();
  final RunDatabase database = new RunDatabase();
  private long now = 1_000_000_000L;

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
    database.leave(left);
    apply(Input.Signal.PUBLISHER_AVAILABLE);
    answerAll();
    return this;
  }

  /** The same before the first read has been answered. */
  EngineRun assigned() {
    apply(Input.Signal.PUBLISHER_AVAILABLE);
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

  void answer(Effect effect) {
    if (effect instanceof Effect.Call call) {
      apply(database.answer(call, now));
    }
  }

  /** What the next looks at a row show. */
  void stands(OutboxRow row, EventState state) {
    database.rows.stands(row, state);
  }

  /** Number of rows that were looked at. */
  int looks() {
    return database.looks();
  }

  void refused(Effect.Settle settle, boolean locked, String reason) {
    apply(new Input.Refused(settle, locked, reason));
  }

  void settled(Effect.Settle settle) {
    settle.settlement().failed().forEach(database.rows::failed);
    Effect.Settle unused = done(settle);
  }

  void joined() {
    apply(database.joined(now));
  }

  /** What a look at the lanes shows with so many living relays. */
  void view(int sessions) {
    apply(database.viewed(sessions));
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
    Effect.ReadHeld read = next(Effect.ReadHeld.class, Duration.ofMillis(10));
    apply(new Input.HeldRead(read, new ReadResult(List.of(found), false)));
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
    requests(List.of(request), paused);
  }

  void pauseDestinations(String... names) {
    requests(List.of(), names);
  }

  void requests(List<OperatorRequest> requests, String... paused) {
    Effect.ReadControl unused = next(Effect.ReadControl.class, Duration.ofMillis(100));
    apply(new Input.ControlRead(requests, Set.of(paused)));
  }

  /** The next effect of a kind, for which time passes by steps. */
  private <E extends Effect> E next(Class<E> type, Duration step) {
    for (int i = 0; i < 100; i++) {
      List<E> asked = take(type);
      if (!asked.isEmpty()) {
        return asked.get(0);
      }
      answerAll(type);
      if (effects.stream().noneMatch(type::isInstance)) {
        pass(step);
      }
    }
    throw new IllegalStateException("not asked for: " + type.getSimpleName());
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
    database.rows.idsBeginAgain();
  }

  OutboxRow row(String type, String key) {
    return row(type, key, 10);
  }

  RelayEvent.Gauges gauges() {
    return engine.gauges();
  }

  OutboxRow rowWithoutKey(String type) {
    return database.rows.add(type, null, 10);
  }

  OutboxRow row(String type, String key, int bytes) {
    return database.rows.add(type, key, bytes);
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
