package io.waybill.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** What happens to consumers, their topics and their servers. */
final class ConsumerFaults implements Injector.Happenings {
  private static final int BURST = 200;
  private static final long LOOK_MILLIS = 200;
  // A consumer stops late after a fault of another kind.
  private static final long AFTERMATH_MILLIS = 30_000;

  private final ConsumerStage stage;
  private final Fleet fleet;
  private final ConsumerFleet versions;
  private final Events events;
  private final FaultLog log;
  private final ServerFaults servers;
  // So that nobody starts a consumer that another one has just started.
  private final List<Lock> consumers =
      Stream.generate(() -> (Lock) new ReentrantLock()).limit(FaultPlan.PROCESSES).toList();
  private final List<String> failures = new ArrayList<>();
  private int remade;
  private int notRemade;

  ConsumerFaults(
      ConsumerStage stage,
      Fleet fleet,
      ConsumerFleet versions,
      Events events,
      EarlierPoint earlier,
      FaultLog log) {
    this.stage = stage;
    this.fleet = fleet;
    this.versions = versions;
    this.events = events;
    this.log = log;
    this.servers =
        new ServerFaults(
            stage.database(), stage.broker(), stage.network(), earlier, log, server -> {});
  }

  @Override
  public void happen(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    switch (entry.kind().place()) {
      case CONSUMER -> onConsumer(entry, fault, healed);
      case CONSUMERS -> deploy(entry, healed);
      case TOPIC -> {
        servers.brokerThere().lock();
        try {
          onTopic(entry, healed);
        } finally {
          servers.brokerThere().unlock();
        }
      }
      default -> servers.happen(entry, fault, healed);
    }
  }

  private void onConsumer(FaultPlan.Entry entry, FaultLog.Open fault, CountDownLatch healed)
      throws InterruptedException {
    int consumer = entry.process();
    Lock one = consumers.get(consumer);
    one.lock();
    try {
      switch (entry.kind()) {
        case CONSUMER_KILL -> {
          fleet.kill(consumer);
          log.end(fault);
          Injector.pass(entry, healed);
          fleet.start(consumer);
        }
        case CONSUMER_FREEZE -> {
          fleet.freeze(consumer);
          Injector.pass(entry, healed);
          fleet.thaw(consumer);
        }
        case CONSUMER_STOP -> {
          stop(consumer);
          Injector.pass(entry, healed);
          fleet.start(consumer);
        }
        default -> throw new IllegalArgumentException(entry.kind() + " happens to no consumer");
      }
    } finally {
      one.unlock();
    }
  }

  private void stop(int consumer) {
    long begin = System.currentTimeMillis();
    int code = fleet.stop(consumer);
    if (code != 0 && !log.explains(begin, System.currentTimeMillis(), AFTERMATH_MILLIS)) {
      failed(Role.CONSUMER.name(consumer) + " ended its graceful stop with exit code " + code);
    }
  }

  /** One after the other; some are killed instead of stopped. */
  private void deploy(FaultPlan.Entry entry, CountDownLatch healed) throws InterruptedException {
    versions.deploy();
    for (int consumer = 0; consumer < FaultPlan.PROCESSES; consumer++) {
      Lock one = consumers.get(consumer);
      one.lock();
      try {
        if ((entry.dice() >> consumer) % 4 == 0) {
          fleet.kill(consumer);
        } else {
          stop(consumer);
        }
        fleet.start(consumer);
      } finally {
        one.unlock();
      }
      Injector.pass(entry, healed);
    }
  }

  private void onTopic(FaultPlan.Entry entry, CountDownLatch healed) throws InterruptedException {
    List<String> topics = stage.feed().sources();
    String topic = topics.get(entry.dice() % topics.size());
    switch (entry.kind()) {
      case TOPIC_GROWN -> {
        events.burst(topic, BURST);
        stage.feed().grow(topic, entry.dice());
        Injector.pass(entry, healed);
      }
      case TOPIC_REMADE -> {
        events.close(topic);
        try {
          remake(entry, topic, healed);
        } finally {
          events.open(topic);
        }
      }
      default -> throw new IllegalArgumentException(entry.kind() + " happens to no topic");
    }
  }

  /** Unless what is in it is not handled in time. */
  private void remake(FaultPlan.Entry entry, String topic, CountDownLatch healed)
      throws InterruptedException {
    long end = System.nanoTime() + entry.length().toNanos();
    boolean over = false;
    while (!over && stage.feed().unacknowledged(Set.of(topic)) > 0) {
      over = healed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > end;
    }
    if (over) {
      notRemade++;
      return;
    }
    events.pause();
    try {
      events.meanwhile(() -> stage.feed().remake(topic));
      remade++;
    } finally {
      events.resume();
    }
  }

  /** How often topics were made anew, and how often their events were not handled in time. */
  String topics() {
    return "%d made anew, %d not, since their events were not handled in time"
        .formatted(remade, notRemade);
  }

  private synchronized void failed(String what) {
    failures.add(what);
  }

  @Override
  public synchronized List<String> failures() {
    return List.copyOf(failures);
  }
}
