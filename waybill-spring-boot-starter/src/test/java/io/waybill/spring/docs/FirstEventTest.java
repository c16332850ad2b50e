package io.waybill.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.spring.TestServers;
import io.waybill.testkit.KafkaTail;
import io.waybill.testkit.RabbitTail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The application of docs/spring-boot.md, from an empty database to the broker. */
@Tag("server")
class FirstEventTest {
  private static ConfigurableApplicationContext run(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.datasource.url=" + TestServers.database());
    all.add("spring.flyway.enabled=false");
    all.add("spring.liquibase.enabled=false");
    all.add("spring.jpa.open-in-view=false");
    all.add("spring.sql.init.mode=always");
    all.add("spring.sql.init.schema-locations=classpath:orders.sql");
    all.add("waybill.schema.mode=apply");
    return new SpringApplicationBuilder(Shop.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .properties(all.toArray(String[]::new))
        .run();
  }

  @Test
  void reachesKafka() {
    String servers = TestServers.kafka().bootstrapServers();
    try (ConfigurableApplicationContext context =
            run(
                "spring.kafka.bootstrap-servers=" + servers,
                "waybill.kafka.create-topics.partitions=1",
                "waybill.kafka.create-topics.replication-factor=1",
                "waybill.routes.default.target={aggregateType|lower}-events");
        KafkaTail tail = tail(servers)) {
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> tail.count() >= 1);
      assertThat(tail.messages())
          .singleElement()
          .satisfies(
              message -> {
                assertThat(message.topic()).isEqualTo("order-events");
                assertThat(message.key()).isEqualTo("42");
                assertThat(message.value()).isEqualTo("{\"id\":\"42\",\"cents\":1999}");
                assertThat(message.headers()).containsEntry("waybill-event-type", "order.placed");
              });
      OrderService service = context.getBean(OrderService.class);
      service.ship("7");
      service.cancel(new OrderService.Order("7", "acme"));
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> tail.count() >= 3);
      assertThat(tail.messages().get(2).headers())
          .containsEntry("waybill-event-type", "order.cancelled")
          .containsEntry("waybill-event-version", "2")
          .containsEntry("tenant", "acme");
    }
  }

  private static KafkaTail tail(String servers) {
    TestServers.kafka().createTopic("order-events", 1, Map.of());
    return new KafkaTail(servers, List.of("order-events"));
  }

  @Test
  void reachesRabbitMq() throws Exception {
    String uri = TestServers.rabbit().uri();
    declare(uri);
    try (ConfigurableApplicationContext context =
            run(
                "spring.rabbitmq.addresses=" + uri,
                "waybill.routes.default.target=orders",
                "waybill.routes.default.routing-key={eventType}");
        RabbitTail tail = new RabbitTail(uri, List.of("placed"))) {
      assertThat(context.isRunning()).isTrue();
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> tail.count() >= 1);
      assertThat(tail.messages())
          .singleElement()
          .satisfies(
              message -> assertThat(message.body()).isEqualTo("{\"id\":\"42\",\"cents\":1999}"));
    }
  }

  private static void declare(String uri) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare("orders", "topic", true);
      channel.queueDeclare("placed", true, false, false, null);
      channel.queueBind("placed", "orders", "order.placed");
    }
  }
}
