package io.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is particular to RabbitMQ, on a real node. */
class RabbitPublisherTest extends PublishingTest {
  @Test
  void pausesUnderAMemoryAlarmAndFlowsAfterIt() {
    Destination to = Broker.create(server, "alarm", Broker.QUORUM);
    start(Broker.config(server).confirmTimeout(Duration.ofSeconds(2)));
    confirmOne(to);
    server.ctl("set_vm_memory_high_watermark", "0.0000001");
    try {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(20)))
          .until(
              () -> {
                send(to, "probe", 10);
                return recorder.transport().equals(List.of("available", "unavailable"));
              });
      long first = nextId;
      for (int i = 0; i < 50; i++) {
        long start = System.nanoTime();
        send(to, "k" + i, 200_000);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
      }
      awaitOutcomes(first, nextId - 1);
      for (long id = first; id < nextId; id++) {
        assertThat(recorder.outcome(id)).isInstanceOf(Confirmation.Unknown.class);
      }
      assertThat(recorder.transport()).containsExactly("available", "unavailable");
    } finally {
      server.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .until(() -> recorder.transport().size() == 3);
    confirmOne(to);
  }

  @Tag("long")
  @Test
  void closesAtOnceWithAWriterThatTheBrokerKeepsWaiting() {
    Destination to = Broker.create(server, "stuck", Broker.QUORUM);
    start(Broker.config(server));
    confirmOne(to);
    server.ctl("set_vm_memory_high_watermark", "0.0000001");
    try {
      for (int i = 0; i < 60; i++) {
        send(to, "k" + i, 1_000_000);
      }
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(10)))
          .until(() -> recorder.transport().contains("unavailable"));
      long start = System.nanoTime();
      publisher.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
      awaitOutcomes(1, nextId - 1);
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(10)))
          .until(() -> publisherThreads() == 0);
    } finally {
      server.ctl("set_vm_memory_high_watermark", "absolute", "1GB");
    }
  }

  @Tag("long")
  @Test
  void leaksNothingOverTwentyReconnects() {
    Destination to = Broker.create(server, "reconnects", Broker.QUORUM);
    start(Broker.config(server).connections(1));
    confirmOne(to);
    long threads = publisherThreads();
    for (int i = 0; i < 20; i++) {
      int seen = recorder.transport().size();
      server.ctl("close_all_connections", "test");
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(20)))
          .until(() -> recorder.transport().size() == seen + 2);
      confirmOne(to);
    }
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .untilAsserted(
            () -> {
              assertThat(publisherThreads()).isLessThanOrEqualTo(threads);
              assertThat(lines("list_connections", "pid")).hasSize(1);
              assertThat(lines("list_channels", "pid")).hasSize(4);
            });
  }

  @Test
  void takesTheConfirmsOfOneBurstAsRanges() {
    Destination to = Broker.create(server, "ranges", Broker.QUORUM);
    start(Broker.config(server).window(64));
    for (int i = 0; i < 5000; i++) {
      send(to, "k" + i, 20);
    }
    awaitOutcomes(1, 5000);
    assertThat(LongStream.rangeClosed(1, 5000)).allMatch(recorder::confirmed);
    assertThat(eventIds(Broker.drain(server, "ranges"))).hasSize(5000);
  }

  @Test
  void keepsTheOrderOfEachKeyOverSeveralConnections() {
    Destination to = Broker.create(server, "several", Broker.QUORUM);
    start(Broker.config(server).connections(3).maxInFlightPerKey(1000));
    for (int i = 0; i < 3000; i++) {
      send(to, "k" + i % 10, 20);
    }
    awaitOutcomes(1, 3000);
    Map<Long, Long> last = new HashMap<>();
    for (GetResponse message : Broker.drain(server, "several")) {
      long number = Long.parseLong(message.getProps().getMessageId().substring("event-".length()));
      Long before = last.put(number % 10, number);
      assertThat(before == null || before < number).isTrue();
    }
    assertThat(last).hasSize(10);
  }

  @Test
  void setsTheAmqpProperties() {
    Destination to = Broker.create(server, "properties", Broker.QUORUM);
    start(Broker.config(server));
    long id = confirmOne(to);
    GetResponse got = Broker.drain(server, "properties").get(0);
    assertThat(got.getProps().getMessageId()).isEqualTo("event-" + id);
    assertThat(got.getProps().getType()).isEqualTo("Tested");
    assertThat(got.getProps().getContentType()).isEqualTo("text/plain");
    assertThat(got.getProps().getDeliveryMode()).isEqualTo(2);
  }

  @Test
  void refusesToStartTwiceAndToSendBeforeTheStart() {
    start(Broker.config(server));
    assertThatThrownBy(() -> publisher.start(recorder)).isInstanceOf(IllegalStateException.class);
    try (RabbitPublisher other = new RabbitPublisher(Broker.config(server).build())) {
      assertThatThrownBy(() -> other.send(message(Destination.exchange("", "q"), "k", 1, "e")))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void reportsWrongCredentialsWithoutShowingThem() {
    RabbitCredentials wrong = new RabbitCredentials.Password("guest", "secret-word");
    start(Broker.config(server).credentials(wrong));
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> recorder.transport().equals(List.of("unavailable")));
    assertThat(wrong.toString()).doesNotContain("secret-word");
  }

  private static List<String> lines(String... command) {
    return server.ctl(command).lines().filter(line -> line.startsWith("<")).toList();
  }

  private static long publisherThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("waybill-rabbit"))
        .count();
  }
}
