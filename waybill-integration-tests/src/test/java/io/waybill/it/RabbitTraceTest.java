package io.waybill.it;

import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Subscriber;
import io.waybill.internal.observe.MessagingConventions;
import io.waybill.message.Transport;
import io.waybill.proof.server.PostgresServer;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import io.waybill.route.Route;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class RabbitTraceTest extends TraceContract {
  private static PostgresServer postgres;
  private static RabbitUnderTest rabbit;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    rabbit = new RabbitUnderTest();
  }

  @AfterAll
  static void close() {
    rabbit.close();
    postgres.close();
  }

  private static RabbitPublisherConfig config() {
    return RabbitPublisherConfig.builder()
        .addresses(List.of(rabbit.uri().getHost() + ":" + rabbit.uri().getPort()))
        .build();
  }

  @Override
  BrokerClient client() {
    return BrokerClient.of(Transport.RABBITMQ);
  }

  @Override
  PostgresServer postgres() {
    return postgres;
  }

  @Override
  void create(String name) {
    rabbit.create(name);
  }

  @Override
  Route route(String name) {
    return Route.to("events").routingKey(name).build();
  }

  @Override
  Broker broker() {
    return RabbitBroker.of(config());
  }

  @Override
  Subscriber subscriber(String name) {
    return new RabbitSubscriber(RabbitSubscriberConfig.builder(config(), List.of(name)).build());
  }

  @Override
  void assertNames(SpanData send, SpanData process, String name) {
    assertSystem(send, process, "rabbitmq");
    assertHas(send, MessagingConventions.DESTINATION, "events:" + name);
    assertHas(send, MessagingConventions.ROUTING_KEY, name);
    assertHas(process, MessagingConventions.DESTINATION, "events:" + name);
    assertHas(process, MessagingConventions.ROUTING_KEY, name);
  }
}
