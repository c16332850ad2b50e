package io.waybill.kafka;

import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Does on its own threads what may take time: looks topics up, creates and ends clients, asks
 * whether the broker is there, and keeps the time limits.
 */
final class ProducerSupervisor implements ProducerSession.Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(ProducerSupervisor.class);
  private static final long TICK_MILLIS = 100;
  private static final Duration STALLED = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofMillis(500);

  /** How long the I/O thread of a failed client may take to end before its sends are reported. */
  private static final Duration END_LIMIT = Duration.ofMillis(900);

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(3);
  private static final Duration LEARN_LIMIT = Duration.ofMillis(300);
  private static final Duration LEARN_PAUSE = Duration.ofMillis(2);
  private static final AtomicInteger THREADS = new AtomicInteger();

  private final KafkaPublisherConfig config;
  private final Clients clients;
  private final PublisherListener listener;
  private final String compression;
  private final Partitioning partitioning;
  private final SendDispatcher dispatcher;
  private final Availability availability;
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(daemon("ticker"));
  private final ExecutorService workers = Executors.newCachedThreadPool(daemon("worker"));
  private final AtomicInteger lookupsWanted = new AtomicInteger();
  private final AtomicBoolean probing = new AtomicBoolean();
  private final DayClock clock = new DayClock();
  private volatile boolean probeWanted = true;
  private volatile boolean prepared;
  private volatile boolean renewWanted;
  private @Nullable Admin admin;
  private boolean ended;

  ProducerSupervisor(KafkaPublisherConfig config, Clients clients, PublisherListener listener) {
    this.config = config;
    this.clients = clients;
    this.listener = listener;
    this.compression = ClientProperties.compression(config);
    this.partitioning = new Partitioning(config.partitioner());
    this.dispatcher = new SendDispatcher(listener, this::wantLookup, ClientProperties.idle(config));
    this.availability = new Availability(listener, config.bootstrapServers());
  }

  private static ThreadFactory daemon(String name) {
    return task -> {
      Thread thread = new Thread(task, "waybill-kafka-" + name + "-" + THREADS.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  SendDispatcher dispatcher() {
    return dispatcher;
  }

  void start() {
    ScheduledFuture<?> unused =
        ticker.scheduleWithFixedDelay(
            Unfailing.of("The Kafka publisher's watch over its time limits", this::tick),
            0,
            TICK_MILLIS,
            TimeUnit.MILLISECONDS);
    wantLookup();
  }

  private void tick() {
    dispatcher.expire();
    watchClock();
    watch(dispatcher.session(false));
    watch(dispatcher.session(true));
    if (!dispatcher.toLookUp().isEmpty()) {
      wantLookup();
    }
    if (probeWanted && probing.compareAndSet(false, true) && !run(this::probe)) {
      probing.set(false);
    }
  }

  private void watchClock() {
    Duration back = clock.setBack();
    if (!back.isZero()) {
      LOG.warn(
          "The time of day was set back by {}, which makes Kafka's clients pause as long: they are"
              + " replaced as soon as no message is in flight",
          back);
      dispatcher.outdate();
      renewWanted = true;
      probeWanted = true;
    }
  }

  private void watch(@Nullable ProducerSession session) {
    if (session == null) {
      return;
    }
    if (session.hasFailed()) {
      // Usually both are done by then; what failed on the way is done again.
      end(session);
      if (session.sinceFailure().compareTo(END_LIMIT) > 0) {
        dispatcher.settle(session);
      }
      return;
    }
    session.tryAgain();
    dispatcher.retire(session);
    Duration age = dispatcher.oldestAge(session);
    if (age.compareTo(STALLED) > 0) {
      probeWanted = true;
    }
    if (age.compareTo(config.deliveryTimeout().plus(GRACE)) > 0) {
      session.abandon("it has kept a message for " + age);
    }
  }

  /** Starts a task; false if that is not possible now, because there is no thread to be had. */
  private boolean run(Runnable task) {
    try {
      workers.execute(Unfailing.of("A task of the Kafka publisher", task));
      return true;
    } catch (RejectedExecutionException closed) {
      LOG.debug("Closed, nothing is started any more");
    } catch (RuntimeException | Error e) {
      LOG.error(
          "No thread for a task of the Kafka publisher; the next attempt follows in {} ms",
          TICK_MILLIS,
          e);
    }
    return false;
  }

  private void probe() {
    try {
      probeWanted = !availability.probe(admin());
    } catch (RuntimeException | Error e) {
      availability.down(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      probing.set(false);
    }
  }

  private synchronized Admin admin() {
    if (ended) {
      throw new KafkaException("the publisher is closed");
    }
    Admin current = admin;
    if (renewWanted && current != null) {
      // What it is asked at the moment may still be answered.
      Admin old = current;
      daemon("end").newThread(() -> old.close(LAST_ANSWERS)).start();
      current = null;
    }
    renewWanted = false;
    if (current == null) {
      current = clients.admin();
      admin = current;
    }
    return current;
  }

  /** One pass at a time; a wish during a pass leads to one more. */
  private void wantLookup() {
    if (lookupsWanted.getAndIncrement() == 0 && !run(this::lookUp)) {
      lookupsWanted.set(0);
    }
  }

  private void lookUp() {
    int served;
    do {
      served = lookupsWanted.get();
      try {
        lookUpOnce();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        lookupsWanted.set(0);
        return;
      } catch (RuntimeException | Error e) {
        // The next pass begins anew, with the next message or the next look at the time limits.
        lookupFailed("Topics", e);
      }
    } while (lookupsWanted.addAndGet(-served) > 0);
  }

  private void lookUpOnce() throws InterruptedException {
    if (!prepared) {
      // A first client takes the better part of a second: not while messages wait for it.
      prepared = true;
      ProducerSession unused = session(false);
    }
    List<Topic> topics = dispatcher.toLookUp();
    List<Topic> unknown = topics.stream().filter(dispatcher::needsLookUp).toList();
    if (!unknown.isEmpty()) {
      Map<String, TopicScout.Finding> findings =
          new TopicScout(admin(), config.createTopics())
              .explore(unknown.stream().map(topic -> topic.name).toList());
      unknown.forEach(topic -> note(topic, findings.get(topic.name)));
    }
    dispatcher.fit(batchBytes(false), batchBytes(true));
    for (Topic topic : topics) {
      try {
        if (!dispatcher.needsLookUp(topic)) {
          handOver(topic);
        }
      } catch (AuthorizationException e) {
        dispatcher.denied(topic, Refusal.of(e));
      } catch (RuntimeException e) {
        lookupFailed("Topic " + topic.name, e);
      }
    }
  }

  /** A client that cannot be made is usual while the broker's name is unknown. */
  private void lookupFailed(String what, Throwable why) {
    probeWanted = true;
    if (why instanceof KafkaException) {
      LOG.debug("{} could not be looked up; the publisher retries while messages wait", what, why);
    } else {
      LOG.error("{} could not be looked up; the publisher retries while messages wait", what, why);
    }
  }

  private void note(Topic topic, TopicScout.@Nullable Finding finding) {
    if (finding instanceof TopicScout.Finding.Present present) {
      dispatcher.present(topic, present.facts());
    } else if (finding instanceof TopicScout.Finding.Missing) {
      dispatcher.missing(topic);
    } else if (finding instanceof TopicScout.Finding.Denied denied) {
      dispatcher.denied(topic, denied.refusal());
    } else {
      LOG.debug("Topic {} could not be looked up: {}", topic.name, finding);
      probeWanted = true;
    }
  }

  private void handOver(Topic topic) {
    boolean suspect;
    do {
      suspect = dispatcher.isSuspect(topic);
      ProducerSession session = session(suspect);
      if (session == null || !learns(session, topic.name)) {
        return;
      }
      boolean more = true;
      while (more) {
        more = dispatcher.ready(topic, session) || measures(topic);
      }
    } while (suspect != dispatcher.isSuspect(topic));
  }

  /** Measures the next message of the topic if it is large, apart from the lock. */
  private boolean measures(Topic topic) {
    Topic.Waiting large = dispatcher.unmeasured(topic);
    if (large == null) {
      return false;
    }
    dispatcher.measured(large, RecordSize.least(large.message, compression));
    return true;
  }

  private int batchBytes(boolean forSuspects) {
    int bytes = ClientProperties.batchBytes(config, dispatcher.partitions());
    return forSuspects ? ClientProperties.compressedBatchBytes(config, bytes) : bytes;
  }

  private @Nullable ProducerSession session(boolean forSuspects) {
    ProducerSession current = dispatcher.session(forSuspects);
    if (current != null) {
      return current.hasFailed() ? null : current;
    }
    int epoch = dispatcher.epoch();
    int batchBytes = batchBytes(forSuspects);
    ProducerSession created =
        new ProducerSession(
            clients.producer(batchBytes), listener, forSuspects, batchBytes, partitioning, this);
    if (dispatcher.install(created, epoch)) {
      return created;
    }
    created.end();
    return null;
  }

  /** The client does not wait for metadata; this waits as long as sensible. */
  private static boolean learns(ProducerSession session, String topic) {
    long end = System.nanoTime() + LEARN_LIMIT.toNanos();
    while (!session.hasFailed() && System.nanoTime() - end < 0) {
      try {
        session.learn(topic);
        return true;
      } catch (TimeoutException notYet) {
        LOG.trace("No metadata of {} yet", topic);
        LockSupport.parkNanos(LEARN_PAUSE.toNanos());
      } catch (IllegalStateException ended) {
        return false;
      }
    }
    return false;
  }

  @Override
  public void failed(ProducerSession session) {
    probeWanted = true;
    end(session);
  }

  @Override
  public void hasRoom() {
    wantLookup();
  }

  private void end(ProducerSession session) {
    if (session.isMineToEnd() && !run(() -> bury(session))) {
      session.leaveToEnd();
    }
  }

  private void bury(ProducerSession session) {
    try {
      session.end();
      session.measureCause(compression);
    } finally {
      dispatcher.settle(session);
    }
    // While the broker is away that is known.
    LOG.atLevel(availability.isDown() ? Level.DEBUG : Level.WARN)
        .log(
            "Kafka client replaced, because {}; callers receive an outcome for each"
                + " unconfirmed message",
            session.reason());
    if (dispatcher.hasWaiting()) {
      wantLookup();
    }
  }

  /** Ends everything within about a second. */
  void close() {
    availability.close();
    List<ProducerSession> living = dispatcher.close();
    living.forEach(ProducerSession::takeNoMore);
    ticker.shutdownNow();
    workers.shutdownNow();
    Thread ending = daemon("end").newThread(() -> living.forEach(ProducerSession::end));
    ending.start();
    try {
      ending.join(END_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    living.forEach(dispatcher::settle);
    endAdmin();
  }

  private synchronized void endAdmin() {
    ended = true;
    closeAdmin();
  }

  /** Called under the lock. */
  private void closeAdmin() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
