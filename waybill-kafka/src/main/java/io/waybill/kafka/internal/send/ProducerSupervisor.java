package io.waybill.kafka.internal.send;

import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.DayClock;
import io.waybill.kafka.internal.Unfailing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Does on its own threads what may take time: looks topics up, creates and ends clients, asks
 * whether the broker is there, and keeps the time limits.
 */
public final class ProducerSupervisor implements ProducerSession.Watcher, TopicLookups.Source {
  private static final Logger LOG = LoggerFactory.getLogger(ProducerSupervisor.class);
  private static final long TICK_MILLIS = 100;
  private static final Duration STALLED = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofMillis(500);

  /** How long the I/O thread of a failed client may take to end before its sends are reported. */
  private static final Duration END_LIMIT = Duration.ofMillis(900);

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(3);
  private static final AtomicInteger THREADS = new AtomicInteger();

  private final SendSettings settings;
  private final Clients clients;
  private final PublisherListener listener;
  private final SendDispatcher dispatcher;
  private final TopicLookups lookups;
  private final Availability availability;
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(daemon("ticker"));
  private final ExecutorService workers = Executors.newCachedThreadPool(daemon("worker"));
  private final AtomicBoolean probing = new AtomicBoolean();
  private final DayClock clock = new DayClock();
  private volatile boolean probeWanted = true;
  private volatile boolean renewWanted;
  private volatile boolean warm;
  private @Nullable Admin admin;
  private boolean ended;

  /**
   * Prepares sending; connects to nothing before {@link #start}.
   *
   * @param expected topics to be known before the broker is said to be there
   * @param warmsUp whether a client sends to this process before that
   * @param listener told each outcome, and whether the broker is there
   */
  public ProducerSupervisor(
      SendSettings settings,
      Clients clients,
      Set<String> expected,
      boolean warmsUp,
      PublisherListener listener) {
    this.settings = settings;
    this.clients = clients;
    this.listener = listener;
    this.dispatcher = new SendDispatcher(listener, this::wantLookup, settings.idle());
    this.lookups = new TopicLookups(dispatcher, settings, expected, this);
    this.warm = !warmsUp;
    this.availability = new Availability(listener, settings.servers());
  }

  private static ThreadFactory daemon(String name) {
    return task -> {
      Thread thread = new Thread(task, "waybill-kafka-" + name + "-" + THREADS.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Where messages go. */
  public SendDispatcher dispatcher() {
    return dispatcher;
  }

  /** Starts the threads. */
  public void start() {
    ScheduledFuture<?> unusedFuture =
        ticker.scheduleWithFixedDelay(
            Unfailing.of("The Kafka publisher's watch over its time limits", this::tick),
            0,
            TICK_MILLIS,
            TimeUnit.MILLISECONDS);
    wantLookup();
    if (!warm && !run(this::warmUp)) {
      warm = true;
    }
  }

  /** The broker is said to be there afterwards: a relay that waits for it joins then. */
  private void warmUp() {
    try {
      ClientWarmUp.once(clients::warmUp);
    } finally {
      warm = true;
    }
  }

  private void tick() {
    dispatcher.expire();
    watchClock();
    watch(dispatcher.session(false));
    watch(dispatcher.session(true));
    if (!lookups.isPrepared() || !dispatcher.toLookUp(Set.of()).isEmpty()) {
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
    if (age.compareTo(settings.deliveryTimeout().plus(GRACE)) > 0) {
      session.abandon("it has kept a message for " + age);
    }
  }

  /** Starts a task; false if that is not possible now, because there is no thread to be had. */
  @Override
  public boolean run(Runnable task) {
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
      probeWanted = !availability.probe(admin(), () -> lookups.isPrepared() && warm);
    } catch (RuntimeException | Error e) {
      availability.down(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      probing.set(false);
    }
  }

  @Override
  public synchronized Admin admin() {
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

  @Override
  public int batchBytes(boolean forSuspects) {
    return settings.batches().bytes(dispatcher.partitions(), forSuspects);
  }

  @Override
  public @Nullable ProducerSession session(boolean forSuspects) {
    ProducerSession current = dispatcher.session(forSuspects);
    if (current != null) {
      return current.hasFailed() ? null : current;
    }
    int epoch = dispatcher.epoch();
    int batchBytes = batchBytes(forSuspects);
    ProducerSession created =
        new ProducerSession(
            clients.producer(batchBytes),
            listener,
            forSuspects,
            batchBytes,
            settings.partitions(),
            this);
    if (dispatcher.install(created, epoch)) {
      return created;
    }
    created.end();
    return null;
  }

  private void wantLookup() {
    lookups.want();
  }

  @Override
  public void wantProbe() {
    probeWanted = true;
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
      session.measureCause(settings.compression());
    } finally {
      dispatcher.settle(session);
    }
    // While the broker is away that is known.
    LOG.atLevel(availability.isDown() ? Level.DEBUG : Level.WARN)
        .log(
            "Kafka client replaced, because {}; callers receive an outcome for each"
                + " unconfirmed message",
            session.reason());
    if (!dispatcher.toLookUp(Set.of()).isEmpty()) {
      wantLookup();
    }
  }

  /** Ends everything within about a second. */
  public void close() {
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
