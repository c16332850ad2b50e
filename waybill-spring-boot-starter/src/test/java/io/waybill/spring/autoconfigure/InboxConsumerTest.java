package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.waybill.message.Event;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that consumes what it publishes, on Kafka and PostgreSQL. */
@Tag("server")
class InboxConsumerTest {
  private static final Tables TABLES = Tables.create();
  private static final String ORDERS = "orders-" + UUID.randomUUID();
  private static final String STOCK = "stock-" + UUID.randomUUID();
  private static ConfigurableApplicationContext context;

  @BeforeAll
  static void start() {
    TABLES.run("create table ledger (id text primary key, tx text not null)");
    TestServers.kafka().createTopic(ORDERS, 1, Map.of());
    TestServers.kafka().createTopic(STOCK, 1, Map.of());
    context =
        SmallApplication.run(
            StockApplication.Beans.class,
            TABLES.url(),
            "spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers(),
            "waybill.schema.mode=apply",
            "waybill.routes.default.target=" + ORDERS,
            "waybill.routes.types[stock.reserved].target=" + STOCK,
            "waybill.inbox.consumer=stock",
            "waybill.inbox.sources=" + ORDERS,
            "waybill.inbox.dead-letters.create=true");
    await(() -> context.getBean(InboxLifecycle.class).unready().isEmpty());
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  private static void append(Event event) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.getBean(SpringOutbox.class).append(event));
  }

  private static Event order(String type, String id) {
    return Event.builder(type, "order", id).id(id).json("{\"id\":\"" + id + "\"}").build();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Patience.of(Duration.ofSeconds(30))).until(condition);
  }

  private static List<KafkaMessage> messages(String topic, String key) {
    try (KafkaTail tail = new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic))) {
      await(() -> tail.messages().stream().anyMatch(each -> key.equals(each.key())));
      return tail.messages().stream().filter(each -> key.equals(each.key())).toList();
    }
  }

  private static void sendAgain(KafkaMessage message) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", TestServers.kafka().bootstrapServers());
    ProducerRecord<String, String> copy =
        new ProducerRecord<>(message.topic(), message.key(), message.value());
    message
        .headers()
        .forEach((name, value) -> copy.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.send(copy).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("cannot send", e);
    }
  }

  private static String dedupeKey(String id) {
    return "select xmin::text from processed_events where consumer = 'stock' and event_id = '"
        + id
        + "'";
  }

  @Test
  void firstSightEffectAndNewEventsAreOneTransaction() {
    append(order("order.placed", "42"));

    KafkaMessage reserved = messages(STOCK, "42").get(0);
    assertThat(reserved.headers())
        .containsEntry("waybill-event-type", "stock.reserved")
        .containsEntry("waybill-causation-id", "42");
    assertThat(TABLES.texts("select tx from ledger where id = '42'"))
        .isEqualTo(TABLES.texts(dedupeKey("42")))
        .hasSize(1);
    assertThat(context.getBean(InboxLifecycle.class).unready()).isEmpty();
    assertThat(
            context
                .getBean(MeterRegistry.class)
                .get("waybill.inbox.handled")
                .tag("consumer", "stock")
                .counter()
                .count())
        .isPositive();
  }

  @Test
  void aHandlerThatThrowsLeavesNothingAndTheEventIsDeadLettered() {
    append(order("order.broken", "broken"));

    assertThat(messages(ORDERS + ".dlt", "broken").get(0).value()).contains("sold out");
    await(() -> !TABLES.texts(dedupeKey("broken")).isEmpty());
    assertThat(TABLES.texts("select id from ledger where id = 'broken'")).isEmpty();
    assertThat(TABLES.texts("select event_type from waybill_outbox where aggregate_id = 'broken'"))
        .doesNotContain("stock.reserved");
  }

  @Test
  @Tag("long")
  void aPlaceOfDeadLettersThatHasGoneIsMadeAgain() {
    TestServers.kafka().deleteTopic(ORDERS + ".dlt");
    append(order("order.broken", "homeless"));

    await(() -> LateBrokerTest.topics(TestServers.kafka()).contains(ORDERS + ".dlt"));
    assertThat(messages(ORDERS + ".dlt", "homeless").get(0).value()).contains("sold out");
  }

  @Test
  void aTransactionThatIsMarkedAsRollbackOnlyIsTheHandlersFailure() {
    append(order("order.swallowed", "swallowed"));

    assertThat(messages(ORDERS + ".dlt", "swallowed").get(0).value()).contains("rollback-only");
    assertThat(TABLES.texts("select id from ledger where id = 'swallowed'")).isEmpty();
    assertThat(context.getBean(InboxLifecycle.class).unready()).isEmpty();
  }

  @Test
  void aTransactionThatAnErrorHasEndedIsTheHandlersFailure() {
    append(order("order.aborted", "aborted"));

    assertThat(messages(ORDERS + ".dlt", "aborted").get(0).value())
        .contains("ended the transaction");
    assertThat(TABLES.texts("select id from ledger where id = 'aborted'")).isEmpty();
    assertThat(context.getBean(InboxLifecycle.class).unready()).isEmpty();
  }

  @Test
  void aCopyIsNotHandledAgain() {
    append(order("order.placed", "copied"));
    messages(STOCK, "copied");
    sendAgain(messages(ORDERS, "copied").get(0));
    append(order("order.placed", "after"));
    messages(STOCK, "after");

    assertThat(context.getBean(StockApplication.Handlers.class).calls).containsOnlyOnce("copied");
  }

  @Test
  @Tag("long")
  void itIsStoppedAndStartedAgainWithItsContext() {
    InboxLifecycle inbox = context.getBean(InboxLifecycle.class);
    assertThat(inbox.getPhase()).isEqualTo(Integer.MAX_VALUE);

    context.stop();
    assertThat(inbox.isRunning()).isFalse();
    assertThat(inbox.unready()).containsExactly("the inbox does not run");
    append(order("order.placed", "later"));
    context.start();

    assertThat(messages(STOCK, "later")).hasSize(1);
    await(() -> inbox.unready().isEmpty());
  }

  @Test
  void healthNamesTheConsumer() {
    HealthIndicator health = context.getBean("waybillInboxHealthIndicator", HealthIndicator.class);

    await(() -> Objects.requireNonNull(health.health()).getStatus().equals(Status.UP));
    assertThat(Objects.requireNonNull(health.health()).getDetails())
        .containsEntry("consumer", "stock");
  }

  @Test
  void appendPublishAndHandleAreSpansOfTheWritersTraceAndSoAreTheHandlersEvents() {
    Tracer tracer = context.getBean(Tracer.class);
    Span span = tracer.nextSpan().name("request").start();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    try {
      append(order("order.placed", "traced"));
    } finally {
      scope.close();
      span.end();
    }

    String trace = span.context().traceId();
    KafkaMessage reserved = messages(STOCK, "traced").get(0);
    List<SpanData> spans = context.getBean(Traces.Spans.class).ended;
    await(
        () ->
            span(spans, trace, "send " + ORDERS).isPresent()
                && span(spans, trace, "send " + STOCK).isPresent());
    SpanData append = span(spans, trace, "append order.placed").orElseThrow();
    SpanData publish = span(spans, trace, "send " + ORDERS).orElseThrow();
    SpanData handling = span(spans, trace, "process " + ORDERS).orElseThrow();
    SpanData reserve = span(spans, trace, "append stock.reserved").orElseThrow();
    SpanData further = span(spans, trace, "send " + STOCK).orElseThrow();
    assertThat(append.getParentSpanId()).isEqualTo(span.context().spanId());
    assertThat(append.getKind()).isEqualTo(SpanKind.INTERNAL);
    assertThat(publish.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(publish.getParentSpanId()).isEqualTo(append.getSpanId());
    assertThat(handling.getParentSpanId()).isEqualTo(publish.getSpanId());
    assertThat(reserve.getParentSpanId()).isEqualTo(handling.getSpanId());
    assertThat(further.getParentSpanId()).isEqualTo(reserve.getSpanId());
    assertThat(handling.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(StockApplication.SEEN)
        .as("an interceptor of the application")
        .containsEntry("traced", handling.getSpanId());
    assertThat(reserved.headers().get("traceparent"))
        .as("sampled; a random trace id has a flag of its own")
        .matches("00-" + trace + "-" + further.getSpanId() + "-0[13]");
    assertThat(handling.getAttributes().asMap().toString())
        .contains("messaging.system.name=kafka", "messaging.operation.type=process")
        .contains("messaging.destination.name=" + ORDERS, "messaging.message.id=traced")
        .contains("messaging.consumer.group.name=stock", "waybill.consumer=stock")
        .contains("messaging.destination.partition.id=", "kafka.offset=");
  }

  private static Optional<SpanData> span(List<SpanData> spans, String trace, String name) {
    return spans.stream()
        .filter(each -> each.getTraceId().equals(trace) && each.getName().equals(name))
        .findFirst();
  }
}
