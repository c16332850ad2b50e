package io.waybill.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.proof.oracle.KafkaSpy;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.server.KafkaServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Two topics, of four partitions in the beginning. */
final class KafkaFeed implements Feed {
  private static final List<String> TOPICS = List.of("orders", "payments");
  private static final int PARTITIONS = 4;
  private static final int LIMIT_SECONDS = 10;

  private final KafkaServer server;
  private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
  private final KafkaSpy letters;
  private KafkaProducer<byte[], byte[]> producer;

  KafkaFeed(KafkaServer server) {
    this.server = server;
    TOPICS.forEach(
        topic -> {
          partitions.put(topic, PARTITIONS);
          server.createTopic(topic, PARTITIONS, Map.of());
          server.createTopic(topic + ".dlt", 1, Map.of());
        });
    List<String> dead = TOPICS.stream().map(topic -> topic + ".dlt").toList();
    letters = new KafkaSpy(server.bootstrapServers(), dead, "waybill-event-id");
    producer = producer();
  }

  /** It tries for ever, keeps its order, and finds new partitions within seconds. */
  private KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", server.bootstrapServers(),
            "delivery.timeout.ms", Integer.toString(Integer.MAX_VALUE),
            "request.timeout.ms", "5000",
            "max.block.ms", "300000",
            "metadata.max.age.ms", "2000"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  @Override
  public List<String> sources() {
    return TOPICS;
  }

  @Override
  public void send(Message message, Consumer<String> stored) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            message.source(),
            message.key() == null ? null : message.key().getBytes(UTF_8),
            message.body());
    message.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
    Future<RecordMetadata> unused =
        producer.send(
            record,
            (where, failure) -> {
              if (failure == null) {
                stored.accept(where.topic() + "-" + where.partition());
              }
            });
  }

  @Override
  public void look() {}

  @Override
  public long unacknowledged(Set<String> sources) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (String topic : sources) {
      for (int partition = 0; partition < partitions.getOrDefault(topic, 0); partition++) {
        ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
    }
    try (Admin admin = server.admin()) {
      Map<TopicPartition, OffsetAndMetadata> committed =
          admin
              .listConsumerGroupOffsets(TortureConsumer.GROUP)
              .partitionsToOffsetAndMetadata()
              .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      long left = 0;
      for (var end :
          admin.listOffsets(ends).all().get(LIMIT_SECONDS, TimeUnit.SECONDS).entrySet()) {
        OffsetAndMetadata position = committed.get(end.getKey());
        left += Math.max(0, end.getValue().offset() - (position == null ? 0 : position.offset()));
      }
      return left;
    } catch (ExecutionException | TimeoutException e) {
      return Long.MAX_VALUE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Long.MAX_VALUE;
    }
  }

  @Override
  public Spy letters() {
    return letters;
  }

  @Override
  public void grow(String topic, int dice) {
    int more = partitions.getOrDefault(topic, 0) + 1 + dice % 2;
    try (Admin admin = server.admin()) {
      admin
          .createPartitions(Map.of(topic, NewPartitions.increaseTo(more)))
          .all()
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      partitions.put(topic, more);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("topic " + topic + " does not grow", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A producer of its own has nothing to remember of the topic that was there before. */
  @Override
  public void remake(String topic) {
    producer.close();
    server.deleteTopic(topic);
    server.createTopic(topic, partitions.getOrDefault(topic, PARTITIONS), Map.of());
    producer = producer();
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    letters.close();
  }
}
