package io.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.send.Clients;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.PartitionInfo;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A relay that joins finds its client ready for the topics of its routes. */
class KafkaExpectedTopicsTest {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(15));
  private static KafkaServer server;

  @BeforeAll
  static void launch() {
    server = KafkaServer.launch();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** Clients that note which topics the sending one has learnt. */
  private static final class NotingClients implements Clients {
    private final KafkaPublisherConfig config;
    private final Clients real;
    final Set<String> learnt = ConcurrentHashMap.newKeySet();

    NotingClients(KafkaPublisherConfig config) {
      this.config = config;
      this.real = new RealClients(config);
    }

    @Override
    public KafkaProducer<byte[], byte[]> producer(int batchBytes) {
      return new KafkaProducer<>(ClientProperties.producer(config, batchBytes)) {
        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
          List<PartitionInfo> partitions = super.partitionsFor(topic);
          learnt.add(topic);
          return partitions;
        }
      };
    }

    @Override
    public KafkaProducer<byte[], byte[]> warmUp(String server) {
      return real.warmUp(server);
    }

    @Override
    public Admin admin() {
      return real.admin();
    }
  }

  /** Notes what was learnt when the broker was reported. */
  private record Noting(NotingClients clients, BlockingQueue<Set<String>> reported)
      implements PublisherListener {
    @Override
    public void onConfirmation(Confirmation confirmation) {}

    @Override
    public void available() {
      reported.add(Set.copyOf(clients.learnt));
    }

    @Override
    public void unavailable(String reason) {}

    @Override
    public void failed(Throwable cause) {}
  }

  @Test
  void theClientKnowsExpectedTopicsBeforeTheBrokerIsReported() throws InterruptedException {
    server.createTopic("expected-1", 1, Map.of());
    server.createTopic("expected-2", 3, Map.of());
    server.createTopic("other", 1, Map.of());
    KafkaPublisherConfig config = KafkaPublisherConfig.builder(server.bootstrapServers()).build();
    NotingClients clients = new NotingClients(config);
    BlockingQueue<Set<String>> reported = new LinkedBlockingQueue<>();
    Set<String> expected = Set.of("expected-1", "expected-2", "missing", "no topic's name");
    try (Publisher publisher = new KafkaPublisher(config, clients, expected, true)) {
      publisher.start(new Noting(clients, reported));
      assertThat(reported.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS))
          .containsExactlyInAnyOrder("expected-1", "expected-2");
    }
  }

  @Test
  void aBrokerThatIsAwayIsReportedWhateverIsExpected() {
    KafkaPublisherConfig config = KafkaPublisherConfig.builder("127.0.0.1:1").build();
    PublisherRecorder recorder = new PublisherRecorder();
    try (Publisher publisher =
        new KafkaPublisher(config, new RealClients(config), Set.of("expected"), true)) {
      publisher.start(recorder);
      Awaitility.await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(recorder.transport()).contains("unavailable"));
    }
  }
}
