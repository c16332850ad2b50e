package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.Finding.Severity;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class RabbitChecksTest extends CheckedBroker {
  @Test
  void declaresWhatThenPassesAllChecks() {
    RabbitTopology topology =
        RabbitTopology.builder()
            .exchange("t.events", RabbitTopology.ExchangeType.TOPIC)
            .exchange("t.all", RabbitTopology.ExchangeType.FANOUT)
            .queue("t.orders")
            .queue("t.copies", RabbitTopology.QueueType.CLASSIC)
            .bind("t.events", "t.orders", "order.#")
            .bind("t.all", "t.copies", "")
            .build();
    RabbitChecks checks = checks(topology);
    List<Destination> routes = List.of(Destination.exchange("t.events", "order.paid"));
    assertThat(checks.check(routes)).extracting(Finding::subject).contains("queue t.orders");
    assertThat(checks.declare()).isEmpty();
    assertThat(checks.declare()).isEmpty();
    assertThat(checks.check(routes)).isEmpty();
    assertThat(server.ctl("list_queues", "name", "type", "durable"))
        .contains("t.orders\tquorum\ttrue")
        .contains("t.copies\tclassic\ttrue");
    assertThat(server.ctl("list_queues", "name", "auto_delete"))
        .contains("t.orders\tfalse", "t.copies\tfalse");
    // Other tests have queues on the same broker.
    assertThat(server.ctl("list_queues", "name", "arguments").lines())
        .filteredOn(line -> line.startsWith("t."))
        .hasSize(2)
        .noneMatch(line -> line.matches(".*x-(message-ttl|expires|max-length).*"));
  }

  @Test
  void namesWhatIsMissing() {
    RabbitTopology topology =
        RabbitTopology.builder()
            .exchange("m.events", RabbitTopology.ExchangeType.TOPIC)
            .queue("m.orders")
            .bind("m.events", "m.orders", "#")
            .build();
    List<Destination> routes =
        List.of(Destination.exchange("m.route", "x"), Destination.exchange("", "m.direct"));
    List<Finding> findings = checks(topology).check(routes);
    assertThat(findings)
        .extracting(Finding::subject)
        .containsExactlyInAnyOrder(
            "exchange m.events",
            "exchange m.route",
            "queue m.orders",
            "queue m.direct",
            "queue m.orders");
    assertThat(findings).allMatch(finding -> finding.severity() == Severity.WARN);
    assertThat(findings)
        .extracting(Finding::check)
        .containsExactlyInAnyOrder(
            Check.RABBITMQ_EXCHANGE_MISSING,
            Check.RABBITMQ_EXCHANGE_MISSING,
            Check.RABBITMQ_QUEUE_MISSING,
            Check.RABBITMQ_QUEUE_MISSING,
            Check.RABBITMQ_BINDING_MISSING);
  }

  /** As consumers declare them that do not know of quorum queues. */
  @Test
  void usesAQueueThatIsThereWithAnotherTypeAsItIs() {
    RabbitContractSource.create(server, "k.classic", Map.of());
    RabbitContractSource.create(server, "k.quorum", Broker.QUORUM);
    RabbitTopology topology =
        RabbitTopology.builder()
            .queue("k.classic")
            .queue("k.quorum", RabbitTopology.QueueType.CLASSIC)
            .build();
    RabbitChecks unmanaged = new RabbitChecks(Broker.config(server).build(), topology, null);
    assertThat(types(unmanaged.declare())).containsExactlyInAnyOrder("k.classic", "k.quorum");
    assertThat(checks(topology).declare()).isEmpty();
    List<Finding> checked = checks(topology).check(List.of());
    assertThat(types(checked)).containsExactlyInAnyOrder("k.classic", "k.quorum");
    assertThat(checked).allMatch(finding -> finding.severity() == Severity.WARN);
    assertThat(checked)
        .anyMatch(finding -> finding.detail().contains("with type classic, but the topology says"));
  }

  private static List<String> types(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.check() == Check.RABBITMQ_QUEUE_TYPE_DIFFERS)
        .map(finding -> finding.subject().replace("queue ", ""))
        .toList();
  }

  @Test
  void saysWhatTheLimitThatNewerBrokersSetByThemselvesWillDo() throws Exception {
    assertThat(judged("{\"type\":\"quorum\"}", "3.13.7")).isEmpty();
    assertThat(judged("{\"type\":\"classic\"}", "4.3.0")).isEmpty();
    assertThat(judged("{\"type\":\"quorum\"}", "4.3.0"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_REDELIVERED_DROPPED);
              assertThat(finding.detail())
                  .contains("more than 20 times", "the broker's default limit");
              assertThat(finding.remedy()).contains("delivery-limit to -1");
            });
    String moving = "\"effective_policy_definition\":{\"dead-letter-exchange\":\"dlx\"%s}";
    String quorum = "{\"type\":\"quorum\"," + moving + "}";
    assertThat(judged(quorum.formatted(""), "4.3.0"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_REDELIVERED_MOVED);
              assertThat(finding.detail()).contains("more than 20 times", "'dlx'");
            });
    assertThat(judged(quorum.formatted(",\"delivery-limit\":20"), "4.3.0")).isEmpty();
    assertThat(judged(quorum.formatted(""), "3.13.7")).isEmpty();
  }

  private static List<Finding> judged(String queue, String version) throws Exception {
    String durable = queue.replaceFirst("\\{", "{\"durable\":true,");
    return QueueRules.judge("q", JsonValue.parse(durable.getBytes(UTF_8)), version);
  }

  @Test
  void refusesToSendThePasswordOfTheManagementApiInPlaintext() {
    RabbitPublisherConfig config = Broker.config(server).build();
    RabbitManagement away = new RabbitManagement(URI.create("http://broker:15672"), "u", "p");
    assertThatThrownBy(() -> new RabbitChecks(config, NOTHING, away))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https")
        .hasMessageContaining("broker")
        .hasMessageContaining("allowPlaintextPasswords");
    assertThatThrownBy(() -> RabbitDeadLetterReader.open(config, "dead", away))
        .isInstanceOf(IllegalArgumentException.class);
    RabbitPublisherConfig allowing = Broker.config(server).allowPlaintextPasswords(true).build();
    assertThat(new RabbitChecks(allowing, NOTHING, away)).isNotNull();
    RabbitManagement secret = new RabbitManagement(URI.create("https://broker:15671"), "u", "p");
    assertThat(new RabbitChecks(config, NOTHING, secret)).isNotNull();
  }

  @Test
  void namesAnExchangeThatMayNotBeWritten() {
    Broker.call(server, c -> c.exchangeDeclare("w.events", "topic", true));
    Broker.call(server, channel -> channel.queueBind("dead", "w.events", "#"));
    server.ctl("add_user", "reader", "secret");
    server.ctl("set_permissions", "reader", "", "^other$", ".*");
    assertThat(asReader()).containsExactly(Check.RABBITMQ_WRITE_DENIED);
    server.ctl("set_permissions", "reader", "", "^(w.events)$", "");
    assertThat(asReader()).isEmpty();
    assertThat(Broker.drain(server, "dead")).isEmpty();
  }

  @Test
  void takesARefusalThatArrivesBeforeTheNextCommandForAnAnswer() {
    ScratchChannel.Answer answer =
        Broker.call(
            server,
            channel -> new ScratchChannel(channel.getConnection()).ask(RabbitChecksTest::twice));
    assertThat(answer.code()).isEqualTo(AMQP.NOT_FOUND);
  }

  private static void twice(Channel channel) throws IOException {
    channel.basicPublish("nowhere", "k", null, new byte[0]);
    Awaitility.await().until(() -> !channel.isOpen());
    channel.basicPublish("nowhere", "k", null, new byte[0]);
  }

  private static List<Check> asReader() {
    RabbitPublisherConfig config =
        Broker.config(server)
            .credentials(new RabbitCredentials.Password("reader", "secret"))
            .build();
    List<Destination> routes = List.of(Destination.exchange("w.events", "k"));
    return new RabbitChecks(config, NOTHING, management())
        .check(routes).stream().map(Finding::check).toList();
  }

  @Test
  void namesAlarmsLimitsAndSizes() {
    RabbitPublisherConfig two = Broker.config(server).connections(2).build();
    RabbitChecks checks = new RabbitChecks(two, NOTHING, management());
    assertThat(checks.check(List.of())).isEmpty();
    server.ctl("set_vhost_limits", "{\"max-connections\": 1}");
    server.ctl("set_vm_memory_high_watermark", "0.0000001");
    try {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(15)))
          .untilAsserted(
              () ->
                  assertThat(checks.check(List.of()))
                      .extracting(Finding::check)
                      .containsExactly(Check.RABBITMQ_ALARM, Check.RABBITMQ_CONNECTIONS_LOW));
    } finally {
      server.ctl("set_vm_memory_high_watermark", "0.6");
      server.ctl("set_vhost_limits", "{\"max-connections\": -1}");
    }
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(15)))
        .untilAsserted(() -> assertThat(checks.check(List.of())).isEmpty());

    RabbitPublisherConfig small = Broker.config(server).maxMessageBytes(900_000).build();
    assertThat(new RabbitChecks(small, NOTHING, management()).check(List.of()))
        .singleElement()
        .returns(Check.RABBITMQ_MESSAGES_TOO_SMALL, Finding::check);
  }

  @Test
  void saysThatItCannotSeeWithoutTheManagementApi() {
    RabbitChecks checks = new RabbitChecks(Broker.config(server).build(), NOTHING, null);
    assertThat(checks.check(List.of()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_POLICIES_UNSEEN);
              assertThat(finding.detail()).contains("management-url");
            });
  }

  @Test
  void saysThatTheManagementApiRefuses() {
    URI url = URI.create(server.managementUrl());
    RabbitManagement wrong = new RabbitManagement(url, "guest", "secret-word");
    RabbitChecks checks = new RabbitChecks(Broker.config(server).build(), NOTHING, wrong);
    List<Destination> routes = List.of(Destination.exchange("amq.topic", "k"));
    assertThat(checks.check(routes))
        .singleElement()
        .returns(Check.RABBITMQ_MANAGEMENT_SILENT, Finding::check)
        .satisfies(finding -> assertThat(finding.detail()).contains("401"));
    assertThat(wrong.toString()).doesNotContain("secret-word");
  }

  @Test
  void warnsWhenTheBrokerCannotBeReached() {
    RabbitPublisherConfig nowhere =
        RabbitPublisherConfig.builder().addresses(List.of("127.0.0.1:1")).build();
    assertThat(new RabbitChecks(nowhere, NOTHING, null).check(List.of()))
        .anyMatch(finding -> finding.detail().contains("127.0.0.1:1"))
        .extracting(Finding::check)
        .contains(Check.RABBITMQ_SILENT);
  }

  @Test
  void givesUpABrokerThatTakesConnectionsAndSaysNothing() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      RabbitPublisherConfig config =
          RabbitPublisherConfig.builder()
              .addresses(List.of(address))
              .connectTimeout(Duration.ofSeconds(1))
              .build();
      RabbitManagement management = new RabbitManagement(URI.create("http://" + address), "u", "p");
      List<Destination> routes = List.of(Destination.exchange("amq.topic", "k"));
      long start = System.nanoTime();
      assertThat(new RabbitChecks(config, NOTHING, management).check(routes)).isNotEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void refusesBadNamesAndAddresses() {
    RabbitTopology.Builder builder = RabbitTopology.builder();
    assertThatThrownBy(() -> builder.queue("")).hasMessageContaining("queue name");
    assertThatThrownBy(() -> builder.queue("q".repeat(256))).hasMessageContaining("255");
    assertThatThrownBy(() -> new RabbitManagement(URI.create("ftp://host"), "u", "p"))
        .hasMessageContaining("management-url");
    URI withSecret = URI.create("http://u:secret-word@host");
    assertThatThrownBy(() -> new RabbitManagement(withSecret, "u", "p"))
        .hasMessageNotContaining("secret-word");
  }
}
