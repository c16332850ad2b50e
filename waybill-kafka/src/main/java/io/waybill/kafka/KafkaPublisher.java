package io.waybill.kafka;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.send.Clients;
import io.waybill.kafka.internal.send.ProducerSupervisor;
import io.waybill.kafka.internal.send.SendDispatcher;
import io.waybill.kafka.internal.send.SendSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes to Kafka with an idempotent producer and {@code acks=all}. The destination's target is
 * the topic; the {@link KeyPartitioner} chooses the partition unless the destination names one.
 *
 * <p>A failed send ends the client that sent it, and the outcome of all its unconfirmed sends is
 * unknown: no later message overtakes the failed one. A topic that fails uses a separate client
 * until it succeeds again, and for at least five minutes after a refusal. The publisher looks
 * topics up before their first message; it rejects messages to a missing topic with reason {@code
 * topic-missing} and delays no other topic. A refused record timestamp and a missing privilege also
 * count as failures of the topic.
 *
 * <p>A send never blocks. A message that finds {@code buffer.memory} full goes out as soon as there
 * is room; without any for 1.5 s its outcome is that it was not sent.
 *
 * <p>The publisher checks the size of messages before compression against {@code max.request.size}.
 * It checks their smallest possible compressed size against the topic's {@code max.message.bytes},
 * or, where it cannot see that limit, against the size that the broker has refused. Between the two
 * sizes the broker decides, through the separate client.
 *
 * <p>Several threads may send, but only the sends of one thread keep their order.
 */
public final class KafkaPublisher implements Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaPublisher.class);

  /** Waiting for the topic, and what the client takes to notice that time is up. */
  private static final Duration MARGIN = SendDispatcher.LOOKUP_LIMIT.plusMillis(500);

  private static final int MAX_IN_FLIGHT_PER_KEY = 10_000;

  private final KafkaPublisherConfig config;
  private final Clients clients;
  private final Set<String> expected;
  private final boolean warmsUp;
  private volatile @Nullable ProducerSupervisor supervisor;
  private boolean closed;

  /**
   * Prepares a publisher; connects to nothing before {@link #start}.
   *
   * @param config settings
   */
  public KafkaPublisher(KafkaPublisherConfig config) {
    this(config, new RealClients(Objects.requireNonNull(config, "config")), Set.of(), false);
  }

  /**
   * What is to be done before the broker is said to be there.
   *
   * @param expected topics to be known, since messages are expected for them
   * @param warmsUp whether the first messages should take no longer than others
   */
  KafkaPublisher(
      KafkaPublisherConfig config, Clients clients, Set<String> expected, boolean warmsUp) {
    this.config = config;
    this.clients = clients;
    this.expected = Set.copyOf(expected);
    this.warmsUp = warmsUp;
  }

  @Override
  public synchronized void start(PublisherListener listener) {
    if (closed || supervisor != null) {
      throw new IllegalStateException("start: only once, and before close");
    }
    ProducerSupervisor created =
        new ProducerSupervisor(settings(config), clients, expected, warmsUp, listener);
    created.start();
    supervisor = created;
    LOG.debug("Kafka publisher started, servers {}", config.bootstrapServers());
  }

  private static SendSettings settings(KafkaPublisherConfig config) {
    NewTopicSettings created = config.createTopics();
    return new SendSettings(
        config.bootstrapServers(),
        config.deliveryTimeout(),
        ClientProperties.idle(config),
        ClientProperties.compression(config),
        (partitions, forSuspects) -> batchBytes(config, partitions, forSuspects),
        new Partitioning(config.partitioner()),
        created == null ? null : created::topic);
  }

  private static int batchBytes(KafkaPublisherConfig config, long partitions, boolean forSuspects) {
    int bytes = ClientProperties.batchBytes(config, partitions);
    return forSuspects ? ClientProperties.compressedBatchBytes(config, bytes) : bytes;
  }

  @Override
  public void send(Outgoing message) {
    started().dispatcher().accept(message);
  }

  @Override
  public void flush() {
    started().dispatcher().flush();
  }

  private ProducerSupervisor started() {
    ProducerSupervisor current = supervisor;
    if (current == null) {
      throw new IllegalStateException("send: only after start");
    }
    return current;
  }

  @Override
  public String toString() {
    return "Kafka at " + config.bootstrapServers();
  }

  @Override
  public int maxInFlightPerKey() {
    return MAX_IN_FLIGHT_PER_KEY;
  }

  @Override
  public Duration deliveryTimeout() {
    return config.deliveryTimeout().plus(MARGIN);
  }

  @Override
  public synchronized void close() {
    ProducerSupervisor current = supervisor;
    if (!closed && current != null) {
      current.close();
      LOG.debug("Kafka publisher closed, servers {}", config.bootstrapServers());
    }
    closed = true;
  }
}
