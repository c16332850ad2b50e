package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitCredentials.Password;
import io.waybill.rabbitmq.RabbitManagement;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.spring.WaybillStartException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/** Which properties reach the clients. */
class BrokerSourcesTest {
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
  private final Map<String, Object> properties = new LinkedHashMap<>();

  private BrokerSourcesTest set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  private StandardEnvironment environment() {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return environment;
  }

  private WaybillProperties bound() {
    return Binder.get(environment()).bindOrCreate("waybill", WaybillProperties.class);
  }

  private BrokerContext context() {
    return new BrokerContext(
        environment(), beans, new DefaultResourceLoader(), new LinkedHashSet<>());
  }

  private Broker broker() {
    return Brokers.of(ConfiguredOutbox.of(bound(), "shop-1").get(0), bound(), context());
  }

  private ConsumedBroker consumed() {
    return Brokers.consumed(bound(), context(), "stock");
  }

  private KafkaSubscriberConfig subscriber() {
    WaybillProperties bound = bound();
    return KafkaSource.subscriber(bound.kafka(), context(), bound.inbox(), "stock");
  }

  private KafkaPublisherConfig kafka() {
    return ((KafkaBroker) broker()).config();
  }

  private RabbitPublisherConfig rabbit() {
    return ((RabbitBroker) broker()).config();
  }

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
  void kafkaIsTakenFromSpring() {
    set("spring.kafka.bootstrap-servers", "one:9092,two:9092");
    set("spring.kafka.properties.metadata.max.age.ms", "1000");
    set("spring.kafka.properties.session.timeout.ms", "1000");
    set("spring.kafka.properties.security.protocol", "SASL_SSL");
    set("spring.kafka.producer.compression-type", "zstd");
    set("spring.kafka.producer.properties.linger.ms", "7");
    set("spring.kafka.ssl.trust-store-type", "PKCS12");

    KafkaPublisherConfig config = kafka();

    assertThat(config.bootstrapServers()).isEqualTo("one:9092,two:9092");
    assertThat(config.properties())
        .containsEntry("metadata.max.age.ms", "1000")
        .containsEntry("compression.type", "zstd")
        .containsEntry("linger.ms", "7")
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("ssl.truststore.type", "PKCS12")
        .containsEntry("client.id", "waybill-shop-1")
        .doesNotContainKey("session.timeout.ms");
    assertThat(config.createTopics()).isNull();
  }

  @Test
  void whatWaybillsOwnKeysSayAboutKafkaComesFirst() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("spring.kafka.producer.bootstrap-servers", "two:9092");
    assertThat(kafka().bootstrapServers()).isEqualTo("two:9092");

    set("waybill.kafka.bootstrap-servers", "three:9092");
    set("waybill.kafka.properties.linger.ms", "3");
    set("spring.kafka.properties.linger.ms", "7");
    set("waybill.kafka.delivery-timeout", "20s");
    set("waybill.kafka.request-timeout", "3s");
    set("waybill.kafka.create-topics.partitions", "5");
    KafkaPublisherConfig config = kafka();

    assertThat(config.bootstrapServers()).isEqualTo("three:9092");
    assertThat(config.properties()).containsEntry("linger.ms", "3");
    assertThat(config.deliveryTimeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.createTopics()).isNotNull();
  }

  @Test
  void aPropertyThatCouldLoseEventsIsRefused() {
    set("waybill.kafka.bootstrap-servers", "one:9092");
    set("waybill.kafka.properties.acks", "1");

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::kafka)
        .withMessageContaining("acks: must be all");
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
  void theManagementApiOfRabbitMqIsAskedWhereItsAddressIsGiven() {
    set("spring.rabbitmq.addresses", "one:5672");
    set("spring.rabbitmq.username", "ann");
    assertThat(((RabbitBroker) broker()).management()).isNull();

    set("waybill.rabbitmq.management-url", "https://one:15671");
    assertThat(((RabbitBroker) broker()).management())
        .isEqualTo(new RabbitManagement(URI.create("https://one:15671"), "ann", "guest"));

    set("waybill.rabbitmq.management-username", "monitor");
    set("waybill.rabbitmq.management-password", "other");
    assertThat(((RabbitBroker) broker()).management())
        .isEqualTo(new RabbitManagement(URI.create("https://one:15671"), "monitor", "other"));

    set("waybill.rabbitmq.management-url", "http://ann:secret@one:15672");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::broker)
        .withMessageContaining("waybill.rabbitmq.management-url must be http(s)://host:port")
        .withMessageNotContaining("secret");
  }

  @Test
  void connectionDetailsOfKafkaReplaceTheProperties() {
    set("waybill.broker", "kafka");
    set("spring.kafka.bootstrap-servers", "one:9092");
    beans.registerSingleton("details", (KafkaConnectionDetails) () -> List.of("container:1234"));

    assertThat(kafka().bootstrapServers()).isEqualTo("container:1234");
  }

  @Test
  void rabbitMqIsTakenFromSpring() {
    set("spring.rabbitmq.host", "rabbit");
    set("spring.rabbitmq.port", "1234");
    set("spring.rabbitmq.username", "ann");
    set("spring.rabbitmq.password", "secret");
    set("spring.rabbitmq.virtual-host", "shop");
    set("spring.rabbitmq.requested-heartbeat", "20");
    set("spring.rabbitmq.connection-timeout", "3s");

    RabbitPublisherConfig config = rabbit();

    assertThat(config.addresses()).containsExactly("rabbit:1234");
    assertThat(config.credentials()).isEqualTo(new Password("ann", "secret"));
    assertThat(config.virtualHost()).isEqualTo("shop");
    assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.tls()).isNull();
  }

  @Test
  void addressesOfRabbitMqMayBeUris() {
    set("spring.rabbitmq.addresses", "amqps://ann:s%20t@one/shop,amqps://two:7000");

    RabbitPublisherConfig config = rabbit();

    assertThat(config.addresses()).containsExactly("one:5671", "two:7000");
    assertThat(config.credentials()).isEqualTo(new Password("ann", "s t"));
    assertThat(config.virtualHost()).isEqualTo("shop");
    assertThat(config.tls()).isNotNull();
  }

  @Test
  void whatWaybillsOwnKeysSayAboutRabbitMqComesFirst() {
    set("spring.rabbitmq.addresses", "one,two:7000");
    assertThat(rabbit().addresses()).containsExactly("one:5672", "two:7000");

    set("waybill.rabbitmq.addresses", "three:5672");
    set("waybill.rabbitmq.allow-plaintext-passwords", "true");
    set("waybill.rabbitmq.username", "relay");
    set("waybill.rabbitmq.password", "own");
    set("waybill.rabbitmq.virtual-host", "events");
    set("waybill.rabbitmq.connections", "2");
    set("waybill.rabbitmq.window", "10");
    set("waybill.rabbitmq.confirm-timeout", "4s");
    set("waybill.rabbitmq.connect-timeout", "2s");
    set("waybill.rabbitmq.heartbeat", "6s");
    set("waybill.rabbitmq.max-message-bytes", "1MB");
    RabbitPublisherConfig config = rabbit();

    assertThat(config.addresses()).containsExactly("three:5672");
    assertThat(config.credentials()).isEqualTo(new Password("relay", "own"));
    assertThat(config.virtualHost()).isEqualTo("events");
    assertThat(config.connections()).isEqualTo(2);
    assertThat(config.window()).isEqualTo(10);
    assertThat(config.confirmTimeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(6));
    assertThat(config.maxMessageBytes()).isEqualTo(1 << 20);
  }

  @Test
  void connectionDetailsOfRabbitMqReplaceTheProperties() {
    set("waybill.broker", "rabbitmq");
    beans.registerSingleton(
        "details",
        (RabbitConnectionDetails)
            () -> List.of(new RabbitConnectionDetails.Address("container", 1234)));

    assertThat(rabbit().addresses()).containsExactly("container:1234");
  }

  @Test
  void kafkasConsumerIsTakenFromSpringToo() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("spring.kafka.consumer.bootstrap-servers", "two:9092");
    set("spring.kafka.consumer.auto-offset-reset", "latest");
    set("spring.kafka.consumer.properties.session.timeout.ms", "9000");
    set("spring.kafka.properties.metadata.max.age.ms", "1000");
    set("spring.kafka.producer.properties.linger.ms", "7");
    set("waybill.kafka.properties.fetch.min.bytes", "10");
    set("waybill.kafka.properties.linger.ms", "3");
    set("waybill.inbox.sources", "orders,payments");
    set("waybill.inbox.kafka.window", "50");
    set("waybill.inbox.kafka.revocation-wait", "15s");

    KafkaSubscriberConfig config = subscriber();

    assertThat(config.bootstrapServers()).isEqualTo("two:9092");
    assertThat(config.groupId()).isEqualTo("stock");
    assertThat(config.topics()).containsExactly("orders", "payments");
    assertThat(config.start()).isEqualTo(KafkaSubscriberConfig.Start.LATEST);
    assertThat(config.window()).isEqualTo(50);
    assertThat(config.revocationLimit()).isEqualTo(Duration.ofSeconds(25));
    assertThat(config.properties())
        .containsEntry("session.timeout.ms", "9000")
        .containsEntry("metadata.max.age.ms", "1000")
        .containsEntry("fetch.min.bytes", "10")
        .containsEntry("client.id", "waybill-stock")
        .doesNotContainKey("linger.ms");
    assertThat(kafka().properties())
        .containsEntry("linger.ms", "3")
        .doesNotContainKey("fetch.min.bytes");

    set("spring.kafka.consumer.auto-offset-reset", "None");
    assertThat(subscriber().start()).isEqualTo(KafkaSubscriberConfig.Start.REFUSE);
    set("spring.kafka.consumer.auto-offset-reset", "by_duration:PT1H");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::subscriber)
        .withMessageContaining("must be earliest, latest or none, is by_duration:PT1H");
    set("waybill.inbox.kafka.start", "refuse");
    assertThat(subscriber().start()).isEqualTo(KafkaSubscriberConfig.Start.REFUSE);
    set("waybill.inbox.sources", "no topic");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::subscriber)
        .withMessageContaining("no topic")
        .withMessageContaining("waybill.inbox");
  }

  @Test
  void queuesOfRabbitMqAreChecked() {
    set("spring.rabbitmq.addresses", "one:5672");
    set("waybill.inbox.sources", "orders");
    assertThat(consumed().subscribers(bound().inbox(), "stock")).isNotNull();

    set("waybill.inbox.rabbitmq.prefetch", "0");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> consumed().subscribers(bound().inbox(), "stock"))
        .withMessageContaining("prefetch must be 1 to 65535, is 0");
  }

  @Test
  void deadLettersOfRabbitMqGoThroughAnExchangeIfOneIsNamed() {
    set("waybill.broker", "rabbitmq").set("spring.rabbitmq.addresses", "one:5672");
    assertThat(letters()).isEqualTo(Destination.exchange("", "orders.dlt"));

    set("waybill.inbox.dead-letters.exchange", "shop.dead");
    assertThat(letters()).isEqualTo(Destination.exchange("shop.dead", "orders"));

    set("waybill.inbox.dead-letters.routing-key", "dead.{queue}");
    assertThat(letters()).isEqualTo(Destination.exchange("shop.dead", "dead.orders"));

    set("waybill.inbox.dead-letters.routing-key", "dead");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::letters)
        .withMessageContaining("contain {queue}, is 'dead' (from waybill.inbox.dead-letters)");

    set("waybill.inbox.dead-letters.routing-key", "dead.letters.{queue}");
    set("waybill.inbox.sources", "orders," + "q".repeat(250));
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::letters)
        .withMessageContaining("routing key of dead letters of queue 'qq")
        .withMessageContaining("must have at most 255 bytes, is 'dead.letters.qq");

    set("waybill.broker", "kafka").set("spring.kafka.bootstrap-servers", "one:9092");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::letters)
        .withMessageContaining("waybill.inbox.dead-letters.exchange is for RabbitMQ");
  }

  private Destination letters() {
    return consumed().placesOfDeadLetters(bound().inbox()).apply("orders");
  }

  @Test
  void theBrokerIsTheOneThatIsConfigured() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("waybill.rabbitmq.addresses", "localhost:5672");
    assertThat(broker()).isInstanceOf(RabbitBroker.class);

    set("waybill.broker", "kafka");
    assertThat(broker()).isInstanceOf(KafkaBroker.class);
  }
}
