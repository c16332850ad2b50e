package io.waybill.spring.internal.broker;

import io.waybill.broker.Broker;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.Transport;
import io.waybill.spring.RelayBroker;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.PresetKeys;
import io.waybill.spring.properties.KafkaProperties;
import io.waybill.spring.properties.OutboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Which broker events go to and come from. */
public final class Brokers {
  private static final String CHOOSE = "Set waybill.broker=kafka or waybill.broker=rabbitmq.";
  private static final String CHOOSE_BESIDE =
      "Configure where the inbox's events come from: set waybill.kafka.bootstrap-servers or"
          + " waybill.rabbitmq.addresses; waybill.broker stays as it is.";

  private Brokers() {}

  /**
   * Where the events of an outbox go.
   *
   * @param layout of its table
   */
  public static Broker of(
      ConfiguredOutbox outbox, Layout layout, WaybillProperties all, BrokerContext context) {
    Broker broker = of(outbox, all, context);
    return Layouts.isOwn(layout) ? broker : broker.forAdoptedTable();
  }

  private static Broker of(ConfiguredOutbox outbox, WaybillProperties all, BrokerContext context) {
    WaybillProperties.Broker given = outbox.properties().broker();
    if (given == WaybillProperties.Broker.SPRING_CLOUD_STREAM) {
      require("waybill-spring-cloud-stream", "io.waybill.spring.cloudstream.StreamPublisher");
      return new SuppliedBroker(module(context), all.springCloudStream().deliveryTimeout());
    }
    WaybillProperties.Broker chosen =
        given == null ? configured(context, "producer", CHOOSE, usual(outbox)) : given;
    Broker broker = broker(chosen, outbox, context);
    return broker.declaring(PresetKeys.destinations(outbox.properties(), broker.transport()));
  }

  /** The broker of the layout's own route, where no key names any. */
  private static WaybillProperties.@Nullable Broker usual(ConfiguredOutbox outbox) {
    Transport transport = PresetKeys.transport(outbox.properties());
    return transport == null ? null : WaybillProperties.Broker.valueOf(transport.name());
  }

  /** Where the inbox's events come from: never a broker that only takes them. */
  public static ConsumedBroker consumed(
      WaybillProperties properties, BrokerContext context, String consumer) {
    WaybillProperties.Broker given = properties.broker();
    WaybillProperties.Broker chosen =
        given == null
            ? configured(context, "consumer", CHOOSE, null)
            : given == WaybillProperties.Broker.SPRING_CLOUD_STREAM
                ? configured(context, "consumer", CHOOSE_BESIDE, null)
                : given;
    if (chosen == WaybillProperties.Broker.KAFKA) {
      requireKafka();
      KafkaProperties keys = properties.kafka();
      return new ConsumedKafka(
          KafkaSource.of(keys, context, KafkaSource.PREFIX, consumer), keys, context);
    }
    requireRabbit();
    return new ConsumedRabbit(
        RabbitSource.of(properties.rabbitmq(), context, RabbitSource.PREFIX, consumer));
  }

  private static Broker broker(
      WaybillProperties.Broker chosen, ConfiguredOutbox outbox, BrokerContext context) {
    OutboxProperties keys = outbox.properties();
    if (chosen == WaybillProperties.Broker.KAFKA) {
      requireKafka();
      return KafkaSource.of(
          Objects.requireNonNull(keys.kafka()),
          context,
          section(outbox, "kafka", KafkaSource.PREFIX, context),
          outbox.relay());
    }
    requireRabbit();
    return RabbitSource.of(
        Objects.requireNonNull(keys.rabbitmq()),
        context,
        section(outbox, "rabbitmq", RabbitSource.PREFIX, context),
        outbox.relay());
  }

  /** Its own section, where it has one; else that for all. */
  private static String section(
      ConfiguredOutbox outbox, String broker, String all, BrokerContext context) {
    String own = outbox.key(broker);
    return context.has(own) ? own : all;
  }

  private static void requireKafka() {
    require("waybill-kafka", "io.waybill.kafka.KafkaPublisher");
  }

  private static void requireRabbit() {
    require("waybill-rabbitmq", "io.waybill.rabbitmq.RabbitPublisher");
  }

  private static RelayBroker module(BrokerContext context) {
    RelayBroker broker = context.bean(RelayBroker.class);
    if (broker == null) {
      throw new WaybillStartException(
          "Spring Cloud Stream is not set up in this application, but waybill.broker names it.",
          "Write waybill.broker=spring-cloud-stream in just this way, and leave Spring Cloud"
              + " Stream's auto-configuration on.",
          null);
    }
    return broker;
  }

  private static WaybillProperties.Broker configured(
      BrokerContext context,
      String client,
      String choose,
      WaybillProperties.@Nullable Broker usual) {
    boolean kafka = context.has("waybill.kafka");
    boolean rabbit = context.has("waybill.rabbitmq");
    if (!kafka && !rabbit) {
      kafka = context.has(SpringKafka.PREFIX);
      rabbit = context.has(SpringRabbit.PREFIX);
      boolean kafkaAddress = SpringKafka.hasAddress(context, client);
      boolean rabbitAddress = SpringRabbit.hasAddress(context);
      // Spring Cloud Stream's binder for Kafka sets serializers in every application.
      if (kafka && rabbit && kafkaAddress != rabbitAddress) {
        kafka = kafkaAddress;
        rabbit = rabbitAddress;
      }
    }
    if (!kafka && !rabbit) {
      kafka =
          context.details("org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails");
      rabbit =
          context.details("org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails");
    }
    // Of the documents, that of the notification outbox alone has an address: RabbitMQ's, here.
    boolean undecided = kafka ? rabbit : usual == WaybillProperties.Broker.RABBITMQ;
    if (usual != null && undecided) {
      return usual;
    }
    if (kafka == rabbit) {
      throw new WaybillStartException(
          kafka
              ? "Both Kafka and RabbitMQ are configured, but events can go to only one of them."
              : "No broker is configured for the events.",
          kafka
              ? choose
              : "Set spring.kafka.bootstrap-servers, or spring.rabbitmq.addresses; or set"
                  + " waybill.relay.enabled=false where a standalone relay does the work.",
          null);
    }
    return kafka ? WaybillProperties.Broker.KAFKA : WaybillProperties.Broker.RABBITMQ;
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
