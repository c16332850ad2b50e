package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.rabbitmq.client.AMQP;
import io.waybill.broker.Delivery;
import io.waybill.message.Header;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.internal.AmqpProperties;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.slf4j.LoggerFactory;

@Tag("server")
@Tag("long")
class RabbitSubscriberTest {
  private static final String CRASHED =
      """
      Crash = fun() -> rabbit_amqqueue:update(
        rabbit_misc:r(<<"/">>, queue, <<"%s">>),
        fun(Q) -> amqqueue:set_state(Q, crashed) end) end,
      case erlang:function_exported(rabbit_misc, execute_mnesia_transaction, 1) of
        true -> rabbit_misc:execute_mnesia_transaction(Crash);
        false -> Crash()
      end.
      """;
  private static RabbitServer server;
  private String queue;

  @BeforeAll
  static void launch() {
    server =
        RabbitServer.launch(
            List.of("rabbitmq_management", "rabbitmq_consistent_hash_exchange"), List.of());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    queue = test.getTestMethod().orElseThrow().getName();
  }

  private RabbitSubscriber subscriber(String... queues) {
    return new RabbitSubscriber(
        RabbitContractSource.config(RabbitContractSource.address(server), List.of(queues)).build());
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(40)))
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(condition);
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }

  @Test
  void addsWhatAmqpKeepsBesideTheHeaders() {
    RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
    RabbitContractSource.publish(server, queue, "key", List.of("a"));
    Broker.call(
        server,
        channel -> {
          Map<String, Object> headers = new HashMap<>();
          headers.put("waybill-event-id", "own");
          headers.put("content-type", "application/json");
          headers.put(AmqpProperties.TOMBSTONE, true);
          channel.basicPublish(
              "",
              queue,
              new AMQP.BasicProperties.Builder().messageId("other").headers(headers).build(),
              new byte[0]);
          channel.basicPublish("", queue, null, "bare".getBytes(UTF_8));
          return 2;
        });
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue)) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 3);
    }
    Delivery full = recorder.deliveries().get(0);
    assertThat(full.headers().list())
        .containsExactlyInAnyOrder(
            new Header("plain", "wert ÄÖ 名"),
            new Header("number", "7"),
            new Header("waybill-aggregate-id", "key"),
            new Header("content-type", "text/plain"),
            new Header("waybill-event-id", "id-1"),
            new Header("waybill-event-type", "Tested"),
            new Header("waybill-correlation-id", "correlation"));
    assertThat(full.timestampMicros()).isEqualTo(1_795_312_800_000_000L);
    assertThat(full.deliveries()).isEqualTo(1);
    assertThat(full.redelivered()).isFalse();
    Delivery tombstone = recorder.deliveries().get(1);
    assertThat(tombstone.body()).isNull();
    assertThat(tombstone.headers().list())
        .containsExactlyInAnyOrder(
            new Header("waybill-event-id", "own"), new Header("content-type", "application/json"));
    Delivery bare = recorder.deliveries().get(2);
    assertThat(bare.body()).isEqualTo("bare".getBytes(UTF_8));
    assertThat(bare.key()).isNull();
    assertThat(bare.timestampMicros()).isZero();
  }

  @Test
  void tellsTheDeliveryCountOfAQuorumQueueAndNoneOfAClassicOne() {
    String classic = queue + "-classic";
    RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
    RabbitContractSource.create(server, classic, Map.of());
    RabbitContractSource.publish(server, queue, "k", List.of("quorum"));
    RabbitContractSource.publish(server, classic, "k", List.of("classic"));
    for (int time = 1; time <= 3; time++) {
      SubscriberRecorder recorder = new SubscriberRecorder();
      try (RabbitSubscriber subscriber = subscriber(queue, classic)) {
        subscriber.start(recorder);
        await(() -> recorder.count() == 2);
      }
      for (Delivery each : recorder.deliveries()) {
        int expected = time == 1 || each.source().equals(queue) ? time : 0;
        assertThat(each.deliveries()).as("%s, time %s", each.source(), time).isEqualTo(expected);
        assertThat(each.redelivered()).isEqualTo(time > 1);
        assertThat(each.headers().list())
            .as("the broker's counts are no headers of the event")
            .noneMatch(header -> header.name().startsWith("x-"));
      }
    }
  }

  @Test
  void givingBackCountsAsNoDelivery() {
    RabbitContractSource.create(
        server,
        queue,
        Map.of("x-queue-type", "quorum", "x-single-active-consumer", true, "x-delivery-limit", 2));
    RabbitContractSource.publish(server, queue, "k", List.of("a"));
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue)) {
      subscriber.start(recorder);
      for (int time = 1; time <= 20; time++) {
        int expected = time;
        await(() -> recorder.count() == expected);
        subscriber.release(recorder.deliveries().subList(time - 1, time));
      }
      await(() -> recorder.count() == 21);
      assertThat(recorder.deliveries()).allMatch(each -> each.deliveries() == 1);
    }
    SubscriberRecorder next = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue)) {
      subscriber.start(next);
      await(() -> next.count() == 1);
    }
  }

  @Test
  void anEndedConsumerIsOpenedAgainAndTheOthersFlow() throws IOException {
    long failedBefore = failedConsumes();
    String other = queue + "-other";
    RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
    RabbitContractSource.create(server, other, RabbitContractSource.SINGLE);
    RabbitContractSource.publish(server, queue, "k", numbers(0, 3));
    RabbitContractSource.publish(server, other, "k", List.of("other-0"));
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue, other)) {
      subscriber.start(recorder);
      await(() -> recorder.count() == 4);
      Broker.call(server, channel -> channel.queueDelete(queue).getMessageCount());
      await(() -> !recorder.lost().isEmpty() && recorder.transport().size() >= 2);
      assertThat(recorder.lost().get(0)).isEqualTo(queue);
      assertThat(recorder.transport().get(1)).startsWith("unavailable: ").contains(queue);
      RabbitContractSource.publish(server, other, "k", List.of("other-1"));
      await(() -> recorder.bodies().contains("other-1"));
      subscriber.acknowledge(recorder.deliveries());

      RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
      RabbitContractSource.publish(server, queue, "k", List.of("new"));
      await(() -> recorder.bodies().contains("new"));
      await(() -> recorder.transport().get(recorder.transport().size() - 1).equals("available"));
      if (failedConsumes() == failedBefore) {
        assertThat(recorder.lost()).containsExactly(queue);
      }
      await(() -> channels() == 2);
    }
  }

  /**
   * How often RabbitMQ 3 failed because a consumer opened on a quorum queue whose process was not
   * there, since the queue was just being deleted or made: it then ends the connection, with all
   * other consumers.
   */
  private static long failedConsumes() throws IOException {
    try (Stream<Path> files = Files.list(server.home().resolve("log"))) {
      long failed = 0;
      for (Path file : files.toList()) {
        failed +=
            Files.readAllLines(file).stream()
                .filter(line -> line.contains("exception exit: {{badmatch,{error,noproc}}"))
                .count();
      }
      return failed;
    }
  }

  private static long channels() {
    return server.ctl("list_channels", "number", "connection").lines().skip(1).count();
  }

  /** The broker opens its consumer late, when the subscriber has given up waiting. */
  @Test
  void aQueueThatDoesNotAnswerCostsTheOthersNothing() {
    String other = queue + "-other";
    RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
    RabbitContractSource.create(server, other, RabbitContractSource.SINGLE);
    RabbitContractSource.publish(server, queue, "k", numbers(0, 3));
    server.ctl("eval", "sys:suspend('%2F_" + queue + "').");
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(other, queue)) {
      subscriber.start(recorder);
      RabbitContractSource.publish(server, other, "k", List.of("other-0"));
      await(() -> recorder.transport().toString().contains(queue));
      server.ctl("eval", "sys:resume('%2F_" + queue + "').");
      await(() -> recorder.bodies().containsAll(numbers(0, 3)));
      await(() -> recorder.transport().get(recorder.transport().size() - 1).equals("available"));
      assertThat(recorder.bodies()).containsOnlyOnce("other-0");
      assertThat(recorder.lost()).isEmpty();
      assertThat(recorder.transport()).hasSize(2);
      await(() -> channels() == 2);
    }
  }

  @Test
  void warnsOfAStream() {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger =
        (Logger) LoggerFactory.getLogger("io.waybill.rabbitmq.internal.consume.QueueConsumer");
    logger.addAppender(log);
    RabbitContractSource.create(server, queue, Map.of("x-queue-type", "stream"));
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue)) {
      subscriber.start(recorder);
      await(() -> recorder.transport().contains("available"));
      RabbitContractSource.publish(server, queue, "k", numbers(0, 2));
      await(() -> recorder.count() == 2);
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .singleElement()
        .satisfies(event -> assertThat(event.getFormattedMessage()).contains("is a stream"));
  }

  /** One whose process crashed is still there, and its consumer is told nothing. */
  @Test
  void aQueueThatCannotBeAskedForItsLengthCostsTheOthersNothing() {
    String other = queue + "-other";
    RabbitContractSource.create(server, queue, Map.of());
    RabbitContractSource.create(server, other, RabbitContractSource.SINGLE);
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue, other)) {
      subscriber.start(recorder);
      await(() -> recorder.transport().equals(List.of("available")));
      server.ctl("eval", CRASHED.formatted(queue));

      await(() -> recorder.lost().contains(queue));
      RabbitContractSource.publish(server, other, "k", List.of("other-1"));
      await(() -> recorder.bodies().contains("other-1"));
      assertThat(recorder.lost()).containsExactly(queue);
    }
  }

  @Test
  void aMissingQueueIsNamedAndNotDeclared() {
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber = subscriber(queue)) {
      subscriber.start(recorder);
      await(() -> !recorder.transport().isEmpty());
      assertThat(recorder.transport().get(0)).startsWith("unavailable: ").contains(queue, "404");
      assertThat(server.ctl("list_queues", "name")).doesNotContain(queue);
      RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
      await(() -> recorder.transport().get(recorder.transport().size() - 1).equals("available"));
    }
  }

  @Test
  void wrongCredentialsAreToldWithoutShowingThem() {
    RabbitPublisherConfig connection =
        Broker.config(server)
            .credentials(new RabbitCredentials.Password("guest", "wrong-secret"))
            .build();
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (RabbitSubscriber subscriber =
        new RabbitSubscriber(RabbitSubscriberConfig.builder(connection, List.of(queue)).build())) {
      subscriber.start(recorder);
      await(() -> !recorder.transport().isEmpty());
      assertThat(recorder.transport().get(0))
          .contains("ACCESS_REFUSED")
          .doesNotContain("wrong-secret");
    }
  }

  @Test
  void readsOnUnderAMemoryAlarm() {
    RabbitContractSource.create(server, queue, RabbitContractSource.SINGLE);
    RabbitContractSource.publish(server, queue, "k", numbers(0, 500));
    SubscriberRecorder recorder = new SubscriberRecorder();
    server.ctl("set_vm_memory_high_watermark", "absolute", "1");
    try (RabbitSubscriber subscriber = subscriber(queue)) {
      subscriber.start(recorder);
      await(
          () -> {
            subscriber.acknowledge(recorder.deliveries());
            return recorder.count() == 500;
          });
    } finally {
      server.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
  }
}
