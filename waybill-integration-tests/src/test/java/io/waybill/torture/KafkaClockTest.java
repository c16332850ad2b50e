package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.broker.SubscriberListener;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Destination;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("server")
@Tag("long")
class KafkaClockTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(90));
  private static final Duration BACK = Duration.ofMinutes(-10);

  @TempDir private Path folder;

  @Test
  void aClockThatIsSetBackWhileKafkaIsAwayDelaysNothing() throws Exception {
    setBackWhileKafkaIsAway(Sending.class, kafka -> {});
  }

  @Test
  void aSubscriberReadsOnAfterAClockWasSetBackWhileKafkaWasAway() throws Exception {
    setBackWhileKafkaIsAway(Receiving.class, KafkaClockTest::produce);
  }

  /** Before and after, the process has to get on. */
  private void setBackWhileKafkaIsAway(Class<?> main, Consumer<KafkaServer> each) throws Exception {
    Clocks clocks = new Clocks(folder);
    assumeThat(clocks.missing()).as("libfaketime").isEmpty();
    try (KafkaServer kafka = KafkaServer.launch();
        ProcessGuard guard = new ProcessGuard(Files.createDirectory(folder.resolve("guarded")))) {
      kafka.createTopic("clocked", 1, Map.of());
      Path report = folder.resolve("report");
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              main.getName(),
              kafka.bootstrapServers(),
              report.toString());
      guard.run("clocked", clocks.environment("clocked"), command);
      each.accept(kafka);
      awaitState(report, "well", 0);
      kafka.kill();
      awaitState(report, "waiting", 0);
      clocks.shift("clocked", BACK);
      awaitState(report, "waiting", BACK.toMillis());
      kafka.start();
      each.accept(kafka);
      awaitState(report, "well", BACK.toMillis());
    }
  }

  private static void produce(KafkaServer kafka) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>("clocked", new byte[] {1})).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Until the last outcome is such, and the process has such an offset. */
  private static void awaitState(Path report, String state, long offset) {
    Awaitility.await(state)
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(report).exists();
              String[] words = Files.readString(report).split(" ", -1);
              assertThat(words[0]).isEqualTo(state);
              assertThat(Long.parseLong(words[1]) - System.currentTimeMillis())
                  .isCloseTo(offset, within(PATIENCE.toMillis()));
            });
  }

  private static void report(String file, String state) throws IOException {
    Path draft = Path.of(file + ".draft");
    Files.writeString(draft, state + " " + System.currentTimeMillis());
    Files.move(draft, Path.of(file), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Sends a message at a time and writes what has become of the last one, and its time of day. */
  static final class Sending {
    private Sending() {}

    public static void main(String[] args) throws Exception {
      PublisherRecorder recorder = new PublisherRecorder();
      KafkaPublisher publisher =
          new KafkaPublisher(
              KafkaPublisherConfig.builder(args[0])
                  .deliveryTimeout(Duration.ofSeconds(3))
                  .requestTimeout(Duration.ofSeconds(1))
                  .build());
      publisher.start(recorder);
      for (long id = 1; ; id++) {
        long sent = id;
        byte[] body = {1};
        Destination to = Destination.topic("clocked");
        publisher.send(
            new Outgoing(id, to, body, body, "text/plain", "e" + id, "Tested", id, List.of()));
        publisher.flush();
        Awaitility.await().forever().until(() -> recorder.outcome(sent) != null);
        boolean confirmed = recorder.outcome(id) instanceof Confirmation.Confirmed;
        report(args[1], confirmed ? "well" : "waiting");
      }
    }
  }

  /** Writes whether a message came since Kafka was last away, and its time of day. */
  static final class Receiving {
    private static volatile boolean came;

    private Receiving() {}

    public static void main(String[] args) throws Exception {
      KafkaSubscriber subscriber =
          new KafkaSubscriber(
              KafkaSubscriberConfig.builder(args[0], "clocked", List.of("clocked")).build());
      subscriber.start(
          new SubscriberListener() {
            @Override
            public void delivered(List<Delivery> deliveries) {
              came = true;
              subscriber.acknowledge(deliveries);
            }

            @Override
            public void revoked(Set<String> lanes, boolean lost) {}

            @Override
            public void unavailable(String reason) {
              came = false;
            }

            @Override
            public void available() {}
          });
      CountDownLatch never = new CountDownLatch(1);
      while (!never.await(100, TimeUnit.MILLISECONDS)) {
        report(args[1], came ? "well" : "waiting");
      }
    }
  }
}
