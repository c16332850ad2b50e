package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.Delivery;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.RabbitServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Queues of dead letters, and what looking at them costs. */
@Tag("server")
class RabbitDeadLetterReaderTest {
  private static RabbitServer server;

  @BeforeAll
  static void launch() {
    server = RabbitServer.launch(List.of("rabbitmq_management"), List.of());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static RabbitDeadLetterReader open(String queue, boolean managed) {
    return RabbitDeadLetterReader.open(
        Broker.config(server).build(), queue, managed ? management(server.managementUrl()) : null);
  }

  private static RabbitManagement management(String url) {
    return new RabbitManagement(URI.create(url), "guest", "guest");
  }

  private static String version() throws Exception {
    try (Connection connection = new Connector(Broker.config(server).build()).openPlain()) {
      return DeliveryLimit.version(connection);
    }
  }

  private static List<Delivery> read(RabbitDeadLetterReader reader) {
    List<Delivery> all = new ArrayList<>();
    for (List<Delivery> page = reader.next(); !page.isEmpty(); page = reader.next()) {
      all.addAll(page);
    }
    return all;
  }

  /** From RabbitMQ 4.3 on a letter that is given back has not failed, and looks cost nothing. */
  @Test
  void aQueueWhoseDeliveryLimitCountsLooksIsToldBeforeTheFirstLook() throws Exception {
    boolean counts = DeliveryLimit.countsReturns(version());
    RabbitContractSource.create(
        server, "limited.dlt", Map.of("x-queue-type", "quorum", "x-delivery-limit", 5));
    RabbitContractSource.publish(server, "limited.dlt", "k", List.of("a"));
    for (int time = 1; time <= 10; time++) {
      try (RabbitDeadLetterReader reader = open("limited.dlt", true)) {
        if (counts) {
          assertThat(reader.hazard().orElseThrow()).contains("limited.dlt", "delivery limit of 5");
        } else {
          assertThat(reader.hazard()).isEmpty();
          assertThat(read(reader)).hasSize(1);
        }
      }
    }
    try (RabbitDeadLetterReader reader = open("limited.dlt", false)) {
      assertThat(read(reader)).singleElement().returns(counts ? 1 : 11, Delivery::deliveries);
    }
  }

  @Test
  void lettersOfAQueueThatWasDeclaredForThemMayBeLookedAtForEver() {
    RabbitTopology topology = RabbitDeadLetters.ofDefaults().topology(List.of("looked"));
    assertThat(new RabbitChecks(Broker.config(server).build(), topology, null).declare()).isEmpty();
    RabbitContractSource.publish(server, "looked.dlt", "k", List.of("a", "b"));
    for (int time = 1; time <= DeliveryLimit.DEFAULT + 5; time++) {
      try (RabbitDeadLetterReader reader = open("looked.dlt", true)) {
        assertThat(read(reader)).as("look %s", time).hasSize(2);
        assertThat(reader.hazard()).isEmpty();
      }
    }
  }

  @Test
  void aManagementApiThatDoesNotAnswerIsNamed() {
    RabbitContractSource.create(server, "unseen.dlt", Map.of("x-queue-type", "quorum"));
    assertThatThrownBy(
            () ->
                RabbitDeadLetterReader.open(
                    Broker.config(server).build(),
                    "unseen.dlt",
                    management("http://127.0.0.1:" + server.port())))
        .isInstanceOf(DeadLetterAccessException.class)
        .hasMessageContaining("unseen.dlt")
        .hasMessageContaining("management API");
  }

  @Test
  void withoutTheManagementApiManyDeliveriesAreAHazardWhereTheBrokerHasALimitByItself()
      throws Exception {
    assertThat(told(null, "4.1.0", 10)).isFalse();
    assertThat(told(null, "4.1.0", 11)).isTrue();
    assertThat(told(null, "3.13.7", 1_000)).isFalse();
    assertThat(told("{\"type\":\"quorum\",\"arguments\":{}}", "4.1.0", 0)).isTrue();
    assertThat(told("{\"type\":\"quorum\",\"arguments\":{}}", "3.13.7", 1_000)).isFalse();
    assertThat(told("{\"type\":\"quorum\",\"arguments\":{}}", "4.2.9", 0)).isTrue();
    assertThat(told("{\"type\":\"quorum\",\"arguments\":{}}", "4.3.0", 99)).isFalse();
    assertThat(told(null, "4.3.0", 99)).isFalse();
    assertThat(told("{\"type\":\"quorum\",\"arguments\":{\"x-delivery-limit\":-1}}", "4.1.0", 99))
        .isFalse();
  }

  /** As RabbitMQ 4 decides when argument and policy say different things. */
  @Test
  void ofArgumentAndPolicyTheOneThatLimitsIsInForce() throws Exception {
    String both =
        "{\"type\":\"quorum\",\"arguments\":{\"x-delivery-limit\":%d},"
            + "\"effective_policy_definition\":{\"delivery-limit\":%d}}";
    assertThat(told(both.formatted(-1, 7), "4.1.0", 0)).isTrue();
    assertThat(told(both.formatted(7, -1), "4.1.0", 0)).isTrue();
    assertThat(told(both.formatted(-1, -1), "4.1.0", 0)).isFalse();
  }

  @Test
  void noLimitIsNoRuleThatDropsButOnOlderBrokers() throws Exception {
    JsonValue queue =
        JsonValue.parse(
            "{\"type\":\"quorum\",\"durable\":true,\"arguments\":{\"x-delivery-limit\":-1}}"
                .getBytes(UTF_8));
    assertThat(QueueRules.judge("q.dlt", queue, "4.1.0")).isEmpty();
    assertThat(QueueRules.judge("q.dlt", queue, "3.10.8"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.RABBITMQ_REDELIVERED_DROPPED);
              assertThat(finding.detail()).contains("more than 0 times");
              assertThat(finding.remedy()).contains("again without x-delivery-limit");
            });
  }

  private static boolean told(@Nullable String seen, String version, int deliveries)
      throws Exception {
    JsonValue queue = seen == null ? null : JsonValue.parse(seen.getBytes(UTF_8));
    DeliveryCountGuard hazard = new DeliveryCountGuard("q.dlt", queue, version);
    hazard.saw(deliveries);
    return hazard.tell().isPresent();
  }

  @Test
  void quorumQueuesAreDeclaredWithoutLimitWhereTheBrokerHasOne() {
    RabbitTopology topology =
        RabbitTopology.builder()
            .singleActiveQueue("s")
            .queue("q")
            .queue("c", RabbitTopology.QueueType.CLASSIC)
            .build();
    assertThat(topology.queues())
        .extracting(queue -> TopologyDeclaration.arguments(queue, "4.0.1").get("x-delivery-limit"))
        .containsExactly(-1, -1, null);
    assertThat(topology.queues())
        .extracting(queue -> TopologyDeclaration.arguments(queue, "3.10.8").get("x-delivery-limit"))
        .containsOnlyNulls();
  }

  /** Those would get a queue that drops letters at the first look. */
  @Test
  void brokersWithoutALimitOfTheirOwnAreNotToldThatThereIsNone() throws Exception {
    if (DeliveryLimit.isDefault(version())) {
      return;
    }
    RabbitContractSource.create(
        server, "none.dlt", Map.of("x-queue-type", "quorum", "x-delivery-limit", -1));
    RabbitContractSource.publish(server, "none.dlt", "k", List.of("a"));
    try (RabbitDeadLetterReader reader = open("none.dlt", true)) {
      assertThat(reader.hazard().orElseThrow()).contains("delivery limit of 0");
      assertThat(read(reader)).hasSize(1);
    }
    assertThat(Broker.drain(server, "none.dlt")).isEmpty();
  }

  @Test
  void aQueueThatIsThereWithoutThatArgumentIsKeptAndNamed() throws Exception {
    RabbitContractSource.create(server, "there.dlt", Map.of("x-queue-type", "quorum"));
    RabbitContractSource.publish(server, "there.dlt", "k", List.of("a"));
    RabbitTopology topology = RabbitTopology.builder().queue("there.dlt").build();
    try (Connection connection = new Connector(Broker.config(server).build()).openPlain()) {
      assertThat(new TopologyDeclaration(connection, "4.1.0").declare(topology))
          .extracting(Finding::check)
          .containsExactly(Check.RABBITMQ_DELIVERIES_LIMITED);
    }
    assertThat(Broker.drain(server, "there.dlt")).hasSize(1);
  }
}
