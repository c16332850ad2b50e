package io.waybill.broker;

import io.waybill.message.Destination;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Declares what destinations need at a broker, for an administrator: topics, exchanges, queues and
 * bindings. What is there stays as it is. Each call connects anew. Every method throws {@link
 * java.io.UncheckedIOException} when the broker does not answer in time or refuses the log-in.
 */
public interface DestinationDeclaration {
  /**
   * Looks what a destination has and lacks, without changing anything.
   *
   * @param destination topic, or exchange and routing key
   * @param queue the RabbitMQ queue that is to be bound to the exchange, or null for none
   * @return the parts that it needs, at least one
   */
  List<Part> look(Destination destination, @Nullable String queue);

  /**
   * Declares what a destination lacks.
   *
   * @param destination topic, or exchange and routing key
   * @param queue the RabbitMQ queue to bind to the exchange, or null for none
   * @return the parts that it needs, at least one
   */
  List<Part> declare(Destination destination, @Nullable String queue);

  /** How a part stands. */
  enum State {
    /** It is there, and stays as it is. */
    EXISTS,
    /** It is not there. */
    MISSING,
    /** Nobody can tell without changing something. */
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
