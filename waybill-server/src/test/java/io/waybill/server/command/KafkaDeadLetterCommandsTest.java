package io.waybill.server.command;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.testkit.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
class KafkaDeadLetterCommandsTest extends DeadLetterCommandsContract {
  private static KafkaServer kafka;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void launch() {
    kafka = KafkaServer.launch();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterAll
  static void close() {
    producer.close(Duration.ZERO);
    kafka.close();
  }

  @Override
  String broker() {
    return "    kafka: {bootstrap-servers: [\"" + kafka.bootstrapServers() + "\"]}";
  }

  @Override
  void create(String name) {
    kafka.createTopic(name, 1, Map.of());
  }

  @Override
  void drop(String name) {
    kafka.deleteTopic(name);
  }

  @Override
  Destination destination(String name) {
    return Destination.topic(name);
  }

  @Override
  void send(Outgoing message) throws Exception {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(message.destination().target(), message.key(), message.body());
    message
        .headers()
        .forEach(
            header ->
                letter
                    .headers()
                    .add(header.name(), header.value().getBytes(StandardCharsets.UTF_8)));
    producer.send(letter).get(30, TimeUnit.SECONDS);
  }

  @Override
  List<Came> come(String name, int count) {
    List<Came> came = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(name, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                consumer
                    .poll(Duration.ofMillis(200))
                    .forEach(
                        message -> {
                          Map<String, String> headers = new HashMap<>();
                          message
                              .headers()
                              .forEach(
                                  header ->
                                      headers.put(
                                          header.key(),
                                          new String(header.value(), StandardCharsets.UTF_8)));
                          came.add(new Came(message.value(), headers));
                        });
                return came.size() >= count;
              });
    }
    return came;
  }

  @Override
  boolean keeps() {
    return true;
  }
}
