package io.waybill.bench.child;

import io.waybill.bench.measure.Settings;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.broker.Publisher;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import java.net.URI;
import java.util.List;

/** Waybill's publishers with their default settings. */
final class Publishers {
  private Publishers() {}

  static Publisher create(Settings settings) {
    String address = settings.text("address");
    return switch (BrokerKind.of(settings.text("broker"))) {
      case KAFKA -> new KafkaPublisher(KafkaPublisherConfig.builder(address).build());
      case RABBITMQ -> new RabbitPublisher(rabbit(address));
    };
  }

  static RabbitPublisherConfig rabbit(String address) {
    URI uri = URI.create(address);
    return RabbitPublisherConfig.builder()
        .addresses(List.of(uri.getHost() + ":" + uri.getPort()))
        .build();
  }
}
