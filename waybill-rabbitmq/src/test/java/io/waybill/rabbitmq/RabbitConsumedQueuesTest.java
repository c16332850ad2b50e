package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import io.waybill.testkit.SubscriberRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Queues that a subscriber consumes: what is declared for them, and what the checks say of them.
 */
@Tag("server")
class RabbitConsumedQueuesTest extends CheckedBroker {
  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(40)))
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(condition);
  }

  @Test
  void dividesKeysAmongQueuesAndKeepsTheirOrder() {
    Broker.call(server, channel -> channel.exchangeDeclare("h.events", "topic", true));
    RabbitHashedQueues hashed = new RabbitHashedQueues("h.orders", 3);
    RabbitPublisherConfig config = Broker.config(server).build();
    assertThat(hashed.declare(config, "h.events", "order.#")).isEmpty();
    assertThat(hashed.declare(config, "h.events", "order.#")).isEmpty();
    assertThat(hashed.queues()).containsExactly("h.orders-0", "h.orders-1", "h.orders-2");
    assertThat(checks(NOTHING).checkConsumed(hashed.queues())).isEmpty();
    Broker.call(
        server,
        channel -> {
          channel.confirmSelect();
          for (int number = 0; number < 10; number++) {
            for (int key = 0; key < 30; key++) {
              Map<String, Object> headers = Map.of("waybill-aggregate-id", "k" + key);
              channel.basicPublish(
                  "h.events",
                  "order.placed",
                  true,
                  new AMQP.BasicProperties.Builder().headers(headers).build(),
                  ("k" + key + "/" + number).getBytes(UTF_8));
            }
          }
          channel.waitForConfirmsOrDie(30_000);
          return 300;
        });
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber =
        new RabbitSubscriber(
            RabbitContractSource.config(RabbitContractSource.address(server), hashed.queues())
                .build())) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 300);
    }
    Map<String, Set<String>> lanesByKey = new HashMap<>();
    Map<String, List<String>> bodiesByKey = new HashMap<>();
    for (Delivery each : recorder.deliveries()) {
      String key = new String(each.key(), UTF_8);
      lanesByKey.computeIfAbsent(key, k -> new HashSet<>()).add(each.lane());
      bodiesByKey
          .computeIfAbsent(key, k -> new ArrayList<>())
          .addAll(SubscriberRecorder.bodies(List.of(each)));
    }
    assertThat(lanesByKey.values()).hasSize(30).allMatch(lanes -> lanes.size() == 1);
    assertThat(recorder.deliveries().stream().map(Delivery::lane).distinct()).hasSize(3);
    bodiesByKey.forEach(
        (key, bodies) ->
            assertThat(bodies)
                .containsExactlyElementsOf(
                    IntStream.range(0, 10).mapToObj(number -> key + "/" + number).toList()));
  }

  private static List<Check> found(RabbitChecks checks, String name) {
    return checks.checkConsumed(List.of(name)).stream().map(Finding::check).toList();
  }

  @Test
  void judgesTheQueuesThatAreConsumed() {
    RabbitChecks checks = checks(NOTHING);
    RabbitTopology declared =
        RabbitTopology.builder().singleActiveQueue("j.good").queue("j.shared").build();
    assertThat(checks(declared).declare()).isEmpty();
    RabbitContractSource.create(
        server,
        "j.limited",
        Map.of("x-queue-type", "quorum", "x-single-active-consumer", true, "x-delivery-limit", 5));
    Broker.call(
        server,
        channel -> channel.queueDeclare("j.passing", false, false, true, Map.of()).getQueue());
    RabbitContractSource.create(server, "j.stream", Map.of("x-queue-type", "stream"));
    assertThat(found(checks, "j.good")).isEmpty();
    assertThat(found(checks, "j.stream")).containsExactly(Check.RABBITMQ_QUEUE_IS_STREAM);
    assertThat(found(checks, "j.shared")).containsExactly(Check.RABBITMQ_CONSUMERS_COMPETE);
    assertThat(found(checks, "j.limited"))
        .containsExactlyInAnyOrder(
            Check.RABBITMQ_DELIVERIES_LIMITED, Check.RABBITMQ_REDELIVERED_DROPPED);
    assertThat(found(checks, "j.passing"))
        .contains(Check.RABBITMQ_QUEUE_NOT_DURABLE, Check.RABBITMQ_QUEUE_AUTO_DELETED);
    assertThat(found(checks, "j.absent")).contains(Check.RABBITMQ_QUEUE_MISSING);
    assertThat(found(new RabbitChecks(Broker.config(server).build(), NOTHING, null), "j.good"))
        .containsExactly(Check.RABBITMQ_POLICIES_UNSEEN);
  }

  @Test
  void knowsTheLimitThatNewerBrokersSetByThemselves() throws Exception {
    JsonValue quorum =
        JsonValue.parse(
            "{\"type\":\"quorum\",\"arguments\":{\"x-single-active-consumer\":true}}"
                .getBytes(UTF_8));
    assertThat(ConsumedQueue.judge("q", quorum, "3.13.7")).isEmpty();
    assertThat(ConsumedQueue.judge("q", quorum, "4.1.0"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.detail()).contains("after 20 failed deliveries"));
    JsonValue unlimited =
        JsonValue.parse(
            "{\"type\":\"quorum\",\"arguments\":{\"x-single-active-consumer\":true,\"x-delivery-limit\":-1}}"
                .getBytes(UTF_8));
    assertThat(ConsumedQueue.judge("q", unlimited, "4.1.0")).isEmpty();
  }

  @Test
  void declaresSingleActiveQueuesAndThoseForDeadLetters() {
    RabbitTopology own = RabbitTopology.builder().singleActiveQueue("d.orders").build();
    RabbitDeadLetters deadLetters = RabbitDeadLetters.ofDefaults();
    RabbitTopology dead = deadLetters.topology(List.of("d.orders"));
    assertThat(checks(dead).check(List.of()))
        .extracting(Finding::check)
        .contains(Check.RABBITMQ_EXCHANGE_MISSING, Check.RABBITMQ_QUEUE_MISSING);
    assertThat(checks(own).declare()).isEmpty();
    assertThat(checks(dead).declare()).isEmpty();
    assertThat(checks(dead).check(List.of())).isEmpty();
    assertThat(found(checks(own), "d.orders")).isEmpty();

    PublisherRecorder recorder = new PublisherRecorder();
    try (RabbitPublisher publisher = new RabbitPublisher(Broker.config(server).build())) {
      publisher.start(recorder);
      Destination to = deadLetters.of("d.orders");
      byte[] body = "dead".getBytes(UTF_8);
      publisher.send(new Outgoing(1, to, null, body, "text/plain", "e", "t", 1, List.of()));
      publisher.flush();
      await(() -> recorder.confirmed(1));
    }
    assertThat(Broker.drain(server, RabbitDeadLetters.queueOf("d.orders"))).hasSize(1);
  }
}
