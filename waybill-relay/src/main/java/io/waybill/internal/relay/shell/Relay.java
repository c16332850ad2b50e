package io.waybill.internal.relay.shell;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.relay.RelayEngine;
import io.waybill.internal.relay.rules.RelayRules;
import io.waybill.internal.work.Mailbox;
import io.waybill.internal.work.Ticker;
import io.waybill.internal.work.Worker;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.policy.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running relay: carries committed events of one outbox to one broker until it is stopped. It has
 * four threads: one decides and sends; three talk to the database over one connection each (lanes,
 * reads, settlements). No thread ends alone: a failure that a thread or the publisher can't handle
 * ends the whole relay. The relay then closes its connections and emits {@link RelayEvent.Ended};
 * its lanes go to other relays. A supervisor starts a new relay. Thread-safe.
 */
public final class Relay implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RelayLog.LOGGER);
  private static final long LONGEST_WAIT_NANOS = 500_000_000L;
  private static final long GAUGE_INTERVAL_NANOS = 1_000_000_000L;
  private static final long GATHER_NANOS = 1_000_000L;
  private static final int BUSY = 200;
  // An outcome may come so long after the delivery timeout: see Publisher.
  private static final Duration LATEST_OUTCOME = Duration.ofSeconds(1);

  private final String name;
  private final Consumer<Throwable> failed;
  private final RelayEngine engine;
  private final Stores stores;
  private final Publisher publisher;
  private final RelayListener listener;
  private final Ticker ticker;
  private final Mailbox<Object> inbox = new Mailbox<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final StoreCalls calls;
  private final WarmUp warmUp;
  private final StoreLine lanes;
  private final StoreLine reader;
  private final StoreLine store;
  private final Worker worker;
  private final AtomicBoolean ended = new AtomicBoolean();
  // Held while the threads are started: what fails at once is dealt with after that.
  private final Object life = new Object();
  private volatile @Nullable Throwable publisherFailure;
  private volatile boolean listenerFailed;
  private long nextGauges;

  /**
   * Starts a relay.
   *
   * @param name of the relay, for people and threads
   * @param settings bounds and intervals
   * @param stores the database side; the relay closes it
   * @param publisher the broker side; the relay starts and closes it
   * @param rules what is sent where, and what happens to failures
   * @param listener receives the relay's events
   * @param failed called once, on any thread, with the cause when the relay has ended without a
   *     stop
   */
  public Relay(
      String name,
      EngineSettings settings,
      Stores stores,
      Publisher publisher,
      RelayRules rules,
      RelayListener listener,
      Consumer<Throwable> failed) {
    this.name = name;
    this.failed = failed;
    this.ticker = Ticker.SYSTEM;
    this.stores = stores;
    this.publisher = publisher;
    this.listener = RelayListener.all(List.of(new RelayLog(name, ticker), listener));
    this.engine =
        new RelayEngine(
            settings, rules.retryPolicy(), rules.failurePolicies(), rules.mapper(), ticker.nanos());
    this.calls =
        new StoreCalls(
            ThisProcess.of(name, settings, stores, publisher), stores, ticker, this::tell);
    synchronized (life) {
      // It joins on this thread, and has no lane before: nobody else reads or settles yet.
      this.warmUp = new WarmUp(name, settings, rules, stores, ticker);
      this.lanes =
          new StoreLine("waybill-" + name + "-lanes", warmUp, calls, inbox::put, this::fail);
      this.reader = new StoreLine("waybill-" + name + "-reader", calls, inbox::put, this::fail);
      this.store = new StoreLine("waybill-" + name + "-settler", calls, inbox::put, this::fail);
      log.info(
          "relay {} starts: Waybill {}, events of {} go to {}",
          name,
          ThisProcess.version(),
          stores.source(),
          publisher);
      tell(new RelayEvent.Started(name));
      publisher.start(new Outcomes());
      this.worker = new Worker("waybill-" + name + "-relay", this::turn, this::fail);
    }
  }

  /**
   * Makes the relay read soon, after an event was committed in this process. Cheap; may be called
   * at any rate.
   */
  public void wake() {
    inbox.put(Input.Signal.WAKE);
  }

  /**
   * Stops the relay: it awaits and settles the sends in flight, and releases its lanes. Leaves no
   * duplicates if it ends within the grace period. With other relays, it first goes on for up to a
   * second, until they are ready for its lanes; a grace period that is shorter than the delivery
   * timeout and two seconds leaves that out.
   *
   * @param grace longest time to wait
   * @return whether everything was settled and released in time
   */
  public boolean stop(Duration grace) {
    Duration needed =
        publisher.deliveryTimeout().plus(LATEST_OUTCOME).plus(RelayEngine.HAND_OVER_LIMIT);
    boolean handsOver = grace.compareTo(needed) >= 0;
    warmUp.end();
    inbox.put(handsOver ? Input.Signal.HAND_OVER : Input.Signal.STOP);
    boolean clean = false;
    try {
      clean = stopped.await(grace.toNanos(), TimeUnit.NANOSECONDS) && !ended.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!clean && !ended.get()) {
      log.warn(
          "relay did not settle within {}: the next owner publishes the events in flight again",
          grace);
    }
    close();
    return clean;
  }

  /** Stops without waiting, like a crash, but closes the connections. */
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      closeAll();
      tell(new RelayEvent.Ended(name, null));
    }
  }

  /** Ends the relay as a whole, on the thread of the part that failed. */
  private void fail(Throwable cause) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      synchronized (life) {
        stopped.countDown();
        closeAll();
      }
      tell(new RelayEvent.Ended(name, cause.toString()));
      log.error(
          "relay {} has ended because a part of it failed; its lanes go to other relays",
          name,
          cause);
    } finally {
      failed.accept(cause);
    }
  }

  /** Each of them, whatever becomes of the others. */
  private void closeAll() {
    List<AutoCloseable> parts =
        List.of(
            worker,
            lanes,
            reader,
            store,
            publisher,
            stores.reader(),
            stores.store(),
            stores.lanes());
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception | Error e) {
        log.error("relay {}: {} could not be closed", name, part.getClass().getSimpleName(), e);
      }
    }
  }

  /**
   * Ends the last turn's burst of sends before it takes what has come in: then every failure that
   * the flush lets go is among the items.
   */
  private int turn() throws InterruptedException {
    Throwable broken = publisherFailure;
    if (broken != null) {
      fail(broken);
      throw new InterruptedException();
    }
    try {
      return turnOnce();
    } catch (RuntimeException e) {
      // Nobody knows which of the inputs and effects have been dealt with.
      fail(e);
      throw new InterruptedException();
    }
  }

  private int turnOnce() throws InterruptedException {
    publisher.flush();
    gather();
    long now = ticker.nanos();
    long deadline = engine.deadline();
    long wait = deadline == Long.MAX_VALUE ? LONGEST_WAIT_NANOS : deadline - now;
    List<Object> items = inbox.take(Math.min(wait, LONGEST_WAIT_NANOS));
    if (items.isEmpty()) {
      run(engine.apply(Input.Signal.TICK, ticker.nanos()));
    } else {
      feed(items);
    }
    long turned = ticker.nanos();
    if (turned - nextGauges >= 0) {
      nextGauges = turned + GAUGE_INTERVAL_NANOS;
      tell(engine.gauges().orOlder(calls.oldestMillis()));
    }
    return items.size();
  }

  /**
   * While many sends are out, waits a moment for their outcomes: one turn for all of them costs
   * much less than one for each, here and in the broker's client.
   */
  private void gather() {
    if (engine.inFlight() >= BUSY && inbox.size() < BUSY) {
      LockSupport.parkNanos(GATHER_NANOS);
    }
  }

  /** Confirmations come first: nothing of a key is sent before its failures are known. */
  private void feed(List<Object> items) {
    List<Confirmation> confirmations = new ArrayList<>();
    for (Object item : items) {
      if (item instanceof Confirmation confirmation) {
        confirmations.add(confirmation);
      }
    }
    confirmed(confirmations);
    for (Object item : items) {
      if (item instanceof Input input) {
        run(engine.apply(input, ticker.nanos()));
      }
    }
  }

  private void confirmed(List<Confirmation> confirmations) {
    if (!confirmations.isEmpty()) {
      run(engine.apply(new Input.Confirmations(confirmations), ticker.nanos()));
    }
  }

  private void run(List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect.kind()) {
        case SEND -> publisher.send(((Effect.Send) effect).message());
        case NOTIFY -> tell(((Effect.Notify) effect).event());
        case JOIN, RENEW, VIEW, ACQUIRE, RELEASE, LEAVE -> lanes.put(effect);
        case ASSIGN, REVOKE, READ, READ_HELD, LOOK, READ_CONTROL -> reader.put(effect);
        case SETTLE -> store.put(effect);
        case WAKE_READER -> calls.wakeReader();
        case STOPPED -> stopped.countDown();
      }
    }
  }

  private void tell(RelayEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException | LinkageError e) {
      if (!listenerFailed) {
        listenerFailed = true;
        log.warn(
            "relay {}: a listener threw an exception at {}; it stays subscribed, but further"
                + " failures are not logged",
            name,
            event.getClass().getSimpleName(),
            e);
      }
    }
  }

  private final class Outcomes implements PublisherListener {
    @Override
    public void onConfirmation(Confirmation confirmation) {
      inbox.put(confirmation);
    }

    @Override
    public void unavailable(String reason) {
      tell(new RelayEvent.PublisherUnavailable(reason));
      inbox.put(Input.Signal.PUBLISHER_UNAVAILABLE);
    }

    @Override
    public void available() {
      tell(new RelayEvent.PublisherAvailable());
      inbox.put(Input.Signal.PUBLISHER_AVAILABLE);
    }

    /** Dealt with in the next turn, within half a second. */
    @Override
    public void failed(Throwable cause) {
      publisherFailure = cause;
    }
  }
}
