package io.waybill.server.assemble;

import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Publisher;
import io.waybill.kafka.KafkaDeadLetterReader;
import io.waybill.message.Destination;
import io.waybill.rabbitmq.RabbitDeadLetterReader;
import io.waybill.server.config.KafkaConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RabbitConfig;

/** The dead letters of consumers on the broker of an outbox. */
public final class DeadLetters {
  private static final String PURPOSE = "dlt";

  private DeadLetters() {}

  /**
   * Opens them.
   *
   * @param outbox whose broker
   * @param name topic or queue of the dead letters
   * @return reader, to be closed
   * @throws io.waybill.broker.DeadLetterAccessException if the broker does not answer or has none
   */
  public static DeadLetterReader reader(OutboxConfig outbox, String name) {
    if (outbox.broker() instanceof KafkaConfig kafka) {
      return KafkaDeadLetterReader.open(KafkaSide.config(kafka, PURPOSE), name);
    }
    RabbitConfig rabbit = (RabbitConfig) outbox.broker();
    return RabbitDeadLetterReader.open(
        RabbitSide.config(rabbit, PURPOSE), name, RabbitSide.management(rabbit));
  }

  /**
   * Sends originals again.
   *
   * @param outbox whose broker
   * @return publisher, to be started and closed
   */
  public static Publisher publisher(OutboxConfig outbox) {
    return Publishers.of(outbox, PURPOSE);
  }

  /**
   * Whether the publisher reports that the broker takes messages before it has been away: Kafka's
   * client connects by itself when something is sent.
   *
   * @param outbox whose broker
   * @return true if it is to be awaited
   */
  public static boolean saysWhenItIsUp(OutboxConfig outbox) {
    return !(outbox.broker() instanceof KafkaConfig);
  }

  /**
   * Where originals go: straight to the topic or queue, past all other consumers.
   *
   * @param outbox whose broker
   * @param source topic or queue
   * @return destination
   */
  public static Destination home(OutboxConfig outbox, String source) {
    return outbox.broker() instanceof KafkaConfig
        ? Destination.topic(source)
        : Destination.exchange("", source);
  }
}
