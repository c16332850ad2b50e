package io.waybill.kafka.internal.consume;

import io.waybill.broker.Delivery;
import io.waybill.broker.SubscriberListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that uses the client and calls the listener. A client that fails is replaced,
 * after a pause that grows.
 */
public final class Poller implements Runnable, ConsumerSession.Outlet {
  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(3);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final long LAG_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReadSettings settings;
  private final LaneTable lanes;
  private final TopicIds ids;
  private final SubscriberListener listener;
  private final SubscriberAvailability availability;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable KafkaConsumer<byte[], byte[]> current;
  private volatile boolean stopped;
  private volatile boolean outdated;
  private volatile Map<String, Long> lags = Map.of();
  private long lastLags = System.nanoTime();
  private int failures;

  /** Prepares reading; {@link #run} reads. */
  public Poller(
      ReadSettings settings,
      LaneTable lanes,
      TopicIds ids,
      SubscriberListener listener,
      SubscriberAvailability availability) {
    this.settings = settings;
    this.lanes = lanes;
    this.ids = ids;
    this.listener = listener;
    this.availability = availability;
  }

  @Override
  public void run() {
    try {
      while (!isClosing()) {
        Throwable failure = read();
        if (failure != null && !isClosing()) {
          pause(failure);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("Group {}: interrupted, the end", settings.groupId());
    } finally {
      lanes.remove(lanes.partitions());
      // Only an error of the JVM ends it before its time.
      if (!isClosing()) {
        boolean unused =
            availability.down(SubscriberAvailability.Part.READING, "the polling thread has ended");
      }
    }
  }

  /** Reads with one client until the end or until it fails. */
  private @Nullable Throwable read() {
    outdated = false;
    KafkaConsumer<byte[], byte[]> consumer;
    try {
      consumer =
          new KafkaConsumer<>(
              settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    } catch (RuntimeException | Error e) {
      return e;
    }
    current = consumer;
    ConsumerSession reading = new ConsumerSession(settings, consumer, lanes, ids, this);
    Throwable failure = null;
    try {
      reading.begin();
      while (!isClosing() && !outdated) {
        step(reading);
      }
    } catch (WakeupException e) {
      LOG.debug("Group {}: woken up to close, or for a new client", settings.groupId());
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      current = null;
      end(reading, consumer);
    }
    return failure;
  }

  private void step(ConsumerSession reading) {
    if (reading.step()) {
      failures = 0;
      if (availability.up(SubscriberAvailability.Part.READING)) {
        LOG.info("Group {}: reads again", settings.groupId());
      }
    }
    if (System.nanoTime() - lastLags >= LAG_NANOS) {
      lastLags = System.nanoTime();
      lags = reading.lags();
    }
  }

  private void end(ConsumerSession reading, KafkaConsumer<byte[], byte[]> consumer) {
    lags = Map.of();
    try {
      reading.end();
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "Group {}: the last commit failed; messages are delivered again", settings.groupId(), e);
    }
    try {
      consumer.close(CloseOptions.timeout(LEAVE_LIMIT));
    } catch (RuntimeException | Error e) {
      LOG.debug("Group {}: closing a client failed; its session ends", settings.groupId(), e);
    }
  }

  private void pause(Throwable failure) throws InterruptedException {
    long ceiling = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 16));
    long millis = ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1);
    String reason = "cannot read as group " + settings.groupId() + ": " + describe(failure);
    if (availability.down(SubscriberAvailability.Part.READING, reason)) {
      LOG.warn("Kafka: {}. The first retry follows in {} ms.", reason, millis);
    } else {
      LOG.debug("Kafka: {}. The next retry follows in {} ms.", reason, millis, failure);
    }
    failures++;
    boolean unused = closing.await(millis, TimeUnit.MILLISECONDS);
  }

  /** A client that cannot be made says why in its cause. */
  private static String describe(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null || cause == failure ? failure.toString() : failure + ": " + cause;
  }

  @Override
  public boolean isStopped() {
    return stopped;
  }

  /** Under the lock that {@link #stop} takes: nothing is delivered after its return. */
  @Override
  public synchronized void deliver(List<Delivery> deliveries) {
    if (!stopped && !deliveries.isEmpty()) {
      listener.delivered(deliveries);
    }
  }

  @Override
  public void revoked(Set<String> names, boolean lost) {
    if (!isClosing()) {
      listener.revoked(names, lost);
    }
  }

  /** How far each lane is behind. */
  public Map<String, Long> lags() {
    return lags;
  }

  /** Takes a new client soon, also out of a poll that does not end. Called by any thread. */
  public void renew() {
    outdated = true;
    wakeUp();
  }

  /** Delivers nothing after the return. */
  public synchronized void stop() {
    stopped = true;
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /** Ends soon, also out of a poll that does not end. */
  public void close() {
    stop();
    closing.countDown();
    wakeUp();
  }

  private void wakeUp() {
    KafkaConsumer<byte[], byte[]> consumer = current;
    if (consumer != null) {
      consumer.wakeup();
    }
  }
}
