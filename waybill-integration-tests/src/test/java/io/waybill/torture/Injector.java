package io.waybill.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets faults happen, each in a thread of its own, at most three at once and one for each target;
 * {@link #heal} ends all of them early.
 */
final class Injector {
  private static final Duration LONGEST_HEALING = Duration.ofMinutes(4);
  // A relay that is cut off makes no calls.
  private static final int FEW = 3;

  private final Stage stage;
  private final Fleet fleet;
  private final FaultLog log;
  private final Recovery recovery;
  private final Refusals refusals;
  private final People people;
  private final Optional<OldEvents> oldEvents;
  private final SetBacks setBacks;
  // So that a broker is there when one of its destinations is brought to refuse, or mended.
  private final Lock broker = new ReentrantLock();
  // So that nothing is gone of what people did, and know that they did.
  private final Lock rows = new ReentrantLock();
  private final Set<String> busy = new HashSet<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final AtomicInteger thrown = new AtomicInteger();
  private final AtomicInteger notThrown = new AtomicInteger();
  private CountDownLatch healing = new CountDownLatch(1);

  Injector(
      Stage stage,
      Fleet fleet,
      FaultLog log,
      Recovery recovery,
      Refusals refusals,
      People people,
      SetBacks setBacks) {
    this.stage = stage;
    this.fleet = fleet;
    this.log = log;
    this.recovery = recovery;
    this.refusals = refusals;
    this.people = people;
    this.oldEvents = stage.table().aging().map(aging -> new OldEvents(stage, aging));
    this.setBacks = setBacks;
  }

  /**
   * Begins a fault, unless its target has one already or there are three; some kinds are beside
   * them.
   */
  synchronized boolean inject(FaultPlan.Entry entry) {
    boolean room = entry.kind().isBeside() || log.running() < FaultPlan.MOST_AT_ONCE;
    if (!room || !busy.add(entry.target())) {
      return false;
    }
    FaultLog.Open fault = log.begin(entry.kind(), entry.target());
    CountDownLatch healed = healing;
    Thread thread = new Thread(() -> run(entry, fault, healed), "fault-" + entry.kind().label());
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return true;
  }

  private void run(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed) {
    try {
      if (entry.kind().isRefusal()) {
        refuse(entry, fault, healed);
      } else if (entry.kind().place() == FaultKind.Place.BROKER) {
        happenAlone(broker, entry, fault, healed);
      } else if (entry.kind().isBeside() || entry.kind() == FaultKind.DATABASE_SET_BACK) {
        happenAlone(rows, entry, fault, healed);
      } else {
        happen(entry, fault, healed);
      }
    } catch (RuntimeException e) {
      failed(entry + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      log.end(fault);
      synchronized (this) {
        busy.remove(entry.target());
      }
    }
  }

  private void happenAlone(
      Lock lock, FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    lock.lock();
    try {
      happen(entry, fault, healed);
    } finally {
      lock.unlock();
    }
  }

  /** Its begin and its end can be causes; that it lasts is none of anything. */
  private void refuse(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    TortureBroker.Refusal refusal;
    broker.lock();
    try {
      refusal = stage.broker().refuse(entry.kind(), entry.dice());
    } finally {
      broker.unlock();
    }
    log.end(fault);
    long from = System.currentTimeMillis();
    pass(entry, healed);
    broker.lock();
    FaultLog.Open end = log.again(fault);
    try {
      refusals.add(
          new Refusals.Refusal(
              entry.kind(), refusal.destination(), from, System.currentTimeMillis()));
      refusal.repair().run();
    } finally {
      log.end(end);
      broker.unlock();
    }
  }

  private void happen(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    switch (entry.kind()) {
      case RELAY_KILL -> {
        recovery.watchTakeover(entry.target());
        fleet.kill(entry.relay());
        // The kill is over at once; that the relay is away is no cause of anything.
        log.end(fault);
        pass(entry, healed);
        fleet.start(entry.relay());
      }
      case RELAY_FREEZE -> {
        recovery.watchTakeover(entry.target());
        fleet.freeze(entry.relay());
        pass(entry, healed);
        fleet.thaw(entry.relay());
      }
      case RELAY_FAILURE -> {
        fleet.fail(entry.relay(), entry.dice() % 2 == 0);
        pass(entry, healed);
        (fleet.failNoMore(entry.relay()) ? thrown : notThrown).incrementAndGet();
      }
      case RELAY_STOP -> {
        int code = fleet.stop(entry.relay());
        if (code != 0 && !log.explains(fault.startMillis(), System.currentTimeMillis(), 30_000)) {
          failed(entry.target() + " ended its graceful stop with exit code " + code);
        }
        pass(entry, healed);
        fleet.start(entry.relay());
      }
      case RELAY_CLOCK -> {
        stage.clocks().shift(Fleet.name(entry.relay()), offset(entry));
        pass(entry, healed);
        stage.clocks().shift(Fleet.name(entry.relay()), Duration.ZERO);
      }
      case DATABASE_FREEZE -> {
        stage.database().freeze();
        pass(entry, healed);
        stage.database().thaw();
      }
      case DATABASE_FULL -> {
        stage.disk().fill();
        pass(entry, healed);
        stage.disk().free();
        stage.revive();
      }
      case DATABASE_KILL -> {
        stage.database().kill();
        pass(entry, healed);
        stage.database().start();
        recovery.watchFirstPublish("database");
      }
      case DATABASE_SET_BACK -> {
        setBacks.copy();
        pass(entry, healed);
        setBacks.putBack();
        recovery.watchFirstPublish("database");
      }
      case DATABASE_FAIL_OVER -> {
        // A standby is no cause of anything until it takes over.
        log.end(fault);
        stage.standBy();
        pass(entry, healed);
        FaultLog.Open change = log.again(fault);
        stage.failOver();
        log.end(change);
        recovery.watchFirstPublish("database");
      }
      case BROKER_KILL -> {
        stage.broker().kill();
        pass(entry, healed);
        stage.broker().start();
        recovery.watchFirstPublish("broker");
      }
      case BROKER_FREEZE -> {
        stage.broker().freeze();
        pass(entry, healed);
        stage.broker().thaw();
      }
      case BROKER_ALARM -> {
        stage.broker().alarm(true);
        pass(entry, healed);
        stage.broker().alarm(false);
      }
      case BROKER_FULL -> {
        stage.broker().full(true);
        pass(entry, healed);
        stage.broker().full(false);
      }
      case DATABASE_HOLE,
          BROKER_HOLE,
          DATABASE_SLOW,
          BROKER_SLOW,
          DATABASE_RESET,
          BROKER_RESET,
          COMMIT_REPLY_LOST,
          CONFIRM_LOST,
          WRITER_COMMIT_REPLY_LOST -> {
        stage.network().begin(entry);
        pass(entry, healed);
        stage.network().end(entry);
      }
      case QUEUE_FULL, EXCHANGE_MISSING, BINDING_MISSING, TOPIC_MISSING, ACCESS_REFUSED ->
          throw new IllegalArgumentException(entry.kind() + " happens in another way");
      case ROWS_BY_SQL -> {
        // Others have room meanwhile.
        log.end(fault);
        people.act(entry, healed);
      }
      case OLD_EVENTS -> {
        log.end(fault);
        oldEvents.orElseThrow().write(entry, healed);
      }
    }
  }

  /** Forward and back, from a second to a quarter of an hour. */
  private static Duration offset(FaultPlan.Entry entry) {
    int seconds = 1 + entry.dice() / 2 % 900;
    return Duration.ofSeconds(entry.dice() % 2 == 0 ? seconds : -seconds);
  }

  private static void pass(FaultPlan.Entry entry, CountDownLatch healed)
      throws InterruptedException {
    if (healed.await(entry.length().toMillis(), TimeUnit.MILLISECONDS)) {
      return; // Healed before its time.
    }
  }

  private synchronized void failed(String what) {
    failures.add(what);
  }

  /** Ends all faults and waits until what was hit is there again. */
  void heal() throws InterruptedException {
    List<Thread> running;
    synchronized (this) {
      healing.countDown();
      healing = new CountDownLatch(1);
      running = List.copyOf(threads);
      threads.clear();
    }
    long end = System.nanoTime() + LONGEST_HEALING.toNanos();
    for (Thread thread : running) {
      thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      if (thread.isAlive()) {
        failed(thread.getName() + " could not be healed");
      }
    }
  }

  /** How many calls failed that were to fail, and how many were not made in time. */
  String relayFailures() {
    return "%d thrown, %d not, since no call came in time".formatted(thrown.get(), notThrown.get());
  }

  /** What went wrong with the faults themselves, and graceful stops that were none. */
  synchronized List<String> failures() {
    List<String> all = new ArrayList<>(failures);
    if (thrown.get() == 0 && notThrown.get() >= FEW) {
      all.add("no call failed in a relay in %d relay-failures".formatted(notThrown.get()));
    }
    return all;
  }
}
