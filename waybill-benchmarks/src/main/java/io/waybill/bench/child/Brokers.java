package io.waybill.bench.child;

import io.waybill.bench.measure.Settings;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.broker.Broker;
import io.waybill.kafka.KafkaBroker;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import java.net.URI;
import java.util.List;

/** Waybill's brokers with their default settings. */
final class Brokers {
  private Brokers() {}

  static Broker of(Settings settings) {
    String address = settings.text("address");
    return switch (BrokerKind.of(settings.text("broker"))) {
      case KAFKA -> KafkaBroker.at(address);
      case RABBITMQ -> RabbitBroker.of(rabbit(address));
    };
  }

  static RabbitPublisherConfig rabbit(String address) {
    URI uri = URI.create(address);
    return RabbitPublisherConfig.builder()
        .addresses(List.of(uri.getHost() + ":" + uri.getPort()))
        .build();
  }
}
