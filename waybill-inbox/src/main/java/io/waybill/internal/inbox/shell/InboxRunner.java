package io.waybill.internal.inbox.shell;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.InboxEngine;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.ReceivedMessage;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.inbox.attempt.TransactionRunner;
import io.waybill.internal.work.Mailbox;
import io.waybill.internal.work.Ticker;
import io.waybill.internal.work.WallClock;
import io.waybill.internal.work.Worker;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import io.waybill.store.InboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of an inbox and what passes between them: one decides, one talks to the database
 * about deferred events, one for each worker calls handlers. Thread-safe.
 */
public final class InboxRunner {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);
  private static final long LONGEST_WAIT_NANOS = 100_000_000L;
  private static final long GAUGE_INTERVAL_NANOS = 1_000_000_000L;

  private final InboxParts parts;
  private final Ticker ticker = Ticker.SYSTEM;
  private final Decoder decoder = new Decoder();
  private final InboxListener listener;
  private final InboxEngine engine;
  private final Mailbox<InboxInput> inputs = new Mailbox<>();
  private final WorkerThreads workers;
  private final StoreThread store;
  private final InboxEffects effects;
  private final UnexpectedFailures unexpected;
  private final StuckMessages stuck;
  private final Revocations revocations;
  private final HistoryCheck history;
  private final InboxHealth health;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Worker worker;
  private final RetentionCheck retention;
  private volatile boolean closed;
  private long nextGauges;

  /**
   * Starts the threads.
   *
   * @param parts what the inbox is made of; it closes them
   */
  public InboxRunner(InboxParts parts) {
    this.parts = parts;
    String name = parts.name();
    this.listener =
        new GuardedListener(name, InboxListener.all(List.of(new InboxLog(name), parts.listener())));
    this.engine = engine(parts);
    this.health = new InboxHealth(ticker, parts.times().handlerTimeout());
    open(parts.store());
    String owner = name + "-" + UUID.randomUUID();
    TransactionRunner.Tools tools =
        new TransactionRunner.Tools(
            parts.store(), owner, parts.call(), ticker, parts.settings().shared().time().toNanos());
    this.workers =
        new WorkerThreads(
            new WorkerThreads.Setup(name, tools, parts.times().handlerTimeout(), inputs::put),
            ticker,
            parts.settings().workers());
    this.revocations = new Revocations(name, parts.times().revocation());
    this.history =
        new HistoryCheck(
            new HistoryCheck.Setup(
                name, parts.store(), parts.subscriber(), revocations, inputs::put, this::tell),
            ticker);
    this.store =
        new StoreThread(
            new StoreThread.Setup(
                name,
                parts.store(),
                owner,
                parts.settings().deferred().claim(),
                parts.times().window()),
            ticker,
            decoder,
            inputs::put,
            this::tell);
    this.effects =
        new InboxEffects(
            new InboxEffects.Hands(parts.subscriber(), parts.publisher(), workers::put, this.store),
            new EffectsHearer());
    this.stuck = new StuckMessages(parts.times().handlerTimeout().multipliedBy(2), this::tell);
    this.unexpected = new UnexpectedFailures(ticker, WallClock.SYSTEM);
    this.retention =
        new RetentionCheck(name, parts.subscriber(), parts.times().window(), this::tell);
    // Each turn flushes it.
    parts.publisher().start(new DeadLetterOutcomes(name, inputs::put, health));
    this.worker = new Worker("waybill-" + name + "-inbox", this::turn);
    parts.subscriber().start(new Deliveries());
    tell(new InboxEvent.Started(name));
  }

  private InboxEngine engine(InboxParts parts) {
    DeadLetterEncoder encoder = new DeadLetterEncoder(parts.store().consumer());
    return new InboxEngine(
        parts.store().consumer(),
        parts.subscriber().isExclusive(),
        parts.settings(),
        parts.handlers(),
        (original, reason, error, form, sendId) ->
            encoder.encode(
                original,
                new DeadLetterEncoder.Verdict(reason, error, WallClock.SYSTEM.instant()),
                form,
                parts.deadLetters().apply(original.source()),
                sendId),
        ticker.nanos());
  }

  /** One that can't be opened keeps no connection. */
  private static void open(InboxStore store) {
    try {
      store.open();
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /**
   * Returns what keeps the inbox from making progress: the first of these that says something.
   *
   * @return one sentence for an operator, or nothing if all is well
   */
  public Optional<String> problem() {
    return Stream.<Supplier<@Nullable String>>of(
            this::endedThread,
            health::hanging,
            workers::problem,
            unexpected::problem,
            health::letters,
            health::database,
            history::problem,
            health::broker,
            health::stoppedLanes,
            stuck::problem,
            health::standstill)
        .map(Supplier::get)
        .filter(Objects::nonNull)
        .findFirst();
  }

  private @Nullable String endedThread() {
    return closed || (worker.isAlive() && store.isAlive())
        ? null
        : "a thread of the inbox has ended with an error; the log names it";
  }

  /**
   * Stops the inbox. It accepts no more deliveries, lets running handlers end and acknowledges
   * their events; everything else is released for redelivery. Once the inbox is stopped, further
   * calls return the same result.
   *
   * @param grace longest time to wait
   * @return whether all handlers ended in time
   */
  public boolean stop(Duration grace) {
    if (closed) {
      return stopped.getCount() == 0;
    }
    parts.subscriber().stop();
    inputs.put(InboxInput.Signal.STOP);
    boolean clean = false;
    try {
      clean = worker.isAlive() && stopped.await(grace.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!clean) {
      log.warn(
          "inbox {} did not end within {}: its handlers are interrupted and their events"
              + " redelivered",
          parts.name(),
          grace);
    }
    closeAll();
    return clean;
  }

  private void closeAll() {
    closed = true;
    retention.close();
    history.close();
    worker.close();
    workers.close();
    store.close();
    parts.subscriber().close();
    parts.publisher().close();
    parts.store().close();
  }

  private int turn() throws InterruptedException {
    long wait = engine.deadline() - ticker.nanos();
    List<InboxInput> taken = inputs.take(Math.min(wait, LONGEST_WAIT_NANOS));
    if (taken.stream().anyMatch(InboxInput.DeadLetterOutcome.class::isInstance)) {
      // A letter that was not confirmed may go out again at once, and publishers take no more of
      // its key before a flush that comes after their report.
      parts.publisher().flush();
    }
    if (taken.isEmpty()) {
      apply(InboxInput.Signal.TICK);
    } else {
      taken.forEach(this::apply);
    }
    parts.publisher().flush();
    workers.look().forEach(this::tell);
    long now = health.turned();
    if (now - nextGauges >= 0) {
      nextGauges = now + GAUGE_INTERVAL_NANOS;
      measure();
    }
    return taken.size();
  }

  private void measure() {
    InboxEvent.Gauges gauges = engine.gauges();
    health.measured(gauges);
    tell(gauges);
    tell(workers.threads());
    unexpected.look(engine::holds);
    stuck.look(engine.stuck());
    tell(new InboxEvent.Open(engine.ages()));
    Map<String, Long> lag = parts.subscriber().lag();
    if (!lag.isEmpty()) {
      tell(new InboxEvent.Lag(lag));
    }
  }

  /** What fails unexpectedly takes nothing else with it. */
  private void apply(InboxInput input) {
    try {
      effects.carryOut(engine.apply(input, ticker.nanos()));
    } catch (RuntimeException e) {
      failedAt(input, "the affected events may wait until a restart", e);
    }
  }

  /** Neither input nor effect is logged as it stands: it may have payloads. */
  private void failedAt(Object what, String meaning, RuntimeException e) {
    String kind = what.getClass().getSimpleName();
    unexpected.happened(kind);
    log.error(
        "inbox {} failed unexpectedly at {} and continues; {}", parts.name(), kind, meaning, e);
  }

  private void tell(InboxEvent event) {
    health.on(event);
    history.on(event);
    listener.on(event);
  }

  /** What came of effects, on the inbox's own thread. */
  private final class EffectsHearer implements InboxEffects.Hearer {
    @Override
    public void put(InboxInput input) {
      inputs.put(input);
    }

    @Override
    public void tell(InboxEvent event) {
      InboxRunner.this.tell(event);
    }

    @Override
    public void progressed() {
      health.progressed();
    }

    @Override
    public void quiet(long revocation) {
      revocations.quiet(revocation);
    }

    @Override
    public void stopped() {
      tell(new InboxEvent.Stopped(parts.name()));
      stopped.countDown();
    }

    @Override
    public void failed(InboxEffect effect, String meaning, RuntimeException failure) {
      failedAt(effect, meaning, failure);
    }
  }

  /** What the subscriber tells, on its thread. */
  private final class Deliveries implements SubscriberListener {
    @Override
    public void delivered(List<Delivery> deliveries) {
      history.delivered(
          deliveries.stream().map(d -> new ReceivedMessage(d, decoder.decode(d))).toList());
    }

    @Override
    public void revoked(Set<String> lanes, boolean lost) {
      history.revoked(lanes);
      long number = revocations.begin();
      inputs.put(new InboxInput.Revoked(number, Set.copyOf(lanes), lost));
      // Closed: nobody answers any more, and nothing is running.
      if (!lost && !closed) {
        revocations.await(number, lanes);
      }
    }

    @Override
    public void available() {
      tell(new InboxEvent.SubscriberAvailable());
      retention.begin();
    }

    @Override
    public void unavailable(String reason) {
      tell(new InboxEvent.SubscriberUnavailable(reason));
    }
  }
}
