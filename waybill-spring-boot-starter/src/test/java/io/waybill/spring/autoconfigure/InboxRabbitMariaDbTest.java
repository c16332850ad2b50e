package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.message.Event;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that consumes what it publishes, on RabbitMQ and MariaDB. */
@Tag("server")
@Tag("long")
class InboxRabbitMariaDbTest {
  private static final String EXCHANGE = "spring-orders";
  private static final String QUEUE = "spring-stock";
  private static MariaDbServer server;
  private static Tables tables;
  private static Connection rabbit;
  private static Channel channel;
  private static ConfigurableApplicationContext context;

  record Order(String id) {}

  static class Handlers {
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final List<String> left = Collections.synchronizedList(new ArrayList<>());
    private final Ledger ledger;

    Handlers(Ledger ledger) {
      this.ledger = ledger;
    }

    @WaybillHandler("order.placed")
    void placed(Order order) {
      calls.add(order.id());
      ledger.write(order.id());
    }

    @WaybillHandler("order.broken")
    void broken(Order order) {
      ledger.write(order.id());
      throw new IllegalStateException("sold out");
    }

    /** Fails once, and looks from another connection at what the first attempt has left. */
    @WaybillHandler("order.flaky")
    void flaky(Order order) {
      if (!calls.contains(order.id())) {
        calls.add(order.id());
        ledger.write(order.id());
        throw new TransientDataAccessResourceException("not now");
      }
      left.addAll(tables.texts("select id from ledger where id = '" + order.id() + "'"));
      left.addAll(notes(order.id()));
      ledger.write(order.id());
    }
  }

  static class Ledger {
    private final JdbcClient jdbc;

    Ledger(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @Transactional
    public void write(String id) {
      jdbc.sql("insert into ledger (id) values (?)").param(id).update();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  @ImportAutoConfiguration({
    JdbcTemplateAutoConfiguration.class,
    JdbcClientAutoConfiguration.class,
    WaybillTracingAutoConfiguration.class
  })
  @Import(Traces.class)
  static class Application {
    @Bean
    Ledger ledger(JdbcClient jdbc) {
      return new Ledger(jdbc);
    }

    @Bean
    Handlers handlers(Ledger ledger) {
      return new Handlers(ledger);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    server = MariaDbServer.launch();
    tables = new Tables(server.createDatabase("stock"));
    tables.run("create table ledger (id varchar(40) primary key)");
    String uri = TestServers.rabbit().uri();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(URI.create(uri));
    rabbit = factory.newConnection("test");
    channel = rabbit.createChannel();
    channel.exchangeDeclare(EXCHANGE, "topic", true);
    channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
    channel.queueBind(QUEUE, EXCHANGE, "#");
    context =
        SmallApplication.run(
            Application.class,
            tables.url(),
            "spring.rabbitmq.addresses=" + uri,
            "waybill.schema.mode=apply",
            "waybill.routes.default.target=" + EXCHANGE,
            "waybill.routes.default.routing-key={eventType}",
            "waybill.inbox.consumer=stock",
            "waybill.inbox.sources=" + QUEUE,
            "waybill.inbox.dead-letters.create=true");
    await(() -> context.getBean(InboxLifecycle.class).unready().isEmpty());
  }

  @AfterAll
  static void stop() {
    context.close();
    rabbit.abort();
    server.close();
  }

  private static void append(String type, String id) {
    Event event = Event.builder(type, "order", id).id(id).json("{\"id\":\"" + id + "\"}").build();
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.getBean(SpringOutbox.class).append(event));
  }

  private static List<String> notes(String id) {
    return tables.texts(
        "select event_id from processed_events where consumer = 'stock' and event_id = '"
            + id
            + "'");
  }

  private static List<String> ledger(String id) {
    return tables.texts("select id from ledger where id = '" + id + "'");
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Patience.of(Duration.ofSeconds(30))).until(condition);
  }

  @Test
  void aCopyIsNotHandledAgain() throws Exception {
    append("order.placed", "copied");
    await(() -> !notes("copied").isEmpty());
    AMQP.BasicProperties copy =
        new AMQP.BasicProperties.Builder()
            .messageId("copied")
            .type("order.placed")
            .contentType("application/json")
            .headers(Map.of("waybill-event-id", "copied", "waybill-event-type", "order.placed"))
            .build();
    byte[] body = "{\"id\":\"copied\"}".getBytes(StandardCharsets.UTF_8);
    channel.basicPublish(EXCHANGE, "order.placed", copy, body);
    append("order.placed", "after");
    await(() -> !notes("after").isEmpty());

    assertThat(context.getBean(Handlers.class).calls).containsOnlyOnce("copied");
    assertThat(ledger("copied")).hasSize(1);
  }

  @Test
  void aHandlerThatThrowsLeavesNothingAndTheEventIsDeadLettered() throws Exception {
    append("order.broken", "broken");
    await(() -> !notes("broken").isEmpty());

    GetResponse letter = channel.basicGet(QUEUE + ".dlt", true);
    assertThat(new String(letter.getBody(), StandardCharsets.UTF_8)).contains("sold out");
    assertThat(ledger("broken")).isEmpty();
  }

  @Test
  void aRolledBackAttemptLeavesNeitherEffectNorNoteAndIsMadeAgain() {
    append("order.flaky", "flaky");
    await(() -> !notes("flaky").isEmpty());

    assertThat(context.getBean(Handlers.class).left).isEmpty();
    assertThat(ledger("flaky")).hasSize(1);
  }

  @Test
  void theHandlersSpanHasTheTraceOfTheWriter() {
    Tracer tracer = context.getBean(Tracer.class);
    Span span = tracer.nextSpan().name("request").start();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    try {
      append("order.placed", "traced");
    } finally {
      scope.close();
      span.end();
    }

    List<SpanData> spans = context.getBean(Traces.Spans.class).ended;
    await(
        () ->
            spans.stream()
                .filter(each -> each.getTraceId().equals(span.context().traceId()))
                .anyMatch(each -> each.getName().startsWith("process ")));
    assertThat(ledger("traced")).hasSize(1);
  }
}
