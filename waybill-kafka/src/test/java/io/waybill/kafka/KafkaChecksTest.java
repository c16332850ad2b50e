package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaChecksTest {
  private static final int KILOBYTE = 1_000;
  private static final String ORDER =
      """
      {"orderId":"order-%1$d","customerId":"customer-%1$d","status":"PLACED","currency":"EUR",\
      "items":[{"productId":"book","quantity":2,"unitPrice":12.50},\
      {"productId":"pen","quantity":1,"unitPrice":0.99}]}""";

  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static List<Finding> check(String topic, long maxBytes) throws InterruptedException {
    return check(Destination.topic(topic), maxBytes);
  }

  private static List<Finding> check(Destination to, long maxBytes) throws InterruptedException {
    KafkaPublisherConfig config = KafkaPublisherConfig.builder(server.bootstrapServers()).build();
    return KafkaChecks.run(config, List.of(to), maxBytes);
  }

  @ParameterizedTest
  @CsvSource({
    "unclean.leader.election.enable, true, KAFKA_UNCLEAN_ELECTION",
    "message.timestamp.after.max.ms, 1000, KAFKA_NEW_EVENTS_REFUSED",
    "max.message.bytes, 900, KAFKA_TOPIC_MESSAGES_TOO_SMALL",
    "cleanup.policy, compact, KAFKA_TOPIC_COMPACTED",
    "retention.ms, 60000, KAFKA_RETENTION_SHORT",
    "compression.type, gzip, KAFKA_COMPRESSED_AGAIN",
    "min.insync.replicas, 2, KAFKA_MIN_INSYNC_UNREACHABLE",
  })
  void warnsOfATopicSettingWithARemedyThatMendsIt(String setting, String value, Check check)
      throws Exception {
    String topic = "check-" + setting.replace('.', '-');
    server.createTopic(topic, 1, Map.of(setting, value));
    List<Finding> findings = check(topic, KILOBYTE);
    assertThat(findings)
        .allMatch(finding -> finding.severity() == Finding.Severity.WARN)
        .allMatch(finding -> finding.subject().equals("topic " + topic))
        .extracting(Finding::check)
        .containsExactlyInAnyOrder(Check.KAFKA_REPLICATION_FACTOR_ONE, check);
    Finding found =
        findings.stream().filter(finding -> finding.check() == check).findFirst().orElseThrow();
    assertThat(found.detail()).startsWith(setting + ": ").contains(value);

    alter(topic, found.remedy().replaceFirst(".*--add-config ", ""));
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(check(topic, KILOBYTE))
                    .extracting(Finding::check)
                    .containsExactly(Check.KAFKA_REPLICATION_FACTOR_ONE));
  }

  @Test
  void warnsOfTopicsThatDeleteOrRefuseEventsByTheTimeOfTheirCreation() throws Exception {
    server.createTopic("dated", 1, Map.of("message.timestamp.before.max.ms", "3600000"));
    assertThat(check("dated", KILOBYTE))
        .extracting(Finding::check)
        .containsExactly(Check.KAFKA_REPLICATION_FACTOR_ONE);
    Destination dated = new Destination("dated", "", null, RecordTime.CREATED);
    for (Check check : List.of(Check.KAFKA_OLD_EVENTS_REFUSED, Check.KAFKA_CREATION_TIME_EXPIRES)) {
      assertThat(check(dated, KILOBYTE)).extracting(Finding::check).contains(check);
      Finding found =
          check(dated, KILOBYTE).stream().filter(f -> f.check() == check).findFirst().orElseThrow();
      alter("dated", found.remedy().replaceFirst(".*--add-config ", ""));
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(check(dated, KILOBYTE))
                      .extracting(Finding::check)
                      .doesNotContain(check));
    }
  }

  @Test
  void warnsWhenTheBufferHasNoBatchForEachPartition() throws Exception {
    server.createTopic("many", 40, Map.of("segment.index.bytes", "1024"));
    KafkaPublisherConfig.Builder config =
        KafkaPublisherConfig.builder(server.bootstrapServers())
            .property("batch.size", Integer.toString(128 * 1024))
            .property("buffer.memory", Integer.toString(4 * 1024 * 1024));
    List<Destination> to = List.of(Destination.topic("many"));
    assertThat(KafkaChecks.run(config.build(), to, KILOBYTE))
        .extracting(Finding::check)
        .contains(Check.KAFKA_BUFFER_BELOW_PARTITIONS);
    config.property("buffer.memory", Integer.toString(40 * 128 * 1024));
    assertThat(KafkaChecks.run(config.build(), to, KILOBYTE))
        .extracting(Finding::check)
        .doesNotContain(Check.KAFKA_BUFFER_BELOW_PARTITIONS);
  }

  @Test
  void theTimeOfAppendIsWrongForARouteThatKeepsTheTimeOfTheCreationAlone() throws Exception {
    server.createTopic("appended", 1, Map.of("message.timestamp.type", "LogAppendTime"));
    assertThat(check("appended", KILOBYTE))
        .extracting(Finding::check)
        .containsExactly(Check.KAFKA_REPLICATION_FACTOR_ONE);
    assertThat(check(new Destination("appended", "", null, RecordTime.CREATED), KILOBYTE))
        .extracting(Finding::check)
        .containsExactly(Check.KAFKA_REPLICATION_FACTOR_ONE, Check.KAFKA_TIME_OF_APPEND);
  }

  @Test
  void notesWhatCompressionWouldSaveOfAnAdoptedTablesEvents() throws Exception {
    server.createTopic("plain", 3, Map.of());
    List<Destination> to = List.of(Destination.topic("plain"));
    KafkaBroker given = KafkaBroker.at(server.bootstrapServers());
    KafkaBroker adopted = given.forAdoptedTable();
    assertThat(saving(adopted, to))
        .endsWith("unless it is set; gzip usually makes JSON three to six times smaller");
    assertThat(saving(adopted, List.of())).endsWith("three to six times smaller");

    try (PublisherDriver driver =
        new PublisherDriver(KafkaPublisherConfig.builder(server.bootstrapServers()))) {
      List<Long> sends =
          IntStream.range(0, 300)
              .mapToObj(n -> driver.send("plain", "key-" + n, ORDER.formatted(n)))
              .toList();
      sends.forEach(
          send -> assertThat(driver.outcome(send)).isInstanceOf(Confirmation.Confirmed.class));
    }

    assertThat(saving(adopted, to))
        .matches(
            "compression.type: events of an adopted table go uncompressed unless it is set;"
                + " gzip would save \\d\\d % of the latest \\d+ events: \\d+ of \\d+ bytes");
    KafkaPublisherConfig chosen =
        KafkaPublisherConfig.builder(server.bootstrapServers())
            .property("compression.type", "none")
            .build();
    for (KafkaBroker other : List.of(given, KafkaBroker.of(chosen).forAdoptedTable())) {
      assertThat(other.check(to))
          .extracting(Finding::check)
          .doesNotContain(Check.KAFKA_NOT_COMPRESSED);
    }
  }

  private static String saving(KafkaBroker broker, List<Destination> to) {
    Finding found =
        broker.check(to).stream()
            .filter(finding -> finding.check() == Check.KAFKA_NOT_COMPRESSED)
            .findFirst()
            .orElseThrow();
    assertThat(found.severity()).isEqualTo(Finding.Severity.NOTE);
    return found.detail();
  }

  /** What {@code kafka-configs.sh --alter --add-config} does. */
  private static void alter(String topic, String setting) throws Exception {
    String[] parts = setting.split("=", 2);
    AlterConfigOp op =
        new AlterConfigOp(new ConfigEntry(parts[0], parts[1]), AlterConfigOp.OpType.SET);
    try (Admin admin = server.admin()) {
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(op)))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  @Tag("long")
  void warnsOfReplicasThatAreTooFewOrAway() throws Exception {
    try (KafkaServer second = KafkaServer.launchBeside(server);
        Admin admin = server.admin()) {
      awaitBrokers(admin, 2);
      admin
          .createTopics(
              List.of(
                  replicated("loose", "1"),
                  replicated("tight", "2"),
                  new NewTopic("elsewhere", Map.of(0, List.of(2)))))
          .all()
          .get(20, TimeUnit.SECONDS);
      awaitCheck("loose", Check.KAFKA_MIN_INSYNC_ONE);
      awaitCheck("tight", Check.KAFKA_MIN_INSYNC_ALL);
      alter("tight", "min.insync.replicas=1");
      awaitCheck("tight", Check.KAFKA_MIN_INSYNC_ONE);

      second.kill();
      awaitCheck("loose", Check.KAFKA_MIN_INSYNC_ONE, Check.KAFKA_REPLICAS_BEHIND);
      awaitCheck(
          "elsewhere", Check.KAFKA_REPLICATION_FACTOR_ONE, Check.KAFKA_PARTITION_WITHOUT_LEADER);
      second.start();
      awaitCheck("loose", Check.KAFKA_MIN_INSYNC_ONE);
      awaitCheck("elsewhere", Check.KAFKA_REPLICATION_FACTOR_ONE);
    }
    // Until its session ends, the first one would give it topics that others create.
    try (Admin admin = server.admin()) {
      awaitBrokers(admin, 1);
    }
  }

  private static void awaitBrokers(Admin admin, int brokers) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .until(() -> admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).size() == brokers);
  }

  private static NewTopic replicated(String name, String minInsync) {
    return new NewTopic(name, 1, (short) 2).configs(Map.of("min.insync.replicas", minInsync));
  }

  private static void awaitCheck(String topic, Check... checks) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .untilAsserted(
            () ->
                assertThat(check(topic, KILOBYTE))
                    .extracting(Finding::check)
                    .containsExactlyInAnyOrder(checks));
  }

  @Test
  void warnsOfAMissingTopicUnlessItWillBeCreated() throws Exception {
    assertThat(check("nowhere", KILOBYTE))
        .singleElement()
        .returns(Check.KAFKA_TOPIC_MISSING, Finding::check);
    KafkaPublisherConfig creating =
        KafkaPublisherConfig.builder(server.bootstrapServers()).createTopics(1, 1).build();
    assertThat(KafkaChecks.run(creating, List.of(Destination.topic("nowhere")), KILOBYTE))
        .isEmpty();
    KafkaPublisherConfig tooMany =
        KafkaPublisherConfig.builder(server.bootstrapServers()).createTopics(1, 3).build();
    assertThat(KafkaChecks.run(tooMany, List.of(Destination.topic("nowhere")), KILOBYTE))
        .singleElement()
        .returns(Check.KAFKA_TOPICS_CANNOT_BE_CREATED, Finding::check)
        .satisfies(f -> assertThat(f.remedy()).matches(".* to at most [12]"));
  }

  @ParameterizedTest
  @CsvSource({
    "max.request.size, KAFKA_REQUESTS_TOO_SMALL",
    "buffer.memory, KAFKA_BUFFER_TOO_SMALL"
  })
  void warnsWhenTheLargestEventDoesNotFitARequest(String property, Check check) throws Exception {
    KafkaPublisherConfig config =
        KafkaPublisherConfig.builder(server.bootstrapServers())
            .property(property, "100000")
            .build();
    assertThat(KafkaChecks.run(config, List.of(), 200_000))
        .singleElement()
        .returns(check, Finding::check)
        .satisfies(
            f -> assertThat(f.remedy()).isEqualTo("set " + property + " to at least 200000"));
  }

  @Test
  void warnsInTimeOfABrokerThatDoesNotAnswer() throws Exception {
    // One refuses connections, one takes them and says nothing.
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      for (int port : new int[] {9, silent.getLocalPort()}) {
        KafkaPublisherConfig config = KafkaPublisherConfig.builder("127.0.0.1:" + port).build();
        long start = System.nanoTime();
        assertThat(KafkaChecks.run(config, List.of(Destination.topic("any")), KILOBYTE))
            .singleElement()
            .returns(Check.KAFKA_SILENT, Finding::check);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
      }
    }
  }

  @Test
  void warnsOfAnUnencryptedConnectionToAnotherMachine() throws Exception {
    KafkaPublisherConfig config = KafkaPublisherConfig.builder("broker.invalid:9092").build();
    assertThat(KafkaChecks.run(config, List.of(), KILOBYTE))
        .extracting(Finding::check)
        .contains(Check.KAFKA_PLAINTEXT);
  }

  @Test
  void createsAndChecksTopicsForDeadLetters() throws Exception {
    server.createTopic("orders", 3, Map.of());
    KafkaDeadLetters deadLetters =
        new KafkaDeadLetters(KafkaPublisherConfig.builder(server.bootstrapServers()).build());
    assertThat(KafkaDeadLetters.of("orders")).isEqualTo(Destination.topic("orders.dlt"));
    assertThat(deadLetters.check(List.of("orders")))
        .extracting(Finding::check)
        .containsExactly(Check.KAFKA_TOPIC_MISSING);
    assertThat(deadLetters.create(List.of("orders"), 9))
        .extracting(Finding::check)
        .containsExactly(Check.KAFKA_TOPICS_CANNOT_BE_CREATED);
    assertThat(deadLetters.create(List.of("orders"), 1)).isEmpty();
    assertThat(deadLetters.create(List.of("orders"), 1)).isEmpty();
    Awaitility.await().until(() -> deadLetters.check(List.of("orders")).isEmpty());
    assertThat(deadLetters.create(List.of("no-such-topic"), 1))
        .extracting(Finding::subject)
        .containsExactly("topic no-such-topic");
    String name = "orders.dlt";
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    try (Admin admin = server.admin()) {
      assertThat(admin.describeTopics(List.of(name)).allTopicNames().get(20, TimeUnit.SECONDS))
          .hasEntrySatisfying(name, found -> assertThat(found.partitions()).hasSize(3));
      assertThat(admin.describeConfigs(List.of(resource)).all().get(20, TimeUnit.SECONDS))
          .hasEntrySatisfying(
              resource, found -> assertThat(found.get("retention.ms").value()).isEqualTo("-1"));
    }
  }
}
