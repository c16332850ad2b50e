package io.waybill.server.assemble;

import io.waybill.broker.Publisher;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.server.config.KafkaConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.RabbitConfig;

/** The broker side of an outbox. */
final class Publishers {
  private Publishers() {}

  static Publisher of(OutboxConfig outbox, String relay) {
    if (outbox.broker() instanceof KafkaConfig kafka) {
      return new KafkaPublisher(KafkaSide.config(kafka, relay));
    }
    return new RabbitPublisher(RabbitSide.config((RabbitConfig) outbox.broker(), relay));
  }
}
