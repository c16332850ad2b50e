package io.waybill.it;

import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Subscriber;
import io.waybill.internal.observe.MessagingConventions;
import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Transport;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.route.Route;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("long")
@Tag("server")
class KafkaTraceTest extends TraceContract {
  private static PostgresServer postgres;
  private static KafkaServer kafka;

  @BeforeAll
  static void launch() {
    postgres = PostgresServer.launch();
    kafka = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    kafka.close();
    postgres.close();
  }

  @Override
  BrokerClient client() {
    return BrokerClient.of(Transport.KAFKA);
  }

  @Override
  PostgresServer postgres() {
    return postgres;
  }

  @Override
  void create(String name) {
    kafka.createTopic(name, 1, Map.of());
  }

  @Override
  Route route(String name) {
    return Route.to(name).build();
  }

  @Override
  Broker broker() {
    return KafkaBroker.at(kafka.bootstrapServers());
  }

  @Override
  Subscriber subscriber(String name) {
    return new KafkaSubscriber(
        KafkaSubscriberConfig.builder(kafka.bootstrapServers(), "billing", List.of(name)).build());
  }

  @Override
  void assertNames(SpanData send, SpanData process, String name) {
    assertSystem(send, process, "kafka");
    assertHas(send, MessagingConventions.DESTINATION, name);
    assertHas(send, MessagingConventions.PARTITION, "0");
    assertHas(process, MessagingConventions.DESTINATION, name);
    assertHas(process, MessagingConventions.PARTITION, "0");
    assertHas(process, MessagingConventions.CONSUMER_GROUP, "billing");
  }
}
