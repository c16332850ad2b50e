package io.waybill.bench.stage;

import io.waybill.bench.wire.BrokerKind;

/** The broker of a run. */
public interface BrokerStage extends AutoCloseable {
  static BrokerStage launch(BrokerKind kind) {
    return switch (kind) {
      case KAFKA -> new KafkaStage();
      case RABBITMQ -> new RabbitStage();
    };
  }

  /** Where clients connect to. */
  String address();

  /** Root of the broker's processes. */
  long pid();

  /** Creates an empty topic or queue. */
  void create(String destination);

  /** Creates an empty topic or queue that refuses messages of more than 256 KB. */
  void createLimited(String destination);

  /**
   * Creates a queue that is full and refuses what is published to it.
   *
   * @throws UnsupportedOperationException for a broker whose destinations cannot be full
   */
  void createFull(String destination);

  /**
   * Makes an empty topic one of many partitions, or binds a queue to half of all routing keys,
   * those that begin with "bound.".
   */
  void createWide(String destination, int partitions);

  /** Removes a topic or queue with all that it holds. */
  void drop(String destination);

  /** Ends the broker without warning. */
  void kill();

  /** Starts it again on the same data and address; returns when it answers. */
  void restart();

  @Override
  void close();
}
