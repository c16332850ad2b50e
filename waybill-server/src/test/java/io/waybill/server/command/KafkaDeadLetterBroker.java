package io.waybill.server.command;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** A Kafka broker of its own. */
final class KafkaDeadLetterBroker implements DeadLetterBroker {
  private final KafkaServer kafka = KafkaServer.launch();
  private final KafkaProducer<byte[], byte[]> producer =
      new KafkaProducer<>(
          Map.of("bootstrap.servers", kafka.bootstrapServers()),
          new ByteArraySerializer(),
          new ByteArraySerializer());

  @Override
  public String config() {
    return "      kafka: {bootstrap-servers: [\"" + kafka.bootstrapServers() + "\"]}";
  }

  @Override
  public void create(String name) {
    create(name, 1);
  }

  void create(String name, int partitions) {
    kafka.createTopic(name, partitions, Map.of());
  }

  @Override
  public void drop(String name) {
    kafka.deleteTopic(name);
  }

  @Override
  public Destination destination(String name) {
    return Destination.topic(name);
  }

  @Override
  public void send(Outgoing message) throws Exception {
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(
            message.destination().target(),
            null,
            message.timestampMillis() == 0 ? null : message.timestampMillis(),
            message.key(),
            message.body());
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
  public List<Came> come(String name, int count) {
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
          .atMost(Patience.of(Duration.ofSeconds(60)))
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
                          came.add(
                              new Came(
                                  message.value(),
                                  headers,
                                  Instant.ofEpochMilli(message.timestamp())));
                        });
                return came.size() >= count;
              });
    }
    return came;
  }

  @Override
  public long count(String name) throws Exception {
    TopicPartition partition = new TopicPartition(name, 0);
    try (Admin admin = kafka.admin()) {
      return admin
          .listOffsets(Map.of(partition, OffsetSpec.latest()))
          .partitionResult(partition)
          .get(30, TimeUnit.SECONDS)
          .offset();
    }
  }

  @Override
  public boolean keeps() {
    return true;
  }

  @Override
  public Transport transport() {
    return Transport.KAFKA;
  }

  @Override
  public Subscriber subscriber(String consumer, String source) {
    return new KafkaSubscriber(
        KafkaSubscriberConfig.builder(kafka.bootstrapServers(), consumer, List.of(source)).build());
  }

  @Override
  public Publisher publisher() {
    return new KafkaPublisher(KafkaPublisherConfig.builder(kafka.bootstrapServers()).build());
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
    kafka.close();
  }
}
