package io.waybill.kafka;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import io.waybill.kafka.internal.consume.BrokerProbe;
import io.waybill.kafka.internal.consume.LaneTable;
import io.waybill.kafka.internal.consume.Poller;
import io.waybill.kafka.internal.consume.ReadSettings;
import io.waybill.kafka.internal.consume.SubscriberAvailability;
import io.waybill.kafka.internal.consume.TopicIds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics as a member of a consumer group, committed records only. A lane is a partition.
 *
 * <p>One thread polls all the time, whatever handlers do: it pauses a lane whose window is full, so
 * a slow handler never causes a rebalance. Partitions move one by one (cooperative sticky
 * assignment). Before one leaves, the listener may finish, and the subscriber commits the
 * acknowledged messages.
 *
 * <p>The subscriber commits the position of each lane up to the first unacknowledged message: every
 * {@link KafkaSubscriberConfig#commitInterval}, before a partition leaves, and at the end. A
 * message that the listener gives back stays in memory and is delivered again before anything newer
 * of its lane; this repeats no other message of the lane.
 *
 * <p>{@link Delivery#again} marks messages that an earlier owner of the partition may have had.
 * These are messages that existed when the assignment began, up to the number that an owner can
 * hold uncommitted.
 *
 * <p>Thread-safe.
 */
public final class KafkaSubscriber implements Subscriber {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSubscriber.class);

  /** For the last commit and for leaving the group when the broker does not answer. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(8);

  private final KafkaSubscriberConfig config;
  private final LaneTable lanes;
  private @Nullable Poller poller;
  private @Nullable SubscriberAvailability availability;
  private @Nullable BrokerProbe watch;
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * Prepares a subscriber; connects to nothing before {@link #start}.
   *
   * @param config settings
   */
  public KafkaSubscriber(KafkaSubscriberConfig config) {
    this.config = Objects.requireNonNull(config, "config");
    this.lanes = new LaneTable(config.window(), config.windowBytes());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when it was started or closed before
   */
  @Override
  public synchronized void start(SubscriberListener listener) {
    if (closed || poller != null) {
      throw new IllegalStateException("start: only once, and before close");
    }
    availability = new SubscriberAvailability(listener);
    TopicIds ids = new TopicIds();
    ReadSettings settings = settings(config);
    Poller polling = new Poller(settings, lanes, ids, listener, availability);
    poller = polling;
    watch = new BrokerProbe(settings, availability, ids, polling::renew);
    thread = new Thread(poller, "waybill-kafka-subscriber-" + config.groupId());
    thread.setDaemon(true);
    thread.start();
    watch.start();
    LOG.info(
        "Kafka subscriber started, servers {}, group {}, topics {}",
        config.bootstrapServers(),
        config.groupId(),
        config.topics());
  }

  private static ReadSettings settings(KafkaSubscriberConfig config) {
    return new ReadSettings(
        config.bootstrapServers(),
        config.groupId(),
        config.topics(),
        config.start() == KafkaSubscriberConfig.Start.LATEST,
        config.start() == KafkaSubscriberConfig.Start.REFUSE,
        config.commitInterval(),
        config.revocationLimit(),
        ConsumerProperties.of(config),
        ClientProperties.admin(config.bootstrapServers(), config.properties()));
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    lanes.acknowledge(deliveries);
  }

  @Override
  public void release(List<Delivery> deliveries) {
    lanes.release(deliveries);
  }

  @Override
  public void pause(String lane) {
    lanes.pause(lane, true);
  }

  @Override
  public void resume(String lane) {
    lanes.pause(lane, false);
  }

  @Override
  public boolean canRewind() {
    return true;
  }

  @Override
  public Map<String, Reach> reach() {
    return lanes.reach();
  }

  /**
   * {@inheritDoc} The subscriber commits the position before it reads anything, so a restart does
   * not undo it.
   */
  @Override
  public void rewind(Map<String, Long> positions) {
    lanes.rewind(positions);
  }

  @Override
  public synchronized Map<String, Long> lag() {
    Poller current = poller;
    return current == null ? Map.of() : current.lags();
  }

  /**
   * {@inheritDoc} Here it is the sum of {@code retention.ms} and {@code segment.ms}, because Kafka
   * deletes whole segments. A separate client asks for it; the result leaves out topics that its
   * user may not see.
   */
  @Override
  public Map<String, Duration> retention() {
    return TopicRetention.of(config);
  }

  @Override
  public synchronized void stop() {
    Poller current = poller;
    if (current != null) {
      current.stop();
    }
  }

  @Override
  public void close() {
    Thread ending = beginClose();
    if (ending == null || ending == Thread.currentThread()) {
      return;
    }
    try {
      ending.join(CLOSE_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Ends a listener that does not come back, and a client that waits for a silent broker.
    ending.interrupt();
  }

  private synchronized @Nullable Thread beginClose() {
    if (closed) {
      return null;
    }
    closed = true;
    if (poller != null && watch != null && availability != null) {
      poller.close();
      availability.end();
      watch.close();
      LOG.info("Kafka subscriber closes, group {}", config.groupId());
    }
    return thread;
  }
}
