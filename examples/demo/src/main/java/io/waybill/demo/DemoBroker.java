package io.waybill.demo;

/** The broker of a run, a real one in processes of its own. Not thread-safe. */
interface DemoBroker extends AutoCloseable {
  /** Topic, or exchange and queue. */
  String TARGET = "orders";

  /** Starts the broker of a kind and waits until it answers. */
  static DemoBroker launch(BrokerKind kind) {
    return switch (kind) {
      case KAFKA -> new DemoKafka();
      case RABBITMQ -> new DemoRabbit();
    };
  }

  /** The broker's address for the consumer. */
  String address();

  /** Where it is, in an outbox of a relay's configuration. */
  String yaml();

  /** A route in a relay's configuration. */
  String route(String target);

  /** The fault of its own kind. */
  Fault destination(Cast cast, Screen screen);

  /** Prepares what the consumer needs to be there. */
  void prepare();

  /** Kills it without warning. */
  void kill();

  /** Starts it again on its data and waits until it answers. */
  void start();

  @Override
  void close();
}
