package io.waybill.spring.internal.broker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.message.Destination;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitCredentials.Password;
import io.waybill.rabbitmq.RabbitManagement;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.RabbitTopologyProperties;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;

/** Which properties reach RabbitMQ's client. */
class RabbitSourceTest extends BrokerKeys {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amqp://ann:pa%zzss@one/shop",
        "http://ann:pa%7Ass@one",
        "amqp://ann:pass@one:port/shop",
        "amqp://ann:pass@"
      })
  void anAddressThatIsNoneIsRefusedWithoutItsPassword(String address) {
    set("spring.rabbitmq.addresses", "two:5672," + address);

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::rabbit)
        .withMessageContaining("spring.rabbitmq.addresses[1] must be host:port or amqp(s)://")
        .withMessageNotContaining("ann:")
        .withNoCause();
  }

  @Test
  void passwordsAndHostsNeedNotBeThoseOfUris() {
    set("spring.rabbitmq.addresses", "amqp://ann:p^a#s{s@rabbit_mq:5673/shop");

    assertThat(rabbit().addresses()).containsExactly("rabbit_mq:5673");
    assertThat(rabbit().credentials()).isEqualTo(new Password("ann", "p^a#s{s"));
    assertThat(rabbit().virtualHost()).isEqualTo("shop");
  }

  @Test
  void aValueOfAnotherTypeIsRefusedByItsKey() {
    set("spring.rabbitmq.port", "abc");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(this::rabbit)
        .withMessageContaining("spring.rabbitmq.port must be of type Integer");
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

  private RabbitTopology topology() {
    Problems problems = new Problems();
    RabbitTopologyProperties keys = requireNonNull(bound().rabbitmq().topology());
    RabbitTopology topology = RabbitSource.topology(keys, problems);
    problems.throwIfAny();
    return topology;
  }

  @Test
  void aTopologyIsDeclaredAsItsKeysSay() {
    set("waybill.rabbitmq.topology.preset", "notification");
    set("waybill.rabbitmq.topology.exchanges.e.type", "direct");
    set("waybill.rabbitmq.topology.queues.q.type", "classic");
    set("waybill.rabbitmq.topology.bindings[0].exchange", "e");
    set("waybill.rabbitmq.topology.bindings[0].queue", "q");
    set("waybill.rabbitmq.topology.bindings[0].routing-key", "k");

    RabbitTopology declared = topology();
    assertThat(declared.exchanges())
        .contains(new RabbitTopology.Exchange("e", RabbitTopology.ExchangeType.DIRECT))
        .hasSize(2);
    assertThat(declared.queues())
        .contains(new RabbitTopology.Queue("q", RabbitTopology.QueueType.CLASSIC))
        .hasSize(5);
    assertThat(declared.bindings())
        .contains(new RabbitTopology.Binding("e", "q", "k", Map.of()))
        .hasSize(5);
  }

  @Test
  void aQueueOfALayoutMayHaveAnotherType() {
    set("waybill.rabbitmq.topology.preset", "notification");
    set("waybill.rabbitmq.topology.queues[notification.admin].type", "quorum");

    assertThat(topology().queues())
        .extracting(RabbitTopology.Queue::name, RabbitTopology.Queue::type)
        .containsExactlyInAnyOrder(
            tuple("notification.restaurant", RabbitTopology.QueueType.CLASSIC),
            tuple("notification.customer", RabbitTopology.QueueType.CLASSIC),
            tuple("notification.agency", RabbitTopology.QueueType.CLASSIC),
            tuple("notification.admin", RabbitTopology.QueueType.QUORUM));

    set("waybill.rabbitmq.topology.preset", "none");
    assertThat(topology().queues()).hasSize(1);
    assertThat(topology().exchanges()).isEmpty();
  }

  /** Names of types are said twice, so that keys are bound without the module of RabbitMQ. */
  @Test
  void everyTypeOfExchangesAndQueuesHasAKey() {
    assertThat(RabbitTopologyProperties.ExchangeType.values())
        .extracting(Enum::name)
        .containsExactlyElementsOf(names(RabbitTopology.ExchangeType.values()));
    assertThat(RabbitTopologyProperties.QueueType.values())
        .extracting(Enum::name)
        .containsExactlyElementsOf(names(RabbitTopology.QueueType.values()));
  }

  private static List<String> names(Enum<?>... types) {
    return Stream.of(types).map(Enum::name).toList();
  }

  @Test
  void whatIsMissingInATopologyIsRefused() {
    set("waybill.rabbitmq.topology.bindings[0].queue", "q");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(this::topology)
        .withMessageContaining("rabbitmq.topology.bindings[0].exchange must be given");
  }
}
