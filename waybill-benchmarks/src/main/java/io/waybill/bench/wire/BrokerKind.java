package io.waybill.bench.wire;

import io.waybill.message.Transport;
import java.io.IOException;
import java.util.Locale;

/** The brokers that events are carried to. */
public enum BrokerKind {
  /** Kafka; a destination is a topic. */
  KAFKA,
  /** RabbitMQ; a destination is a queue bound to the exchange {@code bench} by its name. */
  RABBITMQ;

  /** Direct exchange of RabbitMQ that leads to every queue by its name. */
  public static final String EXCHANGE = "bench";

  /** Topic exchange of RabbitMQ that leads where {@code ./bench bounds} wants. */
  public static final String TOPIC_EXCHANGE = "bench-topics";

  /**
   * By its name on the command line.
   *
   * @param name in any case
   * @return the broker
   */
  public static BrokerKind of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /**
   * Waybill's name for it.
   *
   * @return what its routes and messages are for
   */
  public Transport transport() {
    return this == KAFKA ? Transport.KAFKA : Transport.RABBITMQ;
  }

  /**
   * A sender without Waybill.
   *
   * @param address where the broker listens
   * @param destination topic or queue
   * @return connected sender
   * @throws IOException when it cannot connect
   */
  public Wire wire(String address, String destination) throws IOException {
    return switch (this) {
      case KAFKA -> new KafkaWire(address, destination);
      case RABBITMQ -> new RabbitWire(address, destination);
    };
  }

  /**
   * A receiver of everything that reaches a destination.
   *
   * @param address where the broker listens
   * @param destination topic or queue
   * @return connected receiver
   * @throws IOException when it cannot connect
   */
  public Inflow inflow(String address, String destination) throws IOException {
    return switch (this) {
      case KAFKA -> new KafkaInflow(address, destination);
      case RABBITMQ -> new RabbitInflow(address, destination);
    };
  }

  /**
   * Consumers without Waybill.
   *
   * @param address where the broker listens
   * @param destination topic or queue
   * @param threads how many of them
   * @param effects what they do
   * @return running consumers
   * @throws IOException when they cannot connect
   */
  public Consumers consumers(
      String address, String destination, int threads, Consumers.Effects effects)
      throws IOException {
    return switch (this) {
      case KAFKA -> new KafkaConsumers(address, destination, threads, effects);
      case RABBITMQ -> new RabbitConsumers(address, destination, threads, effects);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
