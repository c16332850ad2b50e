package io.waybill.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Event;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.spring.InMemoryOutbox;
import io.waybill.spring.modulith.shop.Shop;
import io.waybill.spring.modulith.shop.orders.Orders;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/** A small Modulith application whose externalised events go through Waybill. */
@Tag("server")
class ModulithTest {
  private static final PostgresServer POSTGRES = PostgresServer.launch();
  private static final String OUTBOX = "spring.modulith.events.externalization.mode=outbox";

  private static ConfigurableApplicationContext run(String... properties) {
    return run(Shop.class, properties);
  }

  private static ConfigurableApplicationContext run(Class<?> more, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.datasource.hikari.minimum-idle=0");
    all.add("spring.main.log-startup-info=false");
    return new SpringApplicationBuilder(Shop.class, more)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .registerShutdownHook(false)
        .properties(all.toArray(String[]::new))
        .run();
  }

  private static String database(String name) {
    return "spring.datasource.url=" + POSTGRES.createDatabase(name);
  }

  private static String payload(Event event) {
    return new String(Objects.requireNonNull(event.payload().bytes()), StandardCharsets.UTF_8);
  }

  @Test
  void externalisedEventsAreAppendedInTheirTransaction() {
    try (ConfigurableApplicationContext context =
        run(database("memory"), OUTBOX, "waybill.outbox.mode=memory")) {
      Orders orders = context.getBean(Orders.class);
      orders.complete("42", false);
      assertThatThrownBy(() -> orders.complete("43", true)).hasMessage("business");
      orders.post("hello");
      orders.takeBack("42");

      List<Event> events = context.getBean(InMemoryOutbox.class).events();
      assertThat(events.stream().map(Event::type))
          .containsExactly("OrderCompleted", "NewsPosted", "order.returned");
      assertThat(events.get(0).key()).isEqualTo(new EventKey("orders", "42"));
      assertThat(payload(events.get(0))).isEqualTo("{\"id\":\"42\",\"cents\":1999}");
      assertThat(events.get(1).key()).isNull();
      assertThat(events.get(1).headers().get("modulith-target")).isEqualTo("news");
    }
  }

  record Completed(String id) {}

  record Headline(String text) {}

  @Configuration(proxyBeanMethods = false)
  static class Mapping {
    @Bean
    EventExternalizationConfiguration externalization() {
      return EventExternalizationConfiguration.defaults(Shop.class.getPackageName())
          .mapping(Orders.OrderCompleted.class, order -> new Completed(order.id()))
          .mapping(Orders.NewsPosted.class, Mapping::message)
          .headers(Completed.class, completed -> Map.of("region", "eu"))
          .build();
    }

    private static Message<Headline> message(Orders.NewsPosted news) {
      return MessageBuilder.withPayload(new Headline(news.text()))
          .setHeader("channel", "web")
          .build();
    }
  }

  @Test
  void whatIsMappedHasItsHeadersAndAMessageIsUnwrapped() {
    try (ConfigurableApplicationContext context =
        run(Mapping.class, database("mapped"), OUTBOX, "waybill.outbox.mode=memory")) {
      context.getBean(Orders.class).complete("42", false);
      context.getBean(Orders.class).post("hello");

      List<Event> events = context.getBean(InMemoryOutbox.class).events();
      assertThat(events.stream().map(Event::type)).containsExactly("Completed", "Headline");
      assertThat(payload(events.get(0))).isEqualTo("{\"id\":\"42\"}");
      assertThat(events.get(0).headers().get("region")).isEqualTo("eu");
      assertThat(payload(events.get(1))).isEqualTo("{\"text\":\"hello\"}");
      assertThat(events.get(1).headers().list())
          .extracting(Header::name)
          .containsExactly("channel", "modulith-target");
    }
  }

  @Test
  void withoutThePropertyNothingIsAppended() {
    try (ConfigurableApplicationContext context =
        run(database("off"), "waybill.outbox.mode=memory")) {
      context.getBean(Orders.class).complete("42", false);

      assertThat(context.getBean(InMemoryOutbox.class).events()).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void theyReachTheTargetThatModulithNames() {
    try (KafkaServer kafka = KafkaServer.launch()) {
      kafka.createTopic("orders", 1, Map.of());
      try (ConfigurableApplicationContext context =
              run(
                  database("kafka"),
                  OUTBOX,
                  "waybill.schema.mode=apply",
                  "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
          KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of("orders"))) {
        context.getBean(Orders.class).complete("42", false);

        Awaitility.await()
            .atMost(Patience.of(Duration.ofSeconds(30)))
            .until(() -> tail.count() >= 1);
        KafkaMessage message = tail.messages().get(0);
        assertThat(message.key()).isEqualTo("42");
        assertThat(message.value()).isEqualTo("{\"id\":\"42\",\"cents\":1999}");
      }
    }
  }
}
