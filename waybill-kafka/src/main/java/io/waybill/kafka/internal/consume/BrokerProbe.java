package io.waybill.kafka.internal.consume;

import io.waybill.kafka.internal.DayClock;
import io.waybill.kafka.internal.DeepestCause;
import io.waybill.kafka.internal.Unfailing;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker now and then whether it is there and has the topics, and whether they are the
 * same as before: a consumer whose broker is away polls in vain and says nothing.
 */
public final class BrokerProbe {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerProbe.class);
  private static final long PAUSE_MILLIS = 2_000;
  private static final long LIMIT_MILLIS = 2_500;

  private final ReadSettings settings;
  private final SubscriberAvailability availability;
  private final TopicIds ids;
  private final Runnable onSetBack;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(BrokerProbe::daemon);
  private final DayClock dayClock = new DayClock();
  private Set<String> missing = Set.of();
  private @Nullable Admin admin;
  private boolean closed;

  /** Runs something each time the time of day was set back. */
  public BrokerProbe(
      ReadSettings settings,
      SubscriberAvailability availability,
      TopicIds ids,
      Runnable onSetBack) {
    this.settings = settings;
    this.availability = availability;
    this.ids = ids;
    this.onSetBack = onSetBack;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "waybill-kafka-watch");
    thread.setDaemon(true);
    return thread;
  }

  /** Starts the thread. */
  public void start() {
    ScheduledFuture<?> unused =
        clock.scheduleWithFixedDelay(
            Unfailing.of("The Kafka subscriber's watch over its broker", this::look),
            0,
            PAUSE_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      Duration back = dayClock.setBack();
      if (!back.isZero()) {
        LOG.warn(
            "Group {}: the time of day was set back by {}, which makes Kafka's clients pause as"
                + " long; new clients replace them",
            settings.groupId(),
            back);
        renewAdmin();
        onSetBack.run();
      }
      Admin asked = admin();
      asked.describeCluster().nodes().get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
      long time = System.nanoTime();
      topics(absent(asked.describeTopics(settings.topics()).topicNameValues(), time));
      if (availability.up(SubscriberAvailability.Part.BROKER)) {
        LOG.info("Kafka at {} answers again", settings.servers());
      }
    } catch (ExecutionException e) {
      silent(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | RuntimeException | Error e) {
      silent(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void silent(Throwable why) {
    if (isClosed()) {
      return;
    }
    // A client's own words for a time that is over differ from one to the next.
    boolean late = why instanceof TimeoutException || why instanceof RetriableException;
    String what = late ? "no answer within " + LIMIT_MILLIS + " ms" : DeepestCause.text(why);
    String reason = "Kafka at " + settings.servers() + " does not answer: " + what;
    if (availability.down(SubscriberAvailability.Part.BROKER, reason)) {
      LOG.warn("{}; the next attempts follow every {} ms", reason, PAUSE_MILLIS);
    }
  }

  private Set<String> absent(Map<String, KafkaFuture<TopicDescription>> answers, long askedAt)
      throws InterruptedException, TimeoutException {
    Set<String> absent = new TreeSet<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> each : answers.entrySet()) {
      try {
        TopicDescription topic = each.getValue().get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        ids.seen(each.getKey(), topic.topicId(), askedAt);
      } catch (ExecutionException e) {
        // What else may be wrong with it is told by the consumer itself.
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          absent.add(each.getKey());
        }
      }
    }
    return absent;
  }

  private void topics(Collection<String> absent) {
    Set<String> now = new TreeSet<>(absent);
    if (now.isEmpty()) {
      if (availability.up(SubscriberAvailability.Part.TOPICS)) {
        LOG.info("Kafka: all topics exist");
      }
    } else if (!now.equals(missing)) {
      String reason = "these topics do not exist: " + String.join(", ", now);
      availability.down(SubscriberAvailability.Part.TOPICS, reason);
      LOG.warn(
          "Kafka: {}; the group reads them as soon as they exist, and the other topics meanwhile",
          reason);
    }
    missing = now;
  }

  private synchronized Admin admin() {
    Admin current = admin;
    if (closed) {
      throw new KafkaException("closed");
    }
    if (current == null) {
      current = Admin.create(settings.admin());
      admin = current;
    }
    return current;
  }

  /** Ends it and its client. */
  public void close() {
    clock.shutdownNow();
    end();
  }

  private synchronized void end() {
    closed = true;
    closeAdmin();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void renewAdmin() {
    closeAdmin();
    admin = null;
  }

  /** Called under the lock. */
  private void closeAdmin() {
    Admin current = admin;
    if (current != null) {
      try {
        current.close(Duration.ZERO);
      } catch (KafkaException e) {
        LOG.debug("Closing the administration client failed; its threads are daemons", e);
      }
    }
  }
}
