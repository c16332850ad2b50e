package io.waybill.broker;

import io.waybill.message.Destination;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Declares the parts that destinations need at a broker, for an administrator: topics, exchanges,
 * queues and bindings. Parts that exist stay as they are. Each call connects anew. Every method
 * throws {@link java.io.UncheckedIOException} when the broker does not answer in time or refuses
 * the log-in.
 */
public interface DestinationDeclaration {
  /**
   * Looks at the parts of a destination without changing anything.
   *
   * @param destination topic, or exchange and routing key
   * @param queue the RabbitMQ queue that is to be bound to the exchange, or null for none
   * @return how they stand, at least one
   */
  List<Part> look(Destination destination, @Nullable String queue);

  /**
   * Declares the parts that a destination lacks.
   *
   * @param destination topic, or exchange and routing key
   * @param queue the RabbitMQ queue to bind to the exchange, or null for none
   * @return how they stand, at least one
   */
  List<Part> declare(Destination destination, @Nullable String queue);

  /**
   * How new parts are made; those that exist keep what they have.
   *
   * @param partitions Kafka: partitions of a new topic, -1 for the broker's default; null for those
   *     of the settings of its publishers, else the broker's default
   * @param replicationFactor Kafka: replicas of a new topic, likewise
   * @param exchangeType RabbitMQ: topic, direct, fanout or headers, in any case; null for that of
   *     the configured topology, else topic
   * @param queueType RabbitMQ: quorum or classic, in any case; null for quorum
   * @param singleActiveConsumer RabbitMQ: whether one consumer at a time gets the messages of a new
   *     queue
   */
  record Settings(
      @Nullable Integer partitions,
      @Nullable Integer replicationFactor,
      @Nullable String exchangeType,
      @Nullable String queueType,
      boolean singleActiveConsumer) {
    /** The defaults. */
    public static final Settings DEFAULTS = new Settings(null, null, null, null, false);
  }

  /** How a part stands. */
  enum State {
    /** It is there, and stays as it is. */
    EXISTS,
    /** It is not there. */
    MISSING,
    /** It cannot be seen without changing something. */
    UNKNOWN,
    /** It was declared. */
    DECLARED,
    /** The broker refuses to declare it. */
    REFUSED
  }

  /**
   * Something that a destination needs.
   *
   * @param name kind and name, for example {@code topic orders}
   * @param state how it stands
   * @param detail its settings, or what the broker said
   */
  record Part(String name, State state, String detail) {}
}
