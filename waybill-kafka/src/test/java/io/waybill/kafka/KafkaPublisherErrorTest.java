package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.send.Clients;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever fails on a thread of the publisher is done again, and each send has its outcome. */
@Tag("long")
class KafkaPublisherErrorTest {
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static KafkaPublisherConfig.Builder config() {
    return KafkaPublisherConfig.builder(server.bootstrapServers());
  }

  /** A listener whose first reports on the threads of a name end in an error. */
  private record FailingListener(
      PublisherListener inner, Predicate<String> threads, AtomicInteger failures)
      implements PublisherListener {
    @Override
    public void onConfirmation(Confirmation confirmation) {
      failOn();
      inner.onConfirmation(confirmation);
    }

    @Override
    public void unavailable(String reason) {
      failOn();
      inner.unavailable(reason);
    }

    @Override
    public void available() {
      failOn();
      inner.available();
    }

    @Override
    public void failed(Throwable cause) {
      inner.failed(cause);
    }

    private void failOn() {
      if (threads.test(Thread.currentThread().getName()) && failures.getAndDecrement() > 0) {
        throw new NoClassDefFoundError("planted");
      }
    }
  }

  /** Clients of which some calls fail. */
  private static class FailingClients implements Clients {
    private final KafkaPublisherConfig config;
    private final Clients real;
    final AtomicInteger failures = new AtomicInteger();
    final Set<String> denied = ConcurrentHashMap.newKeySet();

    FailingClients(KafkaPublisherConfig config) {
      this.config = config;
      real = new RealClients(config);
    }

    @Override
    public KafkaProducer<byte[], byte[]> producer(int batchBytes) {
      fail();
      return new KafkaProducer<>(ClientProperties.producer(config, batchBytes)) {
        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
          if (denied.contains(topic)) {
            throw new TopicAuthorizationException(Set.of(topic));
          }
          return super.partitionsFor(topic);
        }
      };
    }

    @Override
    public KafkaProducer<byte[], byte[]> warmUp(String server) {
      return real.warmUp(server);
    }

    @Override
    public Admin admin() {
      fail();
      return real.admin();
    }

    private void fail() {
      if (failures.getAndDecrement() > 0) {
        throw new NoClassDefFoundError("planted");
      }
    }
  }

  @Test
  void anErrorWhileTopicsAreLookedUpEndsNoLookup() {
    server.createTopic("lookup", 1, Map.of());
    Function<KafkaPublisherConfig, Clients> failing =
        config -> {
          FailingClients clients = new FailingClients(config);
          clients.failures.set(3);
          return clients;
        };
    try (PublisherDriver driver =
        new PublisherDriver(config(), failing, UnaryOperator.identity())) {
      driver.untilConfirmed("lookup", "k", "v");
    }
  }

  @Test
  void anErrorOnTheThreadOfTheTimeLimitsEndsNoLimit() {
    server.createTopic("limits", 1, Map.of());
    AtomicInteger failures = new AtomicInteger(2);
    try (PublisherDriver driver =
        new PublisherDriver(
            config(),
            RealClients::new,
            inner -> new FailingListener(inner, name -> name.contains("ticker"), failures))) {
      driver.untilConfirmed("limits", "k", "v");
      server.freeze();
      List<Long> sends = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        sends.add(driver.send("not-known-" + i, "k", "v"));
      }
      driver.flush();
      sends.forEach(driver::outcome);
    } finally {
      server.thaw();
    }
    assertThat(failures.get()).as("errors to come").isLessThanOrEqualTo(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka-producer", "waybill-kafka-worker"})
  void aReportThatEndsInAnErrorIsMadeAgain(String thread) {
    String topic = "report-" + thread;
    server.createTopic(topic, 2, Map.of());
    AtomicInteger failures = new AtomicInteger();
    try (PublisherDriver driver =
        new PublisherDriver(
            config(),
            RealClients::new,
            inner -> new FailingListener(inner, name -> name.contains(thread), failures))) {
      driver.untilConfirmed(topic, "k", "v");
      failures.set(3);
      List<Long> sends = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        sends.add(driver.send(topic, "k" + i, "v"));
      }
      if (!thread.startsWith("kafka")) {
        server.kill();
      }
      driver.flush();
      sends.forEach(driver::outcome);
      assertThat(driver.recorder.repeated()).isEmpty();
      if (!thread.startsWith("kafka")) {
        server.start();
      }
      driver.untilConfirmed(topic, "k", "after");
    }
  }

  @Test
  void aBrokerThatAnswersAgainIsToldAfterAnError() {
    AtomicInteger failures = new AtomicInteger();
    try (PublisherDriver driver =
        new PublisherDriver(
            config(),
            RealClients::new,
            inner -> new FailingListener(inner, name -> name.contains("worker"), failures))) {
      server.createTopic("told", 1, Map.of());
      driver.untilConfirmed("told", "k", "v");
      server.freeze();
      failures.set(1);
      long unused = driver.send("told", "k", "lost");
      awaitTold(driver, "unavailable");
      failures.set(1);
      server.thaw();
      awaitTold(driver, "available");
    }
  }

  private static void awaitTold(PublisherDriver driver, String word) {
    Awaitility.await(word)
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .until(() -> driver.recorder.transport().contains(word));
  }

  @Test
  void aTopicThatMayNoLongerBeSeenHoldsUpNoOther() {
    List<String> topics = List.of("seen-a", "seen-b", "seen-c", "seen-d");
    topics.forEach(topic -> server.createTopic(topic, 1, Map.of()));
    Function<KafkaPublisherConfig, Clients> denying =
        config -> {
          FailingClients clients = new FailingClients(config);
          clients.denied.addAll(topics.subList(0, 3));
          return clients;
        };
    try (PublisherDriver driver =
        new PublisherDriver(config(), denying, UnaryOperator.identity())) {
      List<Long> denied = new ArrayList<>();
      topics.subList(0, 3).forEach(topic -> denied.add(driver.send(topic, "k", "v")));
      long seen = driver.send("seen-d", "k", "v");
      assertThat(driver.outcome(seen)).isInstanceOf(Confirmation.Confirmed.class);
      denied.forEach(
          id ->
              assertThat(driver.outcome(id))
                  .isInstanceOfSatisfying(
                      Confirmation.NotConfirmed.class,
                      not -> assertThat(not.reason()).isEqualTo("not-authorized")));
    }
  }
}
