package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import io.waybill.message.Event;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.RabbitServer;
import io.waybill.spring.WaybillStartException;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.CacheMode;
import org.springframework.context.ConfigurableApplicationContext;

/** The relay of an application that sends through RabbitMQ's binder. */
@Tag("server")
@Tag("long")
class CloudStreamRabbitTest {
  private static final List<String> CONFIRMING =
      List.of(
          "spring.rabbitmq.publisher-confirm-type=correlated",
          "spring.rabbitmq.publisher-returns=true",
          "spring.cloud.stream.rabbit.default.producer.use-confirm-header=true");
  private static RabbitServer rabbit;
  private static ConfigurableApplicationContext context;

  @BeforeAll
  static void start() {
    rabbit = RabbitServer.launch();
    RabbitContractBroker.declare(rabbit, "orders", "order.placed");
    context =
        BinderApplication.run(
            "rabbit",
            Stream.concat(
                    CONFIRMING.stream(),
                    Stream.of(
                        BinderApplication.database("rabbit"),
                        "spring.rabbitmq.addresses=" + rabbit.uri(),
                        "waybill.schema.mode=apply",
                        "waybill.routes.default.target=order-out",
                        "waybill.routes.default.routing-key={eventType}",
                        "spring.cloud.stream.bindings.order-out.destination=orders",
                        "spring.cloud.stream.rabbit.bindings.order-out.producer.declare-exchange=false",
                        "spring.cloud.stream.rabbit.bindings.order-out.producer"
                            + ".routing-key-expression=headers['waybill-routing-key']"))
                .toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    context.close();
    rabbit.close();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Patience.of(Duration.ofSeconds(30))).until(condition);
  }

  private static List<String> rows(String id) {
    return BinderApplication.rows(context, id);
  }

  private static Event order(String type, String id) {
    return Event.builder(type, "order", id).id(id).header("tenant", "acme").json("42").build();
  }

  @Test
  void eventsReachTheBindingsExchangeAsTheyAreAndArePublished() throws IOException {
    BinderApplication.append(context, order("order.placed", "42"));
    try (RabbitTail tail = new RabbitTail(rabbit.uri(), List.of("orders"))) {
      await(() -> tail.count() >= 1);
      RabbitMessage placed = tail.messages().get(0);
      assertThat(placed.body()).isEqualTo("42");
      assertThat(placed.id()).isEqualTo("42");
      assertThat(placed.headers())
          .containsEntry("tenant", "acme")
          .containsEntry("waybill-event-type", "order.placed");
    }
    await(() -> rows("42").isEmpty());
  }

  @Test
  void anEventThatReachesNoQueueIsNotPublished() throws IOException {
    BinderApplication.append(context, order("order.unheard", "unheard"));
    BinderApplication.append(context, order("order.placed", "behind-unheard"));

    try (RabbitTail tail = new RabbitTail(rabbit.uri(), List.of("orders"))) {
      await(() -> tail.count() >= 1);
    }
    await(() -> rows("behind-unheard").isEmpty());
    assertThat(rows("unheard")).isNotEmpty();
    assertThat(rows("unheard").toString()).doesNotContain("PARKED");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aBindingThatDoesNotConfirmEndsTheStart(int missing) {
    String left = CONFIRMING.get(missing);
    String[] properties =
        Stream.concat(
                CONFIRMING.stream().filter(each -> !each.equals(left)),
                Stream.of(
                    BinderApplication.database("missing" + missing),
                    "spring.rabbitmq.addresses=" + rabbit.uri(),
                    "waybill.schema.mode=apply",
                    "waybill.routes.default.target=orders"))
            .toArray(String[]::new);

    assertThatThrownBy(() -> BinderApplication.run("rabbit", properties))
        .rootCause()
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContaining("would not confirm events")
        .hasMessageContaining(left);
  }

  @Test
  void aRoutingKeyThatABindingDoesNotUseOrHeadersThatItDropsEndTheStart() {
    String[] properties =
        Stream.concat(
                CONFIRMING.stream(),
                Stream.of(
                    BinderApplication.database("routed"),
                    "spring.rabbitmq.addresses=" + rabbit.uri(),
                    "waybill.schema.mode=apply",
                    "waybill.routes.default.target=plain",
                    "waybill.routes.default.routing-key={eventType}",
                    "waybill.routes.types[order.few].target=few",
                    "spring.cloud.stream.rabbit.bindings.few.producer.header-patterns=tenant"))
            .toArray(String[]::new);

    assertThatThrownBy(() -> BinderApplication.run("rabbit", properties))
        .rootCause()
        .isInstanceOf(WaybillStartException.class)
        .hasMessageContaining("binding 'plain' does not use the route's routing key")
        .hasMessageContaining("binding 'few' leaves headers out");
  }

  @Test
  void theProbeKeepsNoConnectionsForItself() throws Exception {
    CachingConnectionFactory connections = connections();
    connections.setCacheMode(CacheMode.CONNECTION);
    try {
      RabbitProbe probe = new RabbitProbe(connections, new RabbitAlarms());
      probe.ask();
      probe.ask();
      probe.ask();

      assertThat(connections.getCacheProperties()).containsEntry("openConnections", "1");
    } finally {
      connections.destroy();
    }
  }

  @Test
  void theProbeFailsWhileAnAlarmBlocksTheConnection() throws Exception {
    CachingConnectionFactory connections = connections();
    RabbitAlarms alarms = new RabbitAlarms();
    connections.addConnectionListener(alarms);
    RabbitProbe probe = new RabbitProbe(connections, alarms);
    try (Channel channel = connections.createConnection().createChannel(false)) {
      probe.ask();
      rabbit.ctl("set_vm_memory_high_watermark", "0.0000001");
      channel.basicPublish("", "nowhere", null, new byte[1]);
      await(() -> alarms.reason() != null);
      assertThatThrownBy(probe::ask).hasMessageContaining("takes no messages: low on memory");
    } finally {
      rabbit.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
    await(() -> alarms.reason() == null);
    probe.ask();
    connections.destroy();
  }

  private static CachingConnectionFactory connections() {
    return new CachingConnectionFactory(URI.create(rabbit.uri()));
  }
}
