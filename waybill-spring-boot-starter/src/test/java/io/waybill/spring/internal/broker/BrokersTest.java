package io.waybill.spring.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.broker.BrokerClient;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.spring.WaybillStartException;
import org.junit.jupiter.api.Test;

/** Which broker events go to and come from. */
class BrokersTest extends BrokerKeys {
  @Test
  void anInboxBesideBindersAsksForItsOwnBrokerWithoutTakingTheBindersAway() {
    set("waybill.broker", "spring-cloud-stream");
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("spring.rabbitmq.host", "two");

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::consumed)
        .satisfies(
            thrown ->
                assertThat(thrown.action())
                    .contains("waybill.kafka.bootstrap-servers")
                    .doesNotContain("waybill.broker=kafka"));

    set("waybill.kafka.bootstrap-servers", "one:9092");
    assertThat(consumed()).isInstanceOf(ConsumedKafka.class);
  }

  @Test
  void ofTwoBrokersThatSpringIsToldOfTheOneWithAnAddressIsMeant() {
    set("spring.kafka.producer.key-serializer", "Bytes");
    set("spring.rabbitmq.publisher-returns", "true");
    assertBothAreConfigured();

    set("spring.rabbitmq.port", "5673");
    assertThat(broker()).isInstanceOf(RabbitBroker.class);

    set("spring.kafka.bootstrap-servers", "one:9092,two:9092");
    assertBothAreConfigured();

    properties.remove("spring.rabbitmq.port");
    assertThat(broker()).isInstanceOf(KafkaBroker.class);
    assertThat(consumed()).isInstanceOf(ConsumedKafka.class);

    set("spring.rabbitmq.addresses", "");
    assertThat(broker()).as("an empty address is none").isInstanceOf(KafkaBroker.class);
  }

  @Test
  void spansNameTheServerWhereItIsTheOnlyOne() {
    set("waybill.kafka.bootstrap-servers", "one:9092");
    assertThat(broker().client().serverAddress()).isEqualTo("one");
    set("waybill.kafka.bootstrap-servers", "one:9092,two:9092");
    assertThat(broker().client().serverAddress()).isNull();

    properties.clear();
    set("spring.rabbitmq.port", "5673");
    assertThat(broker().client())
        .isEqualTo(BrokerClient.of(Transport.RABBITMQ).server("localhost", 5673));
  }

  @Test
  void addressesMayBeLists() {
    set("spring.kafka.bootstrap-servers[0]", "one:9092");
    set("spring.kafka.bootstrap-servers[1]", "two:9092");
    set("spring.rabbitmq.publisher-returns", "true");
    assertThat(broker()).isInstanceOf(KafkaBroker.class);

    set("spring.rabbitmq.addresses[0]", "three:5672");
    assertBothAreConfigured();
  }

  @Test
  void theAddressIsThatOfTheClientConcerned() {
    set("spring.kafka.consumer.bootstrap-servers", "one:9092");
    set("spring.rabbitmq.host", "two");
    assertThat(broker()).isInstanceOf(RabbitBroker.class);

    set("spring.kafka.producer.bootstrap-servers", "one:9092");
    assertBothAreConfigured();
  }

  private void assertBothAreConfigured() {
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::broker)
        .withMessageContaining("Both Kafka and RabbitMQ are configured");
  }

  @Test
  void numbersThatTheProtocolsDoNotHaveAreRefused() {
    set("waybill.kafka.bootstrap-servers", "one:9092");
    set("waybill.kafka.create-topics.replication-factor", "65539");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::kafka)
        .withMessageContaining("replication: must be -1 or 1 to 32767: 65539");

    set("waybill.broker", "rabbitmq");
    set("waybill.rabbitmq.max-message-bytes", "4GB");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::rabbit)
        .withMessageContaining("waybill.rabbitmq.max-message-bytes must be 1 to 2147483647");
  }

  @Test
  void theBrokerIsTheOneThatIsConfigured() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("waybill.rabbitmq.addresses", "localhost:5672");
    assertThat(broker()).isInstanceOf(RabbitBroker.class);

    set("waybill.broker", "kafka");
    assertThat(broker()).isInstanceOf(KafkaBroker.class);
  }

  @Test
  void whereNothingSaysWhichTheLayoutsRouteDoes() {
    set("waybill.outbox.layout", "notification");
    assertThat(rabbit().addresses()).containsExactly("localhost:5672");

    set("spring.kafka.producer.key-serializer", "Bytes");
    set("spring.rabbitmq.publisher-returns", "true");
    assertThat(broker()).isInstanceOf(RabbitBroker.class);

    set("waybill.routes.default.target", "elsewhere");
    assertBothAreConfigured();
    set("waybill.broker", "kafka");
    assertThat(broker()).isInstanceOf(KafkaBroker.class);
  }

  @Test
  void aLayoutForKafkaHasNoAddressOfItsOwn() {
    set("waybill.outbox.layout", "polyshop");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::broker)
        .withMessageContaining("No broker is configured");
  }

  @Test
  void aModuleThatIsNotOnTheClassPathIsNamed() {
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> Brokers.require("waybill-kafka", "io.waybill.kafka.NoSuchClass"))
        .withMessageContaining("not on the class path: waybill-kafka");
  }
}
