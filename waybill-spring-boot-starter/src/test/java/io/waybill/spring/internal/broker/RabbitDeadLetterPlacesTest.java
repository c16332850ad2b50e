package io.waybill.spring.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.message.ReceivedEvent;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitChecks;
import io.waybill.rabbitmq.RabbitManagement;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitTopology;
import io.waybill.rabbitmq.RabbitTopology.QueueType;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.spring.autoconfigure.SmallApplication;
import io.waybill.spring.properties.InboxProperties.DeadLetters;
import io.waybill.testkit.Patience;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Places of dead letters on a real RabbitMQ: looked for, or made where that is wanted. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class RabbitDeadLetterPlacesTest {
  private static final String ORDERS = "orders-" + UUID.randomUUID();
  private static final String JUDGED = "judged-" + UUID.randomUUID();
  private static final String DEAD = "dead-" + UUID.randomUUID();

  @Test
  void queuesAndTheExchangeBeforeThemAreCheckedOrMade() {
    assertThat(found(false, ""))
        .extracting(Finding::check, Finding::subject)
        .contains(tuple(Check.RABBITMQ_QUEUE_MISSING, "queue " + ORDERS + ".dlt"))
        .doesNotContain(tuple(Check.RABBITMQ_EXCHANGE_MISSING, "exchange " + DEAD));
    assertThat(found(true, "")).isEmpty();
    assertThat(found(false, DEAD))
        .extracting(Finding::check, Finding::subject)
        .contains(tuple(Check.RABBITMQ_EXCHANGE_MISSING, "exchange " + DEAD))
        .doesNotContain(tuple(Check.RABBITMQ_QUEUE_MISSING, "queue " + ORDERS + ".dlt"));
    assertThat(found(true, DEAD)).isEmpty();
    assertThat(found(false, DEAD))
        .extracting(Finding::check)
        .as("nothing but that policies are not seen")
        .containsExactly(Check.RABBITMQ_POLICIES_UNSEEN);
  }

  @Configuration(proxyBeanMethods = false)
  static class Handler {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  @Test
  void theQueuesOfAnInboxAreJudgedAtItsStart(CapturedOutput output) {
    RabbitServer server = TestServers.rabbit();
    RabbitTopology plain = RabbitTopology.builder().queue(JUDGED, QueueType.QUORUM).build();
    assertThat(new RabbitChecks(config(), plain, null).declare()).isEmpty();
    assertThat(found(null, JUDGED, true, "")).isEmpty();
    RabbitManagement management =
        new RabbitManagement(URI.create(server.managementUrl()), "guest", "guest");
    assertThat(found(management, JUDGED, false, "")).as("several may read dead letters").isEmpty();

    try (ConfigurableApplicationContext context =
        SmallApplication.run(
            Handler.class,
            TestServers.database(),
            "spring.rabbitmq.host=" + server.host(),
            "spring.rabbitmq.port=" + server.port(),
            "waybill.rabbitmq.management-url=" + server.managementUrl(),
            "waybill.schema.mode=apply",
            "waybill.relay.enabled=false",
            "waybill.routes.default.target=orders",
            "waybill.inbox.consumer=judged",
            "waybill.inbox.sources=" + JUDGED)) {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(40)))
          .until(() -> output.getAll().contains("inbox judged started"));
      assertThat(context.isActive()).isTrue();
    }
    assertThat(output.getAll())
        .contains("queue '" + JUDGED + "' spreads its messages over all of its consumers")
        .contains("the inbox starts nevertheless");
  }

  private static RabbitPublisherConfig config() {
    RabbitServer server = TestServers.rabbit();
    return RabbitPublisherConfig.builder()
        .addresses(List.of(server.host() + ":" + server.port()))
        .build();
  }

  private static List<Finding> found(boolean create, String exchange) {
    return found(null, ORDERS, create, exchange);
  }

  private static List<Finding> found(
      @Nullable RabbitManagement management, String queue, boolean create, String exchange) {
    return new ConsumedRabbit(RabbitBroker.of(config()).management(management))
        .deadLetters(List.of(queue), new DeadLetters(create, -1, exchange, "dead.{queue}"));
  }
}
