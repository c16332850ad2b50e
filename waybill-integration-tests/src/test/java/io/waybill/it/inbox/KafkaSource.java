package io.waybill.it.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.proof.server.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Topics of six partitions. */
record KafkaSource(KafkaServer server) implements EffectSource {
  /** A server that notices within seconds that a member of a group was killed. */
  static KafkaServer launch() {
    return KafkaServer.launch("PLAINTEXT", Map.of("group.min.session.timeout.ms", "1000"));
  }

  @Override
  public String kind() {
    return "kafka";
  }

  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public List<String> create(String name) {
    server.createTopic(name, 6, Map.of());
    return List.of(name);
  }

  @Override
  public void publish(String name, List<Copies.Copy> copies) {
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sends = new ArrayList<>();
      for (Copies.Copy copy : copies) {
        ProducerRecord<byte[], byte[]> message =
            new ProducerRecord<>(name, copy.key().getBytes(UTF_8), "{}".getBytes(UTF_8));
        message.headers().add("waybill-event-id", copy.id().getBytes(UTF_8));
        message.headers().add("waybill-event-type", EffectConsumer.TYPE.getBytes(UTF_8));
        message.headers().add("waybill-aggregate-id", copy.key().getBytes(UTF_8));
        sends.add(producer.send(message));
      }
      for (Future<RecordMetadata> send : sends) {
        send.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("cannot publish", e);
    }
  }

  @Override
  public void createLetters(String destination) {
    server.createTopic(destination, 1, Map.of());
  }

  @Override
  public List<String> bodies(String destination) {
    List<String> bodies = new ArrayList<>();
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    try (var consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions = List.of(new TopicPartition(destination, 0));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = consumer.endOffsets(partitions).values().iterator().next();
      while (consumer.position(partitions.get(0)) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(message -> bodies.add(message.value()));
      }
    }
    return bodies;
  }

  @Override
  public long unacknowledged(List<String> sources) {
    try (Admin admin = server.admin()) {
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (TopicDescription topic : admin.describeTopics(sources).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(
                p ->
                    ends.put(new TopicPartition(topic.name(), p.partition()), OffsetSpec.latest()));
      }
      Map<TopicPartition, OffsetAndMetadata> committed =
          admin
              .listConsumerGroupOffsets(EffectConsumer.GROUP)
              .partitionsToOffsetAndMetadata()
              .get();
      long left = 0;
      for (var end : admin.listOffsets(ends).all().get().entrySet()) {
        OffsetAndMetadata position = committed.get(end.getKey());
        left += end.getValue().offset() - (position == null ? 0 : position.offset());
      }
      return left;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("cannot look at offsets", e);
    }
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void close() {
    server.close();
  }
}
