package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Exchanges, queues and bindings that the relay declares at a RabbitMQ that has none of them. */
@Tag("server")
@Tag("long")
class TopologyTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));

  private final String name = "declared-" + UUID.randomUUID();

  private ConfigurableApplicationContext run(String... properties) {
    List<String> all = new java.util.ArrayList<>(List.of(properties));
    all.add("waybill.rabbitmq.addresses=127.0.0.1:" + TestServers.rabbit().port());
    ConfigurableApplicationContext context =
        SmallApplication.run(Tables.create().url(), all.toArray(String[]::new));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> context.getBean(RelayLifecycle.class).unready().isEmpty());
    return context;
  }

  @Test
  void whatTheKeysNameIsThereBeforeTheFirstEventAndGetsIt() throws Exception {
    String topology = "waybill.rabbitmq.topology.";
    try (ConfigurableApplicationContext context =
            run(
                topology + "exchanges[" + name + "].type=direct",
                topology + "queues[" + name + ".a].type=classic",
                topology + "queues[" + name + ".b].type=quorum",
                topology + "bindings[0].exchange=" + name,
                topology + "bindings[0].queue=" + name + ".a",
                topology + "bindings[0].routing-key=order.placed",
                topology + "bindings[1].exchange=" + name,
                topology + "bindings[1].queue=" + name + ".b",
                topology + "bindings[1].routing-key=order.paid",
                "waybill.routes.default.target=" + name,
                "waybill.routes.default.routing-key={eventType}");
        RabbitTail tail =
            new RabbitTail(TestServers.rabbit().uri(), List.of(name + ".a", name + ".b"))) {
      SmallApplication.publish(context, "42");

      Awaitility.await().atMost(PATIENCE).until(() -> tail.count() == 1);
      assertThat(tail.messages()).extracting(RabbitMessage::queue).containsExactly(name + ".a");
      assertThat(TestServers.rabbit().ctl("list_queues", "name", "type"))
          .containsPattern(name + "\\.a\\s+(rabbit_)?classic")
          .containsPattern(name + "\\.b\\s+(rabbit_)?quorum");
    }
  }

  @Test
  void thePresetOfALayoutIsDeclaredWithItsQueues() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(URI.create(TestServers.rabbit().uri()));
    try (ConfigurableApplicationContext context =
            run(
                "waybill.rabbitmq.topology.preset=notification",
                "waybill.routes.default.target=notifications.exchange",
                "waybill.routes.default.routing-key=notification.customer");
        Connection connection = factory.newConnection("test");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclarePassive("notifications.exchange");
      for (String recipient : List.of("restaurant", "customer", "agency", "admin")) {
        channel.queueDeclarePassive("notification." + recipient);
      }
      SmallApplication.publish(context, "42");

      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> channel.messageCount("notification.customer") == 1);
    }
  }
}
