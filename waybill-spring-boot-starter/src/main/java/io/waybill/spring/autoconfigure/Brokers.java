package io.waybill.spring.autoconfigure;

import io.waybill.spring.WaybillStartException;
import io.waybill.spring.autoconfigure.WaybillProperties.Broker;
import org.springframework.util.ClassUtils;

/** Which broker events go to and come from. */
final class Brokers {
  private Brokers() {}

  static BrokerSide of(WaybillProperties properties, BrokerContext context, String relay) {
    return switch (chosen(properties, context)) {
      case KAFKA -> {
        require("waybill-kafka", "io.waybill.kafka.KafkaPublisher");
        yield KafkaSource.of(properties.kafka(), context, relay);
      }
      case RABBITMQ -> {
        require("waybill-rabbitmq", "io.waybill.rabbitmq.RabbitPublisher");
        yield RabbitSource.of(properties.rabbitmq(), context, relay);
      }
    };
  }

  private static Broker chosen(WaybillProperties properties, BrokerContext context) {
    Broker given = properties.broker();
    if (given != null) {
      return given;
    }
    boolean kafka = context.has("waybill.kafka");
    boolean rabbit = context.has("waybill.rabbitmq");
    if (!kafka && !rabbit) {
      kafka = context.has("spring.kafka");
      rabbit = context.has("spring.rabbitmq");
    }
    if (!kafka && !rabbit) {
      kafka =
          context.details("org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails");
      rabbit =
          context.details("org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails");
    }
    if (kafka == rabbit) {
      throw new WaybillStartException(
          kafka
              ? "Both Kafka and RabbitMQ are configured, and events can go to one of them."
              : "No broker is configured for the events.",
          kafka
              ? "Set waybill.broker=kafka or waybill.broker=rabbitmq."
              : "Set spring.kafka.bootstrap-servers, or spring.rabbitmq.addresses; or set"
                  + " waybill.relay.enabled=false where a standalone relay does the work.",
          null);
    }
    return kafka ? Broker.KAFKA : Broker.RABBITMQ;
  }

  static void require(String module, String type) {
    if (!ClassUtils.isPresent(type, Brokers.class.getClassLoader())) {
      throw new WaybillStartException(
          "Events go to or come from a broker whose module is not on the class path: "
              + module
              + ".",
          "Add the dependency io.waybill:" + module + ", or set waybill.broker.",
          null);
    }
  }
}
