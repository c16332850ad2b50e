package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.message.Event;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint of an application with several outboxes: its parameter {@code outbox}. */
@Tag("server")
class OutboxParameterTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static Tables orders;
  private static Tables stock;
  private static ConfigurableApplicationContext context;

  private final HttpClient http = HttpClient.newHttpClient();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
  static class Application {
    @Bean
    HikariDataSource orders() {
      return orders.pool(2);
    }

    @Bean
    HikariDataSource stock() {
      return stock.pool(2);
    }

    @Bean
    JdbcTransactionManager ordersTransactions(@Qualifier("orders") HikariDataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    JdbcTransactionManager stockTransactions(@Qualifier("stock") HikariDataSource source) {
      return new JdbcTransactionManager(source);
    }
  }

  @BeforeAll
  static void start() {
    orders = Tables.create();
    stock = Tables.create();
    context =
        new SpringApplicationBuilder(Application.class)
            .bannerMode(Banner.Mode.OFF)
            .properties(
                "server.port=0",
                "spring.data.jpa.repositories.enabled=false",
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.web.error.include-message=always",
                "waybill.relay.enabled=false",
                "waybill.outboxes.orders.data-source=orders",
                "waybill.outboxes.orders.primary=true",
                "waybill.outboxes.stock.data-source=stock",
                "management.endpoints.web.exposure.include=waybill")
            .run();
    append("orders", "o1");
    Stream.of("s1", "s2").forEach(id -> append("stock", id));
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private static void append(String name, String id) {
    Event event = Event.builder(name + ".changed", name, id).id(id).json("{}").build();
    SpringOutbox outbox = context.getBean(name + "Outbox", SpringOutbox.class);
    new TransactionTemplate(context.getBean(name + "Transactions", JdbcTransactionManager.class))
        .executeWithoutResult(status -> outbox.append(event));
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String path)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getProperty("local.server.port");
    URI uri = URI.create("http://localhost:" + port + "/actuator/waybill" + path);
    return http.send(request.uri(uri).build(), BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return JSON.readTree(send(HttpRequest.newBuilder().GET(), path).body());
  }

  @Test
  void withoutItCountsOfAllAreShownByName() throws Exception {
    JsonNode all = get("");
    assertThat(all.propertyNames()).containsExactly("orders", "stock");
    assertThat(all.get("stock").toString()).contains("counts");
  }

  @Test
  void listsAndSingleEventsAreThoseOfTheOutbox() throws Exception {
    assertThat(get("/events?outbox=orders").get("events").findValuesAsString("eventId"))
        .containsExactly("o1");
    assertThat(get("/events?outbox=stock").get("events").findValuesAsString("eventId"))
        .containsExactlyInAnyOrder("s1", "s2");
    assertThat(get("/events/s1?outbox=stock").toString()).contains("stock.changed");
    assertThat(send(HttpRequest.newBuilder().GET(), "/events/s1?outbox=orders").statusCode())
        .isEqualTo(404);
  }

  @Test
  void aMissingOrWrongNameIsRefusedWithThoseThereAre() throws Exception {
    for (String path : new String[] {"/events", "/events?outbox=nope"}) {
      HttpResponse<String> refused = send(HttpRequest.newBuilder().GET(), path);
      assertThat(refused.statusCode()).as(path).isEqualTo(400);
      assertThat(refused.body()).as(path).contains("orders", "stock");
    }
  }
}
