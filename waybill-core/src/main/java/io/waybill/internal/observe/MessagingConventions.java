package io.waybill.internal.observe;

import io.waybill.message.Destination;
import io.waybill.message.Place;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.Transport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names and values of OpenTelemetry's semantic conventions for messaging, version 1.45.0 (status
 * development), for spans and observations of Kafka and RabbitMQ: <a
 * href="https://github.com/open-telemetry/semantic-conventions/tree/v1.45.0/docs/messaging">docs/messaging</a>.
 * Needs no library of OpenTelemetry.
 */
public final class MessagingConventions {
  /** {@link #system}. */
  public static final String SYSTEM = "messaging.system.name";

  /** {@link #send}, or {@link #PROCESS}. */
  public static final String OPERATION = "messaging.operation.name";

  /** {@link #TYPE_SEND} or {@link #PROCESS}. */
  public static final String OPERATION_TYPE = "messaging.operation.type";

  /** {@link #destination}. */
  public static final String DESTINATION = "messaging.destination.name";

  /** Number of a Kafka partition, as text. */
  public static final String PARTITION = "messaging.destination.partition.id";

  /** Offset in a Kafka partition. */
  public static final String OFFSET = "kafka.offset";

  /** True if a Kafka record has no value; absent otherwise. */
  public static final String TOMBSTONE = "kafka.message.tombstone";

  /** RabbitMQ's routing key, unless it is empty. */
  public static final String ROUTING_KEY = "rabbitmq.destination.routing_key";

  /** Consumer group of Kafka. */
  public static final String CONSUMER_GROUP = "messaging.consumer.group.name";

  /** Id of the client. */
  public static final String CLIENT_ID = "messaging.client.id";

  /** Host name or address of the broker, if known. */
  public static final String SERVER_ADDRESS = "server.address";

  /** Its port. */
  public static final String SERVER_PORT = "server.port";

  /** Id of the event. */
  public static final String MESSAGE_ID = "messaging.message.id";

  /** Correlation id of the event. */
  public static final String CONVERSATION_ID = "messaging.message.conversation_id";

  /** Size of the body in bytes; only on request. */
  public static final String BODY_SIZE = "messaging.message.body.size";

  /** Number of messages of a batch; not for a single one. */
  public static final String BATCH_COUNT = "messaging.batch.message_count";

  /** Class of a failure, one of few values; absent otherwise. */
  public static final String ERROR_TYPE = "error.type";

  /** Operation of a handler's call, and type of that operation. */
  public static final String PROCESS = "process";

  /** Type of the operation of a send. */
  public static final String TYPE_SEND = "send";

  private MessagingConventions() {}

  /**
   * The value of {@link #SYSTEM}.
   *
   * @param transport kind of broker
   * @return its name
   */
  public static String system(Transport transport) {
    return switch (transport) {
      case KAFKA -> "kafka";
      case RABBITMQ -> "rabbitmq";
    };
  }

  /**
   * The value of {@link #OPERATION} of a send: the system's own word.
   *
   * @param transport kind of broker
   * @return the method of Kafka's producer, or of AMQP
   */
  public static String send(Transport transport) {
    return switch (transport) {
      case KAFKA -> "send";
      case RABBITMQ -> "publish";
    };
  }

  /**
   * The value of {@link #DESTINATION} of a send.
   *
   * @param transport kind of broker
   * @param destination destination of the message
   * @return the topic, or {@code exchange:routingKey}
   */
  public static String destination(Transport transport, Destination destination) {
    return switch (transport) {
      case KAFKA -> destination.target();
      case RABBITMQ -> joined(destination.target(), destination.routingKey());
    };
  }

  /**
   * The value of {@link #DESTINATION} of a handler's call.
   *
   * @param event the event of the call
   * @return the topic, or the known parts of {@code exchange:routingKey:queue}
   */
  public static String destination(ReceivedEvent event) {
    return event.place() instanceof Place.Route route
        ? joined(route.exchange(), route.routingKey(), event.channel())
        : event.channel();
  }

  /** Parts that are not empty; a queue of its routing key's name is named once. */
  private static String joined(String... parts) {
    String name =
        Stream.of(parts)
            .filter(part -> !part.isEmpty())
            .distinct()
            .collect(Collectors.joining(":"));
    return name.isEmpty() ? "amq.default" : name;
  }
}
