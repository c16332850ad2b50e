package io.waybill.bench.wire;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all partitions of a topic. */
final class KafkaInflow implements Inflow {
  private final KafkaConsumer<byte[], byte[]> consumer;

  KafkaInflow(String address, String topic) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", address, "max.poll.records", 5000, "enable.auto.commit", false);
    this.consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    partitions.forEach(consumer::position);
  }

  @Override
  public void receive(Consumer<byte[]> each) {
    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(100))) {
      each.accept(message.value());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
