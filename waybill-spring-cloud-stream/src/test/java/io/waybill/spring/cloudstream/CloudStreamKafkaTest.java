package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Event;
import io.waybill.spring.WaybillStartException;
import io.waybill.testkit.KafkaMessage;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.KafkaTail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The relay of an application that sends through Kafka's binder. */
@Tag("server")
class CloudStreamKafkaTest {
  private static KafkaServer kafka;
  private static ConfigurableApplicationContext context;

  @BeforeAll
  static void start() {
    kafka = KafkaServer.launch();
    kafka.createTopic("orders", 1, Map.of());
    context =
        BinderApplication.run(
            "kafka",
            BinderApplication.database("kafka"),
            "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
            "waybill.schema.mode=apply",
            "waybill.routes.source=/shop",
            "waybill.routes.default.target={aggregateType}-out",
            "waybill.routes.types[order.cloud].target=order-out",
            "waybill.routes.types[order.cloud].format=cloudevents-binary",
            "waybill.routes.types[order.lost].target={aggregateId}-out",
            "spring.cloud.stream.bindings.order-out.destination=orders",
            "spring.cloud.stream.bindings.lost-out.producer.use-native-encoding=true");
  }

  @AfterAll
  static void stop() {
    context.close();
    kafka.close();
  }

  private static Event.Builder order(String type, String id) {
    return Event.builder(type, "order", id).id(type + "-" + id);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
  }

  private static List<KafkaMessage> ofKey(KafkaTail tail, String key) {
    return tail.messages().stream().filter(message -> key.equals(message.key())).toList();
  }

  private static List<String> rows(String id) {
    return BinderApplication.rows(context, id);
  }

  @Test
  void eventsReachTheBindingsTopicAsTheyAreAndArePublished() {
    BinderApplication.append(
        context, order("order.placed", "42").header("tenant", "acme").json("42").build());
    BinderApplication.append(context, order("order.cloud", "42").json("{\"a\": 1}").build());
    try (KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of("orders"))) {
      await(() -> ofKey(tail, "42").size() == 2);
      KafkaMessage placed = ofKey(tail, "42").get(0);
      assertThat(placed.value()).isEqualTo("42");
      assertThat(placed.headers())
          .containsEntry("tenant", "acme")
          .containsEntry("waybill-event-type", "order.placed")
          .containsEntry("contentType", "application/json")
          .doesNotContainKey("kafka_futureToken");
      KafkaMessage cloud = ofKey(tail, "42").get(1);
      assertThat(cloud.value()).isEqualTo("{\"a\": 1}");
      assertThat(cloud.headers())
          .containsEntry("ce_type", "order.cloud")
          .containsEntry("ce_id", "order.cloud-42");
    }
    await(() -> rows("order.placed-42").isEmpty() && rows("order.cloud-42").isEmpty());
  }

  @Test
  void anEventOfABindingThatDoesNotConfirmIsNotPublished() {
    BinderApplication.append(context, order("order.lost", "lost").json("{}").build());

    await(() -> rows("order.lost-lost").toString().contains("PARKED not-confirmed"));
  }

  @Test
  void aProducerThatDoesNotWaitForAllReplicasEndsTheStart() {
    assertThatThrownBy(
            () ->
                BinderApplication.run(
                    "kafka",
                    BinderApplication.database("acks"),
                    "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                    "spring.cloud.stream.kafka.binder.required-acks=1",
                    "waybill.schema.mode=apply",
                    "waybill.routes.default.target=orders"))
        .hasRootCauseInstanceOf(WaybillStartException.class)
        .rootCause()
        .hasMessageContaining("binding 'orders' has acks=1")
        .hasMessageContaining("required-acks=all");
  }

  @Test
  void withoutABinderTheStartEnds() {
    assertThatThrownBy(
            () ->
                BinderApplication.run(
                    "",
                    BinderApplication.database("none"),
                    "waybill.schema.mode=apply",
                    "waybill.routes.default.target=orders"))
        .satisfies(
            thrown ->
                assertThat(Failures.cause(thrown, WaybillStartException.class))
                    .hasValueSatisfying(
                        start -> {
                          assertThat(start).hasMessageContaining("no binder takes them");
                          assertThat(start.action()).contains("spring.cloud.stream.default-binder");
                        }));
  }
}
