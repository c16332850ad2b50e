package io.waybill.spring.properties;

import io.waybill.handler.UnknownTypes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The inbox of this process, which exists when it has sources.
 *
 * @param enabled whether this process consumes
 * @param sources Kafka topics or RabbitMQ queues to consume from
 * @param consumer name under which processed events are noted, and Kafka's consumer group; default:
 *     the application's name
 * @param transactionManager name of the transaction manager bean, where there are several
 * @param table name of an existing table of processed events that belongs to this consumer
 * @param unknownTypes what becomes of events without handler
 * @param workers concurrent transactions, each with a connection of the application's pool
 * @param handlerTimeout how long a handler may take
 * @param dedupeWindow how long processed events are remembered
 * @param brokerRetention how long the broker may deliver a message again; shorter than the window
 * @param maxEvents deliveries in memory above which the inbox requests no more
 * @param maxBytes the same in bytes
 * @param shared how events that are handled singly share transactions
 * @param quickRetry tries in place, while the event's key waits
 * @param retry tries after those
 * @param deadLetters places of dead letters
 * @param kafka how Kafka is consumed from
 * @param rabbitmq how RabbitMQ is consumed from
 * @param lifecycle when it starts and stops
 */
public record InboxProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue List<String> sources,
    @Nullable String consumer,
    @Nullable String transactionManager,
    @Nullable String table,
    @DefaultValue("dead-letter") UnknownTypes unknownTypes,
    @DefaultValue("4") int workers,
    @DefaultValue("30s") Duration handlerTimeout,
    @DefaultValue("14d") Duration dedupeWindow,
    @DefaultValue("0s") Duration brokerRetention,
    @DefaultValue("4000") int maxEvents,
    @DefaultValue("64MB") DataSize maxBytes,
    @DefaultValue Shared shared,
    @DefaultValue QuickRetry quickRetry,
    @DefaultValue Retry retry,
    @DefaultValue DeadLetters deadLetters,
    @DefaultValue FromKafka kafka,
    @DefaultValue FromRabbit rabbitmq,
    @DefaultValue Lifecycle lifecycle) {

  /**
   * How events that are handled singly share transactions.
   *
   * @param events most of them in a transaction; with 1 each has its own
   * @param time how long their handlers may take together
   */
  public record Shared(@DefaultValue("20") int events, @DefaultValue("5ms") Duration time) {}

  /**
   * Tries in place.
   *
   * @param attempts tries before the event is deferred, the first one included
   * @param firstDelay first pause
   * @param longestDelay longest pause
   * @param factor growth of the pauses
   */
  public record QuickRetry(
      @DefaultValue("4") int attempts,
      @DefaultValue("50ms") Duration firstDelay,
      @DefaultValue("1s") Duration longestDelay,
      @DefaultValue("4") int factor) {}

  /**
   * Retries of a deferred event.
   *
   * @param attempts tries before the event is dead-lettered, those in place counted as one
   * @param firstDelay first pause
   * @param longestDelay longest pause
   * @param factor growth of the pauses
   */
  public record Retry(
      @DefaultValue("10") int attempts,
      @DefaultValue("1s") Duration firstDelay,
      @DefaultValue("5m") Duration longestDelay,
      @DefaultValue("2") int factor) {}

  /**
   * Topics or queues of dead letters.
   *
   * @param create whether missing ones are created: at the start, and whenever one turns out to be
   *     missing
   * @param replicationFactor replicas of new topics, -1 for the broker's default
   * @param exchange exchange of RabbitMQ that routes them to {@code QUEUE.dlt}; empty for the
   *     default exchange
   * @param routingKey routing key on that exchange, without which it must be the default; {@code
   *     {queue}} in it stands for the queue
   */
  public record DeadLetters(
      @DefaultValue("false") boolean create,
      @DefaultValue("-1") int replicationFactor,
      @DefaultValue("") String exchange,
      @DefaultValue(DeadLetters.QUEUE) String routingKey) {
    /** Stands for the queue in a routing key. */
    public static final String QUEUE = "{queue}";
  }

  /**
   * How Kafka is consumed from.
   *
   * @param start where a group begins that has no position yet; default: spring.kafka's
   *     auto-offset-reset, or earliest
   * @param window messages of one partition that are delivered and not committed, at most
   * @param revocationWait how long the inbox keeps leaving partitions to let running handlers
   *     finish
   */
  public record FromKafka(
      @Nullable Start start,
      @DefaultValue("1000") int window,
      @DefaultValue("10s") Duration revocationWait) {}

  /** Where a group begins that has no position yet. */
  public enum Start {
    /** With the oldest message that the broker has. */
    EARLIEST,
    /** With what comes from now on. */
    LATEST,
    /** Not at all, until a position has been set. */
    REFUSE
  }

  /**
   * How RabbitMQ is consumed from.
   *
   * @param prefetch messages of one queue that are delivered and not acknowledged, at most
   */
  public record FromRabbit(@DefaultValue("250") int prefetch) {}

  /**
   * When it starts and stops.
   *
   * @param gracePeriod how long a stop may take
   * @param phase phase of the life cycle; the default starts last and stops first
   */
  public record Lifecycle(
      @DefaultValue("20s") Duration gracePeriod, @DefaultValue("2147483647") int phase) {}
}
