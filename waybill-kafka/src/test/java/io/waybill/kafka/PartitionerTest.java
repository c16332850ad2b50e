package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.InstalledProgram;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys stay in the partitions in which the producer before put them: librdkafka's, from Python. */
class PartitionerTest {
  private static final int PARTITIONS = 12;
  private static final List<String> KEYS =
      IntStream.range(0, 200).mapToObj(n -> (n % 3 == 0 ? "kunde-ä-" : "order-") + n).toList();

  private static final String PRODUCER =
      """
      import sys
      from confluent_kafka import Producer

      servers, topic, partitioner = sys.argv[1:4]
      producer = Producer({'bootstrap.servers': servers, 'partitioner': partitioner})

      def confirmed(error, message):
          if error is not None:
              raise SystemExit(str(error))

      for key in sys.argv[4:]:
          producer.produce(topic, key=key.encode(), value=b'before', on_delivery=confirmed)
      if producer.flush(30) > 0:
          raise SystemExit('not all were confirmed')
      """;

  private static KafkaServer server;

  @TempDir Path folder;

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

  /** What is installed, or else what can be unpacked. */
  private static String python() {
    return InstalledProgram.pythonWith("confluent_kafka").orElseGet(PartitionerTest::unpacked);
  }

  private static String unpacked() {
    UnpackedServer.PYTHON.assumeThere();
    return UnpackedServer.PYTHON.starter("python3").toString();
  }

  private void produce(String topic, String partitioner) throws Exception {
    String python = python();
    Path script = Files.writeString(folder.resolve("producer.py"), PRODUCER);
    List<String> command =
        Stream.concat(
                Stream.of(python, script.toString(), server.bootstrapServers(), topic, partitioner),
                KEYS.stream())
            .toList();
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(output)).isZero();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void publish(String topic, KeyPartitioner partitioner) {
    try (PublisherDriver driver = new PublisherDriver(config().partitioner(partitioner))) {
      List<Long> sends = KEYS.stream().map(key -> driver.send(topic, key, "after")).toList();
      sends.forEach(
          send -> assertThat(driver.outcome(send)).isInstanceOf(Confirmation.Confirmed.class));
    }
  }

  /** Partitions of the keys, of the records with this body. */
  private static Map<String, Integer> places(String topic, String body, int keys) {
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers", server.bootstrapServers(),
            "key.deserializer", StringDeserializer.class,
            "value.deserializer", StringDeserializer.class);
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(properties)) {
      List<TopicPartition> all =
          IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(topic, n)).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<String, Integer> places = new HashMap<>();
      Awaitility.await("records of " + keys + " keys")
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .until(
              () -> {
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) {
                  if (each.value().equals(body)) {
                    places.put(each.key(), each.partition());
                  }
                }
                return places.size() == keys;
              });
      return places;
    }
  }

  private static List<Finding> check(String topic, KeyPartitioner partitioner)
      throws InterruptedException {
    return KafkaChecks.run(
            config().partitioner(partitioner).build(), List.of(Destination.topic(topic)), 1_000)
        .stream()
        .filter(found -> found.check() == Check.KAFKA_PARTITIONER_DIFFERS)
        .toList();
  }

  /** What a cut-over is about: the old job is librdkafka's, and consumers go on. */
  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void keysStayInThePartitionsOfLibrdkafka(StandardPartitioner partitioner) throws Exception {
    String topic = "cut-over-" + partitioner;
    server.createTopic(topic, PARTITIONS, Map.of());
    produce(topic, partitioner.name().toLowerCase(Locale.ROOT));
    Map<String, Integer> before = places(topic, "before", KEYS.size());
    assertThat(check(topic, partitioner)).isEmpty();

    publish(topic, partitioner);

    assertThat(places(topic, "after", KEYS.size())).isEqualTo(before);
    assertThat(check(topic, partitioner)).isEmpty();
  }

  /** The doctor tells of each other partitioner, and which one fits. */
  @ParameterizedTest
  @EnumSource(names = {"MURMUR2_RANDOM", "CONSISTENT_RANDOM", "FNV1A_RANDOM"})
  void theCheckNamesThePartitionerThatFits(StandardPartitioner partitioner) throws Exception {
    String topic = "named-" + partitioner;
    server.createTopic(topic, PARTITIONS, Map.of());
    publish(topic, partitioner);
    for (StandardPartitioner other : StandardPartitioner.values()) {
      List<Finding> findings = check(topic, other);
      if (other.partition(new byte[0], 97) == partitioner.partition(new byte[0], 97)) {
        assertThat(findings).isEmpty();
      } else {
        assertThat(findings)
            .singleElement()
            .satisfies(
                found -> {
                  assertThat(found.subject()).isEqualTo("topic " + topic);
                  assertThat(found.detail())
                      .startsWith("partitioner: " + other + " sends 1")
                      .contains(" of the 200 keys seen last (")
                      .endsWith(partitioner + " fits all of them");
                  assertThat(found.remedy()).startsWith("set partitioner to " + partitioner + ",");
                });
      }
    }
  }

  @Test
  void theCheckSaysWhenNoneFits() throws Exception {
    server.createTopic("mixed", PARTITIONS, Map.of());
    publish("mixed", (key, partitions) -> key == null ? KeyPartitioner.SPREAD : 5);
    assertThat(check("mixed", StandardPartitioner.MURMUR2_RANDOM))
        .singleElement()
        .satisfies(found -> assertThat(found.detail()).contains("no standard partitioner fits"));
    Destination named = new Destination("mixed", "", 5);
    assertThat(KafkaChecks.run(config().build(), List.of(named), 1_000))
        .extracting(Finding::check)
        .doesNotContain(Check.KAFKA_PARTITIONER_DIFFERS);
    server.createTopic("untouched", PARTITIONS, Map.of());
    assertThat(check("untouched", StandardPartitioner.MURMUR2_RANDOM)).isEmpty();
  }

  @Test
  void onesOwnPartitionerIsAskedWhereTheRouteNamesNoPartition() {
    server.createTopic("own", PARTITIONS, Map.of());
    publish("own", (key, partitions) -> key == null ? KeyPartitioner.SPREAD : partitions - 1);
    assertThat(places("own", "after", KEYS.size()).values()).containsOnly(PARTITIONS - 1);
    try (PublisherDriver driver = new PublisherDriver(config().partitioner((key, n) -> n - 1))) {
      Destination named = new Destination("own", "", 3, RecordTime.SENT);
      assertThat(driver.outcome(driver.send(named, "k", "named".getBytes(UTF_8))))
          .isInstanceOf(Confirmation.Confirmed.class);
    }
    assertThat(places("own", "named", 1)).containsExactly(Map.entry("k", 3));
  }

  @Test
  void whatAPartitionerCannotPlaceIsRejectedAndTheNextIsSent() {
    server.createTopic("bad", PARTITIONS, Map.of());
    KeyPartitioner bad =
        (key, partitions) -> {
          String text = key == null ? "" : new String(key, UTF_8);
          if (text.equals("throws")) {
            throw new IllegalStateException("no place");
          }
          return text.equals("out") ? partitions : text.equals("none") ? -1 : 0;
        };
    try (PublisherDriver driver = new PublisherDriver(config().partitioner(bad))) {
      for (String key : List.of("throws", "out", "none")) {
        assertThat(driver.outcome(driver.send("bad", key, "1")))
            .isInstanceOfSatisfying(
                Confirmation.Rejected.class,
                rejected -> assertThat(rejected.reason()).isEqualTo("invalid-record"));
      }
      assertThat(driver.outcome(driver.send("bad", "good", "2")))
          .isInstanceOf(Confirmation.Confirmed.class);
    }
  }
}
