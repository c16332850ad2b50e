package io.waybill.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** All partitions of a document's topics, from the beginning. */
final class PlainKafkaConsumer extends PlainConsumer {
  private final KafkaConsumer<String, String> consumer;
  private final Thread thread;

  PlainKafkaConsumer(DocumentedOutbox outbox, String bootstrapServers) {
    super(outbox);
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> partitions =
        outbox.destinations().stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    thread = new Thread(this::run, "plain-consumer");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try (consumer) {
      while (true) {
        consumer.poll(Duration.ofMillis(200)).forEach(message -> arrived(message(message)));
      }
    } catch (WakeupException e) {
      // Closing.
    }
  }

  private static Message message(ConsumerRecord<String, String> message) {
    Map<String, String> headers = new HashMap<>();
    message
        .headers()
        .forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
    return new Message(message.topic(), message.key(), headers, message.value());
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
