package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.testkit.Patience;
import io.waybill.testkit.SubscriberRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class KafkaSecurityTest {
  @TempDir private static Path directory;
  private static SecuredKafka kafka;

  @BeforeAll
  static void launch() throws Exception {
    kafka = new SecuredKafka(directory);
    kafka.server.createTopic("allowed", 1, Map.of());
    kafka.allow("allowed", AclOperation.WRITE);
  }

  @AfterAll
  static void close() {
    kafka.close();
  }

  @Test
  void theChecksNameATopicThatMayNotBeWrittenOrSeen() throws Exception {
    kafka.server.createTopic("read", 1, Map.of());
    kafka.server.createTopic("unseen", 1, Map.of());
    kafka.allow("read", AclOperation.READ);
    kafka.allow("read", AclOperation.DESCRIBE_CONFIGS);
    assertThat(checked("read")).contains(Check.KAFKA_WRITE_DENIED);
    assertThat(checked("unseen")).containsExactly(Check.KAFKA_TOPIC_UNREADABLE);

    kafka.allow("read", AclOperation.WRITE);
    Awaitility.await()
        .untilAsserted(() -> assertThat(checked("read")).doesNotContain(Check.KAFKA_WRITE_DENIED));
  }

  private static List<Check> checked(String topic) throws InterruptedException {
    return KafkaChecks.run(
            kafka.trusting("right").build(), List.of(Destination.topic(topic)), 1_000)
        .stream()
        .map(Finding::check)
        .toList();
  }

  @Test
  void publishesOverTlsWithAPassword() {
    try (PublisherDriver driver = new PublisherDriver(kafka.trusting("right"))) {
      driver.untilConfirmed("allowed", "k", "v");
    }
    assertThat(KafkaContractBroker.read(kafka.server, "allowed")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCRAM-SHA-256", "SCRAM-SHA-512"})
  void provesItsPasswordWithoutSendingIt(String mechanism) {
    try (PublisherDriver driver = new PublisherDriver(kafka.scram(mechanism, "right"))) {
      driver.untilConfirmed("allowed", "k", "v");
    }
    assertUnavailable(kafka.scram(mechanism, "wrong"));
  }

  @Test
  void aCertificateForAnotherHostIsReportedAsUnavailableAndRefusesNoMessage() {
    assertUnavailable(kafka.byName("right"));
  }

  @Test
  void aWrongPasswordIsReportedAsUnavailableAndRefusesNoMessage() {
    assertUnavailable(kafka.trusting("wrong"));
  }

  @Test
  void anUntrustedCertificateIsReportedAsUnavailableAndRefusesNoMessage() {
    assertUnavailable(kafka.config("right"));
  }

  private static void assertUnavailable(KafkaPublisherConfig.Builder config) {
    try (PublisherDriver driver = new PublisherDriver(config)) {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(15)))
          .until(() -> driver.recorder.transport().contains("unavailable"));
      assertThat(driver.outcome(driver.send("allowed", "k", "v")))
          .isInstanceOf(Confirmation.Unknown.class);
    }
  }

  @Test
  void aTopicThatMayNotBeSeenIsRefusedAndOthersFlow() {
    kafka.server.createTopic("hidden", 1, Map.of());
    try (PublisherDriver driver = new PublisherDriver(kafka.trusting("right"))) {
      driver.untilConfirmed("allowed", "k", "v");
      assertNotAuthorized(driver, "hidden");
      assertThat(driver.confirmed("allowed", "k", "v")).isTrue();
    }
  }

  @Test
  void aTopicThatMayOnlyBeSeenIsRefusedAndOthersFlow() throws Exception {
    kafka.server.createTopic("visible", 1, Map.of());
    kafka.allow("visible", AclOperation.DESCRIBE);
    try (PublisherDriver driver = new PublisherDriver(kafka.trusting("right"))) {
      driver.untilConfirmed("allowed", "k", "v");
      assertNotAuthorized(driver, "visible");
      driver.untilConfirmed("allowed", "k", "v");
      assertOthersKeepTheirOutcomes(driver);
      kafka.allow("visible", AclOperation.WRITE);
      driver.untilConfirmed("visible", "k", "v");
    }
    assertThat(KafkaContractBroker.read(kafka.server, "visible")).hasSize(1);
  }

  /** The first failure of a topic may cost the others an outcome, the later ones must not. */
  private static void assertOthersKeepTheirOutcomes(PublisherDriver driver) {
    List<Long> good = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 100; i++) {
        good.add(driver.send("allowed", "k" + i, "v"));
      }
      assertNotAuthorized(driver, "visible");
    }
    assertThat(good).allMatch(id -> driver.outcome(id) instanceof Confirmation.Confirmed);
  }

  /** Its limit may not be seen, so the broker is the first to say that a message is too large. */
  @Test
  void anEventThatIsTooLargeForATopicWithoutVisibleLimitCostsTheOthersOneClientAtMost()
      throws Exception {
    kafka.server.createTopic("small", 1, Map.of("max.message.bytes", "2000"));
    kafka.allow("small", AclOperation.WRITE);
    byte[] large = new byte[10_000];
    new Random(1).nextBytes(large);
    List<Long> others = new ArrayList<>();
    try (PublisherDriver driver = new PublisherDriver(kafka.trusting("right"))) {
      driver.untilConfirmed("allowed", "k", "v");
      driver.untilConfirmed("small", "good", "v");
      for (int attempt = 0; attempt < 5; attempt++) {
        long refused = driver.send(Destination.topic("small"), "large", large);
        while (driver.recorder.outcome(refused) == null) {
          others.add(driver.send("allowed", "k" + others.size() % 100, "v"));
          assertThat(driver.outcome(others.get(others.size() - 1))).isNotNull();
        }
        assertThat(driver.outcome(refused))
            .isInstanceOfSatisfying(
                Confirmation.Rejected.class,
                r -> assertThat(r.reason()).isEqualTo("record-too-large"));
        driver.untilConfirmed("small", "good", "v" + attempt);
      }
      long lost = others.stream().filter(id -> !driver.recorder.confirmed(id)).count();
      assertThat(lost).as("of %d to another topic", others.size()).isLessThanOrEqualTo(1);
      assertThat(driver.confirmed("small", "zeros", "0".repeat(10_000))).isTrue();
    }
  }

  private static void assertNotAuthorized(PublisherDriver driver, String topic) {
    assertThat(driver.outcome(driver.send(topic, "k", "v")))
        .isInstanceOfSatisfying(
            Confirmation.Refused.class, r -> assertThat(r.reason()).isEqualTo("not-authorized"));
  }

  @Test
  void aSubscriberReadsOverTlsAsSoonAsItMay() throws Exception {
    kafka.server.createTopic("subscribed", 1, Map.of());
    KafkaContractSource.publish(kafka.server, "subscribed", "k", List.of("a"));
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(subscription("right"))) {
      subscriber.start(recorder);
      awaitTold(recorder, "subscribed");
      kafka.allow("subscribed", AclOperation.READ);
      awaitTold(recorder, "GroupAuthorizationException");
      assertThat(recorder.count()).isZero();
      kafka.allow(ResourceType.GROUP, "readers", AclOperation.READ);
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .until(() -> recorder.count() == 1);
      Awaitility.await().until(() -> last(recorder).equals("available"));
    }
  }

  @Test
  void aSubscriberWithAWrongPasswordIsUnavailableAndShowsNoSecret() {
    SubscriberRecorder recorder = new SubscriberRecorder();
    try (KafkaSubscriber subscriber = new KafkaSubscriber(subscription("wrong-secret"))) {
      subscriber.start(recorder);
      awaitTold(recorder, "SaslAuthenticationException");
      assertThat(recorder.transport()).noneMatch(told -> told.contains("wrong-secret"));
    }
  }

  private static KafkaSubscriberConfig subscription(String password) {
    return KafkaSubscriberConfig.builder(
            kafka.server.clientServers(), "readers", List.of("subscribed"))
        .properties(kafka.trusting(password).build().properties())
        .build();
  }

  private static String last(SubscriberRecorder recorder) {
    List<String> all = recorder.transport();
    return all.isEmpty() ? "" : all.get(all.size() - 1);
  }

  private static void awaitTold(SubscriberRecorder recorder, String words) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .until(() -> recorder.transport().stream().anyMatch(told -> told.contains(words)));
  }
}
