package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Destination;
import io.waybill.observe.Finding;
import io.waybill.observe.Finding.Severity;
import io.waybill.testkit.RabbitServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RabbitChecksTest {
  private static final RabbitTopology NOTHING = RabbitTopology.builder().build();

  private static RabbitServer server;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch(List.of("rabbitmq_management"), List.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

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
    assertThat(server.ctl("list_queues", "name", "arguments"))
        .contains("t.orders")
        .doesNotContain("x-message-ttl", "x-expires", "x-max-length");
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
    assertThat(findings).anyMatch(finding -> finding.detail().contains("not bound"));
  }

  @Test
  void refusesADeclarationThatContradictsTheBroker() {
    Broker.call(server, channel -> channel.exchangeDeclare("d.events", "fanout", true));
    Broker.call(server, channel -> channel.queueDeclare("d.orders", true, false, false, Map.of()));
    RabbitTopology topology =
        RabbitTopology.builder()
            .exchange("d.events", RabbitTopology.ExchangeType.TOPIC)
            .queue("d.orders")
            .build();
    assertThat(checks(topology).declare())
        .hasSize(2)
        .allMatch(finding -> finding.severity() == Severity.REFUSE)
        .allMatch(finding -> finding.detail().contains("406"));
  }

  static Stream<Arguments> losing() {
    Map<String, Object> reject = Map.of("x-max-length", 5, "x-overflow", "reject-publish");
    Map<String, Object> moved = Map.of("x-max-length", 5, "x-dead-letter-exchange", "amq.fanout");
    Map<String, Object> ttlMoved =
        Map.of("x-message-ttl", 1000, "x-dead-letter-exchange", "amq.fanout");
    return Stream.of(
        queue("plain", true, false, Map.of(), "", null),
        queue("reject", true, false, reject, "", null),
        queue("ttl-moved", true, false, ttlMoved, "", null),
        queue("moved", true, false, moved, "dead-letter", Severity.WARN),
        queue("transient", false, false, Map.of(), "not durable", Severity.REFUSE),
        queue("auto", true, true, Map.of(), "last consumer", Severity.REFUSE),
        queue("drop", true, false, Map.of("x-max-length", 5), "5 messages", Severity.REFUSE),
        queue("bytes", true, false, Map.of("x-max-length-bytes", 9), "9 bytes", Severity.REFUSE),
        queue("ttl", true, false, Map.of("x-message-ttl", 1000), "1000 ms", Severity.REFUSE),
        queue("expires", true, false, Map.of("x-expires", 60000), "60000 ms", Severity.REFUSE));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("losing")
  void judgesTheQueuesBehindAnExchange(
      String name,
      boolean durable,
      boolean autoDelete,
      Map<String, Object> arguments,
      Finds finds) {
    String exchange = "x." + name;
    Broker.call(server, channel -> channel.exchangeDeclare(exchange, "topic", true));
    Broker.call(server, c -> c.queueDeclare("q." + name, durable, false, autoDelete, arguments));
    Broker.call(server, channel -> channel.queueBind("q." + name, exchange, "#"));
    List<Finding> findings = checks(NOTHING).check(List.of(Destination.exchange(exchange, "k")));
    if (finds.severity() == null) {
      assertThat(findings).isEmpty();
      return;
    }
    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(finds.severity());
              assertThat(finding.detail()).contains("q." + name, finds.words());
              assertThat(finding.remedy()).isNotEmpty();
            });
  }

  @Test
  void seesAPolicyThatDropsMessages() {
    Broker.call(server, c -> c.queueDeclare("policy.orders", true, false, false, Map.of()));
    List<Destination> routes = List.of(Destination.exchange("", "policy.orders"));
    assertThat(checks(NOTHING).check(routes)).isEmpty();
    server.ctl("set_policy", "cap", "^policy\\.", "{\"max-length\":7,\"message-ttl\":5000}");
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(
            () ->
                assertThat(checks(NOTHING).check(routes))
                    .hasSize(2)
                    .allMatch(finding -> finding.severity() == Severity.REFUSE));
  }

  @Test
  void saysThatItCannotSeeWithoutTheManagementApi() {
    RabbitChecks checks = new RabbitChecks(Broker.config(server).build(), NOTHING, null);
    assertThat(checks.check(List.of()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARN);
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
        .satisfies(finding -> assertThat(finding.detail()).contains("401"));
    assertThat(wrong.toString()).doesNotContain("secret-word");
  }

  @Test
  void warnsWhenTheBrokerCannotBeReached() {
    RabbitPublisherConfig nowhere =
        RabbitPublisherConfig.builder().addresses(List.of("127.0.0.1:1")).build();
    assertThat(new RabbitChecks(nowhere, NOTHING, null).check(List.of()))
        .anyMatch(finding -> finding.detail().contains("127.0.0.1:1"));
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

  private static RabbitChecks checks(RabbitTopology topology) {
    URI url = URI.create(server.managementUrl());
    RabbitManagement management = new RabbitManagement(url, "guest", "guest");
    return new RabbitChecks(Broker.config(server).build(), topology, management);
  }

  private static Arguments queue(
      String name,
      boolean durable,
      boolean autoDelete,
      Map<String, Object> arguments,
      String words,
      @Nullable Severity severity) {
    return Arguments.of(name, durable, autoDelete, arguments, new Finds(severity, words));
  }

  private record Finds(@Nullable Severity severity, String words) {}
}
