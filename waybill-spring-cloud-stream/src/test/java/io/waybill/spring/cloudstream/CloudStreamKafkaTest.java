package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Event;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.WaybillStartException;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.cloud.stream.binder.kafka.provisioning.AdminClientConfigCustomizer;
import org.springframework.cloud.stream.binder.kafka.support.ProducerConfigCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The relay of an application that sends through Kafka's binder. */
@Tag("server")
class CloudStreamKafkaTest {
  private static KafkaApplication application;

  @BeforeAll
  static void start() {
    application =
        KafkaApplication.start(
            Customizers.class,
            Stream.of(
                BinderApplication.database("kafka"),
                "spring.kafka.bootstrap-servers=127.0.0.1:1",
                "waybill.schema.mode=apply",
                "waybill.routes.source=/shop",
                "waybill.routes.default.target={aggregateType}-out",
                "waybill.routes.types[order.cloud].target=order-out",
                "waybill.routes.types[order.cloud].format=cloudevents-binary",
                "waybill.routes.types[order.lost].target={aggregateId}-out",
                "waybill.routes.types[order.named].target={aggregateId}",
                "spring.cloud.stream.bindings.elsewhere.binder=rabbit",
                "spring.cloud.stream.bindings.order-out.destination=orders",
                "spring.cloud.stream.bindings.lost-out.producer.use-native-encoding=true"));
  }

  /** What reaches clients only through customizers: the servers, and acks of one binding. */
  @Configuration(proxyBeanMethods = false)
  static class Customizers {
    @Bean
    AdminClientConfigCustomizer admins(@Value("${test.servers}") String servers) {
      return config -> config.put("bootstrap.servers", servers);
    }

    @Bean
    ProducerConfigCustomizer producers(@Value("${test.servers}") String servers) {
      return (config, binding, topic) -> {
        config.put("bootstrap.servers", servers);
        if (topic.equals("weak-out")) {
          config.put("acks", "1");
        }
      };
    }
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  private static Event.Builder order(String type, String id) {
    return Event.builder(type, "order", id).id(type + "-" + id);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Patience.of(Duration.ofSeconds(30))).until(condition);
  }

  // The first one: on a slow machine a send may time out and be repeated.
  private static Optional<KafkaMessage> of(KafkaTail tail, String header, String value) {
    return tail.messages().stream()
        .filter(message -> value.equals(message.headers().get(header)))
        .findFirst();
  }

  private static List<String> rows(String id) {
    return BinderApplication.rows(application.context(), id);
  }

  private static void append(Event event) {
    BinderApplication.append(application.context(), event);
  }

  @Test
  void eventsReachTheBindingsTopicAsTheyAreAndArePublished() {
    append(order("order.placed", "42").header("tenant", "acme").json("42").build());
    append(order("order.cloud", "42").json("{\"a\": 1}").build());
    try (KafkaTail tail =
        new KafkaTail(application.server().bootstrapServers(), List.of("orders"))) {
      await(() -> of(tail, "waybill-event-type", "order.placed").isPresent());
      KafkaMessage placed = of(tail, "waybill-event-type", "order.placed").orElseThrow();
      assertThat(placed.key()).isEqualTo("42");
      assertThat(placed.value()).isEqualTo("42");
      assertThat(placed.headers())
          .containsEntry("tenant", "acme")
          .containsEntry("waybill-event-type", "order.placed")
          .containsEntry("contentType", "application/json")
          .doesNotContainKey("kafka_futureToken");
      await(() -> of(tail, "ce_type", "order.cloud").isPresent());
      KafkaMessage cloud = of(tail, "ce_type", "order.cloud").orElseThrow();
      assertThat(cloud.value()).isEqualTo("{\"a\": 1}");
      assertThat(cloud.headers())
          .containsEntry("ce_type", "order.cloud")
          .containsEntry("ce_id", "order.cloud-42");
    }
    await(() -> rows("order.placed-42").isEmpty() && rows("order.cloud-42").isEmpty());
  }

  @Test
  void anEventOfABindingThatDoesNotConfirmIsNotPublished() {
    append(order("order.lost", "lost").json("{}").build());

    await(() -> rows("order.lost-lost").toString().contains("PARKED not-confirmed"));
  }

  @Test
  void anEventOfAProducerThatACustomizerWeakenedIsNotPublishedAndTheNextNotSent() {
    append(order("order.lost", "weak").json("{}").build());
    await(() -> parked("order.lost-weak", "not-confirmed sent, but the producer", "acks=1"));

    Event next = Event.builder("order.placed", "weak", "other").id("next").json("{}").build();
    append(next);

    await(() -> parked("next", "not-confirmed the producer", "acks=1"));
  }

  @ParameterizedTest
  @CsvSource({
    "elsewhere, its binder is not the default one",
    "binderApplication, names a bean that is not a channel"
  })
  void anEventForWhatCanBeNoBindingOfTheDefaultBinderIsParked(String target, String why) {
    append(order("order.named", target).json("{}").build());

    await(() -> parked("order.named-" + target, "not-confirmed", why));
  }

  private static boolean parked(String id, String... parts) {
    String rows = rows(id).toString();
    return rows.contains("PARKED") && Stream.of(parts).allMatch(rows::contains);
  }

  @Test
  void aProducerThatDoesNotWaitForAllReplicasEndsTheStart() {
    assertThatThrownBy(
            () ->
                BinderApplication.run(
                    "kafka",
                    BinderApplication.database("acks"),
                    "spring.kafka.bootstrap-servers=" + application.server().bootstrapServers(),
                    "spring.cloud.stream.kafka.binder.required-acks=1",
                    "waybill.schema.mode=apply",
                    "waybill.routes.default.target=orders",
                    "waybill.routes.types[order.eu].target=order:eu",
                    "waybill.routes.types[order.few].target=few",
                    "spring.cloud.stream.kafka.default.producer.header-patterns=tenant",
                    "spring.cloud.stream.kafka.bindings.few.producer.configuration.acks=all"))
        .hasRootCauseInstanceOf(WaybillStartException.class)
        .rootCause()
        .hasMessageContaining("binding 'orders' has acks=1")
        .hasMessageContaining("required-acks=all")
        .hasMessageContaining("binding 'order:eu': Topic name can only have")
        .hasMessageContaining("binding 'few' leaves headers out");
  }

  @Test
  void withSeveralBindersAndNoDefaultTheStartEnds() {
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
                          assertThat(start).hasMessageContaining("no binder can send them");
                          assertThat(start.action()).contains("spring.cloud.stream.default-binder");
                        }));
  }
}
