package io.waybill.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The service of docs/spring-boot.md, its events on Kafka. */
@Tag("server")
class WritingEventsTest {
  private static final String TOPIC = "shop-order-events";

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(OrderService.class)
  static class Application {}

  private static ConfigurableApplicationContext run(String servers) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .properties(
            "spring.datasource.url=" + TestServers.database(),
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "spring.jpa.open-in-view=false",
            "spring.sql.init.mode=always",
            "spring.sql.init.schema-locations=classpath:orders.sql",
            "spring.kafka.bootstrap-servers=" + servers,
            "waybill.schema.mode=apply",
            "waybill.routes.default.target=shop-{aggregateType|lower}-events")
        .run();
  }

  @Test
  void eventsOfOutboxAndDomainEventPublisherReachKafka() {
    String servers = TestServers.kafka().bootstrapServers();
    TestServers.kafka().createTopic(TOPIC, 1, Map.of());
    try (ConfigurableApplicationContext context = run(servers);
        KafkaTail tail = new KafkaTail(servers, List.of(TOPIC))) {
      OrderService service = context.getBean(OrderService.class);
      service.ship("7");
      service.cancel(new OrderService.Order("7", "acme"));
      Awaitility.await().atMost(Patience.of(Duration.ofSeconds(30))).until(() -> tail.count() >= 2);

      assertThat(tail.messages().get(0).headers())
          .containsEntry("waybill-event-type", "order.shipped");
      assertThat(tail.messages().get(1).headers())
          .containsEntry("waybill-event-type", "order.cancelled")
          .containsEntry("waybill-event-version", "2")
          .containsEntry("tenant", "acme");
    }
  }
}
