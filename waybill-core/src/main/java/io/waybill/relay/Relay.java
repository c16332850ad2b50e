package io.waybill.relay;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.work.Mailbox;
import io.waybill.work.Ticker;
import io.waybill.work.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running relay: carries committed events of one outbox to one broker until it is stopped.
 *
 * <p>Four threads: one decides and sends, three talk to the database over one connection each
 * (lanes, reads, settlements). Thread-safe.
 */
public final class Relay implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Relay.class);
  private static final long LONGEST_WAIT_NANOS = 500_000_000L;
  private static final long GAUGE_INTERVAL_NANOS = 1_000_000_000L;
  private static final long GATHER_NANOS = 1_000_000L;
  private static final int BUSY = 200;

  private final RelayEngine engine;
  private final Stores stores;
  private final Publisher publisher;
  private final RelayListener listener;
  private final Ticker ticker;
  private final Mailbox<Object> inbox = new Mailbox<>();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final StoreCalls calls;
  private final StoreLine lanes;
  private final StoreLine reader;
  private final StoreLine store;
  private final Worker worker;
  private volatile long lastTurn;
  private long nextGauges;

  /**
   * Starts a relay.
   *
   * @param name of the relay, for people and threads
   * @param settings bounds and intervals
   * @param stores the database side; closed by the relay
   * @param publisher the broker side; started and closed by the relay
   * @param rules what is sent where, and what happens to failures
   * @param listener told what the relay does
   */
  public Relay(
      String name,
      EngineSettings settings,
      Stores stores,
      Publisher publisher,
      RelayRules rules,
      RelayListener listener) {
    this.ticker = Ticker.SYSTEM;
    this.stores = stores;
    this.publisher = publisher;
    this.listener = RelayListener.all(List.of(new RelayLog(name), listener));
    this.engine =
        new RelayEngine(
            settings, rules.retryPolicy(), rules.failurePolicies(), rules.mapper(), ticker.nanos());
    this.calls = new StoreCalls(name, stores, ticker, this::tell);
    this.lanes = new StoreLine("waybill-" + name + "-lanes", calls, inbox::put);
    this.reader = new StoreLine("waybill-" + name + "-reader", calls, inbox::put);
    this.store = new StoreLine("waybill-" + name + "-settler", calls, inbox::put);
    this.lastTurn = ticker.nanos();
    publisher.start(new Outcomes());
    this.worker = new Worker("waybill-" + name + "-relay", this::turn);
    log.info("relay {} started", name);
  }

  /** An event was committed in this process: read soon. Cheap, callable at any rate. */
  public void nudge() {
    inbox.put(Input.Signal.NUDGE);
  }

  /**
   * Time since the relay's own thread last completed a turn.
   *
   * @return elapsed time; more than a few seconds means that it hangs
   */
  public Duration sinceLastTurn() {
    return Duration.ofNanos(ticker.nanos() - lastTurn);
  }

  /**
   * Stops: nothing more is sent, what is in flight is awaited and settled, lanes are given back.
   * Leaves no duplicates when it ends within the grace period.
   *
   * @param grace longest time to wait
   * @return whether everything was settled and given back in time
   */
  public boolean stop(Duration grace) {
    inbox.put(Input.Signal.STOP);
    boolean clean = false;
    try {
      clean = stopped.await(grace.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!clean) {
      log.warn(
          "relay did not settle within {}: what is in flight will be published again by the next"
              + " owner, after the lease",
          grace);
    }
    closeAll();
    return clean;
  }

  /** Stops without waiting: like a crash, but with connections closed. */
  @Override
  public void close() {
    closeAll();
  }

  private void closeAll() {
    worker.close();
    lanes.close();
    reader.close();
    store.close();
    publisher.close();
    stores.close();
  }

  /**
   * Ends the last turn's burst of sends before it takes what has come in: then every failure that
   * the flush lets go is among the items.
   */
  private int turn() throws InterruptedException {
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
    lastTurn = ticker.nanos();
    if (lastTurn - nextGauges >= 0) {
      nextGauges = lastTurn + GAUGE_INTERVAL_NANOS;
      tell(engine.gauges());
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
      if (effect instanceof Effect.Send send) {
        publisher.send(send.message());
      } else if (effect instanceof Effect.Notify notify) {
        tell(notify.event());
      } else if (effect instanceof Effect.OnLanes) {
        lanes.put(effect);
      } else if (effect instanceof Effect.OnReader) {
        reader.put(effect);
      } else if (effect instanceof Effect.Settle) {
        store.put(effect);
      } else if (effect instanceof Effect.Hurry) {
        calls.hurry();
      } else if (effect instanceof Effect.Stopped) {
        stopped.countDown();
      }
    }
  }

  private void tell(RelayEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      log.warn("a listener failed at {}; the relay goes on", event.getClass().getSimpleName(), e);
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
  }
}
