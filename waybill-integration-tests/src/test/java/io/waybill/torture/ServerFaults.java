package io.waybill.torture;

import io.waybill.proof.server.DatabaseServer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** What happens to servers and to the ways to them, whoever their clients are. */
final class ServerFaults {
  private final TortureDatabase database;
  private final TortureBroker broker;
  private final Network network;
  private final EarlierPoint earlier;
  private final FaultLog log;
  private final Consumer<String> back;
  // So that a broker is there when something is done to its destinations.
  private final Lock brokerThere = new ReentrantLock();

  /**
   * Those of a run.
   *
   * @param earlier what the database is put back to
   * @param back told of a server that answers again: database or broker
   */
  ServerFaults(
      TortureDatabase database,
      TortureBroker broker,
      Network network,
      EarlierPoint earlier,
      FaultLog log,
      Consumer<String> back) {
    this.database = database;
    this.broker = broker;
    this.network = network;
    this.earlier = earlier;
    this.log = log;
    this.back = back;
  }

  /** Who has it finds the broker running. */
  Lock brokerThere() {
    return brokerThere;
  }

  void happen(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    switch (entry.kind().place()) {
      case DATABASE -> onDatabase(entry, fault, healed);
      case BROKER -> {
        brokerThere.lock();
        try {
          onBroker(entry, healed);
        } finally {
          brokerThere.unlock();
        }
      }
      case DATABASE_LINK, BROKER_LINK, WRITERS_LINK -> {
        network.begin(entry);
        Injector.pass(entry, healed);
        network.end(entry);
      }
      default -> throw new IllegalArgumentException(entry.kind() + " happens to no server");
    }
  }

  private void onDatabase(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    DatabaseServer server = database.server();
    switch (entry.kind()) {
      case DATABASE_FREEZE -> {
        server.freeze();
        Injector.pass(entry, healed);
        server.thaw();
      }
      case DATABASE_FULL -> {
        database.disk().fill();
        Injector.pass(entry, healed);
        database.disk().free();
        database.revive();
      }
      case DATABASE_KILL -> {
        server.kill();
        Injector.pass(entry, healed);
        server.start();
        back.accept("database");
      }
      case DATABASE_SET_BACK -> {
        earlier.copy();
        Injector.pass(entry, healed);
        earlier.putBack();
        back.accept("database");
      }
      case DATABASE_FAIL_OVER -> {
        // A standby is no cause of anything until it takes over.
        log.end(fault);
        database.standBy();
        Injector.pass(entry, healed);
        FaultLog.Open change = log.again(fault);
        network.follow(database.failOver());
        log.end(change);
        back.accept("database");
      }
      case DATABASE_READ_ONLY -> {
        database.readOnly(true);
        Injector.pass(entry, healed);
        database.readOnly(false);
      }
      default -> throw new IllegalArgumentException(entry.kind() + " happens to no database");
    }
  }

  private void onBroker(FaultPlan.Entry entry, CountDownLatch healed) throws InterruptedException {
    switch (entry.kind()) {
      case BROKER_KILL -> {
        broker.kill();
        Injector.pass(entry, healed);
        broker.start();
        back.accept("broker");
      }
      case BROKER_FREEZE -> {
        broker.freeze();
        Injector.pass(entry, healed);
        broker.thaw();
      }
      case BROKER_ALARM -> {
        broker.alarm(true);
        Injector.pass(entry, healed);
        broker.alarm(false);
      }
      case BROKER_FULL -> {
        broker.full(true);
        Injector.pass(entry, healed);
        broker.full(false);
      }
      default -> throw new IllegalArgumentException(entry.kind() + " happens to no broker");
    }
  }
}
