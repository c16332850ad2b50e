package io.waybill.proof.server;

import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** A Kafka broker that deletes what is over at once. */
public final class KafkaRetention {
  private static final Duration OVER = Duration.ofDays(400);

  private KafkaRetention() {}

  /**
   * Lets a broker look for old records all the time; usually it does every five minutes.
   *
   * @return broker properties
   */
  public static Map<String, String> settings() {
    return Map.of("log.retention.check.interval.ms", "200", "log.initial.task.delay.ms", "100");
  }

  /**
   * Waits until the broker has looked through all its topics: two records that are over are
   * deleted, one after the other.
   *
   * @param server a broker with {@link #settings}
   * @param topic name of a topic to be made for that
   */
  public static void awaitLook(KafkaServer server, String topic) {
    server.createTopic(topic, 1, Map.of());
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    long time = System.currentTimeMillis() - OVER.toMillis();
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = server.admin();
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long first = 1; first <= 2; first++) {
        producer.send(new ProducerRecord<>(topic, 0, time, null, new byte[1])).get();
        long begin = first;
        Awaitility.await("the broker deletes what is over")
            .atMost(Patience.of(Duration.ofMinutes(1)))
            .until(() -> begin(admin, partition) >= begin);
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("cannot write to " + topic, e);
    }
  }

  private static long begin(Admin admin, TopicPartition partition)
      throws InterruptedException, ExecutionException {
    var offsets = admin.listOffsets(Map.of(partition, OffsetSpec.earliest())).all().get();
    return Objects.requireNonNull(offsets.get(partition)).offset();
  }
}
