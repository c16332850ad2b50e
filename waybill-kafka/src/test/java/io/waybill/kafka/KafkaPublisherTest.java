package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaPublisherTest {
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static PublisherDriver driver() {
    return new PublisherDriver(KafkaPublisherConfig.builder(server.bootstrapServers()));
  }

  private static List<String> bodies(String topic) {
    return KafkaContractBroker.read(server, topic).stream()
        .map(Received::body)
        .map(body -> new String(Objects.requireNonNull(body), UTF_8))
        .toList();
  }

  private static void alter(String topic, String name, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    try (Admin admin = server.admin()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void sendsEachKeyToOnePartitionAndUsesThemAll() {
    server.createTopic("by-key", 3, Map.of());
    Map<String, Set<Integer>> seen = new HashMap<>();
    try (PublisherDriver driver = driver()) {
      for (int i = 0; i < 90; i++) {
        long id = driver.send("by-key", "k" + i % 30, "v");
        assertThat(driver.outcome(id)).isInstanceOf(Confirmation.Confirmed.class);
      }
    }
    KafkaContractBroker.records(server, "by-key")
        .forEach(
            record ->
                seen.computeIfAbsent(new String(record.key(), UTF_8), key -> new TreeSet<>())
                    .add(record.partition()));
    assertThat(seen).hasSize(30).allSatisfy((key, one) -> assertThat(one).hasSize(1));
    assertThat(KafkaContractBroker.partitions(server, "by-key")).contains(0, 1, 2);
  }

  @Test
  void usesTheExplicitPartition() {
    server.createTopic("explicit", 5, Map.of());
    try (PublisherDriver driver = driver()) {
      for (int partition = 0; partition < 5; partition++) {
        long id = driver.send(new Destination("explicit", "", partition), "same", new byte[1]);
        assertThat(driver.outcome(id)).isInstanceOf(Confirmation.Confirmed.class);
      }
    }
    assertThat(KafkaContractBroker.partitions(server, "explicit")).containsOnly(0, 1, 2, 3, 4);
  }

  @Test
  void createsAMissingTopicOnRequest() throws Exception {
    KafkaPublisherConfig.Builder config =
        KafkaPublisherConfig.builder(server.bootstrapServers()).createTopics(2, 1);
    try (PublisherDriver driver = new PublisherDriver(config)) {
      driver.untilConfirmed("created", "k", "one");
    }
    try (Admin admin = server.admin()) {
      var description = admin.describeTopics(List.of("created")).allTopicNames().get();
      assertThat(description.values()).singleElement().matches(t -> t.partitions().size() == 2);
    }
  }

  @Test
  void refusesAMessageWithoutKeyForACompactedTopic() {
    server.createTopic("compacted", 1, Map.of("cleanup.policy", "compact"));
    try (PublisherDriver driver = driver()) {
      long id = driver.send("compacted", null, "no key");
      assertThat(driver.outcome(id))
          .isInstanceOfSatisfying(
              Confirmation.Rejected.class, r -> assertThat(r.reason()).isEqualTo("key-required"));
      assertThat(driver.confirmed("compacted", "k", "key")).isTrue();
    }
  }

  @Test
  void measuresAMessageAgainstItsTopicBeforeTheSend() {
    server.createTopic("small", 1, Map.of("max.message.bytes", "10000"));
    server.createTopic("mates", 1, Map.of());
    try (PublisherDriver driver = driver()) {
      List<Long> mates = new ArrayList<>();
      List<Long> refused = new ArrayList<>();
      byte[] noise = new byte[10_000];
      new Random(1).nextBytes(noise);
      for (int i = 0; i < 20; i++) {
        mates.add(driver.send("mates", "k" + i, "fine"));
        mates.add(driver.send("small", "m" + i, "fine"));
        refused.add(driver.send(Destination.topic("small"), "g" + i, noise));
      }
      refused.forEach(
          id ->
              assertThat(driver.outcome(id))
                  .isInstanceOfSatisfying(
                      Confirmation.Rejected.class,
                      r -> assertThat(r.reason()).isEqualTo("record-too-large")));
      mates.forEach(
          id -> assertThat(driver.outcome(id)).isInstanceOf(Confirmation.Confirmed.class));
    }
  }

  @Test
  void whatFitsWhenItIsCompressedIsSent() {
    server.createTopic("squeezed", 1, Map.of("max.message.bytes", "2000"));
    try (PublisherDriver driver = driver()) {
      for (int i = 0; i < 5; i++) {
        assertThat(driver.outcome(driver.send("squeezed", "k", "x".repeat(10_000))))
            .isInstanceOf(Confirmation.Confirmed.class);
      }
    }
    assertThat(bodies("squeezed")).hasSize(5);
  }

  /** Around the default limit of the API, of the client, and of the broker. */
  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 999_999, 1_000_000, 1_000_001, 1_048_487, 1_048_488, 1_048_575, 1_048_576})
  void aSizeAroundALimitIsCarriedOrRefused(int size) {
    String topic = "size-" + size;
    server.createTopic(topic, 1, Map.of());
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    try (PublisherDriver driver = driver()) {
      driver.untilConfirmed(topic, "before", "mate");
      Confirmation outcome = driver.outcome(driver.send(Destination.topic(topic), "k", body));
      driver.untilConfirmed(topic, "after", "mate");
      List<byte[]> stored =
          KafkaContractBroker.read(server, topic).stream()
              .map(received -> Objects.requireNonNull(received.body()))
              .filter(bytes -> !Arrays.equals(bytes, "mate".getBytes(UTF_8)))
              .toList();
      if (outcome instanceof Confirmation.Confirmed) {
        assertThat(stored).singleElement().isEqualTo(body);
      } else {
        assertThat(size).isGreaterThan(1_000_000);
        assertThat(outcome).isInstanceOf(Confirmation.Rejected.class);
        assertThat(stored).isEmpty();
      }
    }
  }

  @Test
  void nothingOfAKeyPassesAMessageThatTheBrokerRefuses() throws Exception {
    server.createTopic("shrunk", 1, Map.of("max.message.bytes", "100000"));
    byte[] big = new byte[50_000];
    new Random(1).nextBytes(big);
    try (PublisherDriver driver = driver()) {
      driver.untilConfirmed("shrunk", "k", numbered(0));
      alter("shrunk", "max.message.bytes", "2000");
      long before = driver.send("shrunk", "k", numbered(1));
      long refused = driver.send(Destination.topic("shrunk"), "k", big);
      List<Long> behind = new ArrayList<>();
      for (int i = 2; i < 500; i++) {
        behind.add(driver.send("shrunk", "k", numbered(i)));
      }
      assertThat(driver.outcome(refused)).isInstanceOf(Confirmation.Rejected.class);
      assertThat(driver.outcome(before)).isInstanceOf(Confirmation.Confirmed.class);
      behind.forEach(
          id ->
              assertThat(driver.outcome(id))
                  .isInstanceOfAny(Confirmation.Unknown.class, Confirmation.NotSent.class));
      assertThat(bodies("shrunk")).containsExactly(numbered(0), numbered(1));
      driver.untilConfirmed("shrunk", "k", numbered(2));
    }
    assertThat(bodies("shrunk")).containsExactly(numbered(0), numbered(1), numbered(2));
  }

  private static String numbered(int number) {
    return number + "-" + "x".repeat(200);
  }

  @Test
  void findsATopicAgainThatWasDeletedAndCreated() {
    server.createTopic("reborn", 1, Map.of());
    try (PublisherDriver driver = driver()) {
      driver.untilConfirmed("reborn", "k", "old");
      server.deleteTopic("reborn");
      assertThat(driver.outcome(driver.send("reborn", "k", "lost")))
          .isInstanceOfAny(Confirmation.Unknown.class, Confirmation.Refused.class);
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .untilAsserted(
              () ->
                  assertThat(driver.outcome(driver.send("reborn", "k", "lost")))
                      .asInstanceOf(InstanceOfAssertFactories.type(Confirmation.Refused.class))
                      .returns("topic-missing", Confirmation.Refused::reason));
      server.createTopic("reborn", 1, Map.of());
      driver.untilConfirmed("reborn", "k", "new");
    }
    assertThat(bodies("reborn")).containsExactly("new");
  }

  @Test
  void anIdleTopicIsLookedUpAgainWithoutHoldingUpTheSend() {
    server.createTopic("idle", 1, Map.of());
    KafkaPublisherConfig.Builder config =
        KafkaPublisherConfig.builder(server.bootstrapServers())
            .property("metadata.max.idle.ms", "5000")
            .property("metadata.max.age.ms", "500");
    try (PublisherDriver driver = new PublisherDriver(config)) {
      driver.untilConfirmed("idle", "k", "first");
      long start = System.nanoTime();
      // The client forgets the topic in that time; there is nothing to be seen of it from outside.
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(20)))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> System.nanoTime() - start > Duration.ofSeconds(7).toNanos());
      long id = driver.send("idle", "k", "second");
      assertThat(driver.outcome(id)).isInstanceOf(Confirmation.Confirmed.class);
    }
  }
}
