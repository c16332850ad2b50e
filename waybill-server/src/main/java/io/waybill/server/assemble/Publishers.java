package io.waybill.server.assemble;

import io.waybill.broker.Publisher;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.server.config.KafkaConfig;
import io.waybill.server.config.OutboxConfig;

/** The broker side of an outbox. */
final class Publishers {
  private Publishers() {}

  static Publisher of(OutboxConfig outbox, String relay) {
    if (outbox.broker() instanceof KafkaConfig kafka) {
      return new KafkaPublisher(KafkaSide.config(kafka, relay));
    }
    throw new IllegalStateException("RabbitMQ is not here yet");
  }
}
