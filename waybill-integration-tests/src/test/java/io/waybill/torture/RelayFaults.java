package io.waybill.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** What happens to relays, their destinations, rows and servers. */
final class RelayFaults implements Injector.Happenings {
  // A relay that is cut off makes no calls.
  private static final int FEW = 3;

  private final Stage stage;
  private final Fleet fleet;
  private final RelayFleet relays;
  private final FaultLog log;
  private final Recovery recovery;
  private final Refusals refusals;
  private final People people;
  private final Optional<OldEvents> oldEvents;
  private final ServerFaults servers;
  // So that nothing is gone of what people did, and know that they did.
  private final Lock rows = new ReentrantLock();
  private final List<String> failures = new ArrayList<>();
  private final AtomicInteger thrown = new AtomicInteger();
  private final AtomicInteger notThrown = new AtomicInteger();

  RelayFaults(
      Stage stage,
      Fleet fleet,
      RelayFleet relays,
      FaultLog log,
      Recovery recovery,
      Refusals refusals,
      People people,
      SetBacks setBacks) {
    this.stage = stage;
    this.fleet = fleet;
    this.relays = relays;
    this.log = log;
    this.recovery = recovery;
    this.refusals = refusals;
    this.people = people;
    this.oldEvents = stage.table().aging().map(aging -> new OldEvents(stage, aging));
    this.servers =
        new ServerFaults(
            stage.database(),
            stage.broker(),
            stage.network(),
            setBacks,
            log,
            recovery::watchFirstPublish);
  }

  @Override
  public void happen(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    if (entry.kind().isRefusal()) {
      refuse(entry, fault, healed);
    } else if (entry.kind().isBeside() || entry.kind() == FaultKind.DATABASE_SET_BACK) {
      rows.lock();
      try {
        happenNow(entry, fault, healed);
      } finally {
        rows.unlock();
      }
    } else {
      happenNow(entry, fault, healed);
    }
  }

  /** Its begin and its end can be causes; that it lasts is none of anything. */
  private void refuse(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    TortureBroker.Refusal refusal;
    servers.brokerThere().lock();
    try {
      refusal = stage.broker().refuse(entry.kind(), entry.dice());
    } finally {
      servers.brokerThere().unlock();
    }
    log.end(fault);
    long from = System.currentTimeMillis();
    Injector.pass(entry, healed);
    servers.brokerThere().lock();
    FaultLog.Open end = log.again(fault);
    try {
      refusals.add(
          new Refusals.Refusal(
              entry.kind(), refusal.destination(), from, System.currentTimeMillis()));
      refusal.repair().run();
    } finally {
      log.end(end);
      servers.brokerThere().unlock();
    }
  }

  private void happenNow(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    switch (entry.kind()) {
      case RELAY_KILL -> {
        recovery.watchTakeover(entry.target());
        fleet.kill(entry.process());
        // The kill is over at once; that the relay is away is no cause of anything.
        log.end(fault);
        Injector.pass(entry, healed);
        fleet.start(entry.process());
      }
      case RELAY_FREEZE -> {
        recovery.watchTakeover(entry.target());
        fleet.freeze(entry.process());
        Injector.pass(entry, healed);
        fleet.thaw(entry.process());
      }
      case RELAY_FAILURE -> {
        relays.fail(entry.process(), entry.dice() % 2 == 0);
        Injector.pass(entry, healed);
        (relays.failNoMore(entry.process()) ? thrown : notThrown).incrementAndGet();
      }
      case LOCK_ENDED -> {
        stage.database().endLock(stage.table().prefix() + "session", entry.target());
        Injector.pass(entry, healed);
      }
      case RELAY_STOP -> {
        int code = fleet.stop(entry.process());
        if (code != 0 && !log.explains(fault.startMillis(), System.currentTimeMillis(), 30_000)) {
          failed(entry.target() + " ended its graceful stop with exit code " + code);
        }
        Injector.pass(entry, healed);
        fleet.start(entry.process());
      }
      case RELAY_CLOCK -> {
        stage.clocks().shift(entry.role().name(entry.process()), offset(entry));
        Injector.pass(entry, healed);
        stage.clocks().shift(entry.role().name(entry.process()), Duration.ZERO);
      }
      case ROWS_BY_SQL -> {
        // Others have room meanwhile.
        log.end(fault);
        people.act(entry, healed);
      }
      case OLD_EVENTS -> {
        log.end(fault);
        oldEvents.orElseThrow().write(entry, healed);
      }
      default -> servers.happen(entry, fault, healed);
    }
  }

  /** Forward and back, from a second to a quarter of an hour. */
  private static Duration offset(FaultPlan.Entry entry) {
    int seconds = 1 + entry.dice() / 2 % 900;
    return Duration.ofSeconds(entry.dice() % 2 == 0 ? seconds : -seconds);
  }

  private synchronized void failed(String what) {
    failures.add(what);
  }

  /** How many calls failed that were to fail, and how many were not made in time. */
  String relayFailures() {
    return "%d thrown, %d not, since no call came in time".formatted(thrown.get(), notThrown.get());
  }

  /** Graceful stops that were none, and calls that did not fail. */
  @Override
  public synchronized List<String> failures() {
    List<String> all = new ArrayList<>(failures);
    if (thrown.get() == 0 && notThrown.get() >= FEW) {
      all.add("no call failed in a relay in %d relay-failures".formatted(notThrown.get()));
    }
    return all;
  }
}
