package io.waybill.examples.polyshop;

import io.waybill.proof.oracle.KafkaMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** What no relay would send: everything once more, and a poison event. */
final class Copies {
  private final Map<String, Object> settings;

  Copies(String bootstrap) {
    settings = Map.of("bootstrap.servers", bootstrap, "acks", "all");
  }

  /** Sends messages as they are; returns when the broker has them. */
  void send(List<KafkaMessage> messages) throws InterruptedException, ExecutionException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (KafkaMessage message : messages) {
        ProducerRecord<byte[], byte[]> copy =
            new ProducerRecord<>(
                message.topic(), null, bytes(message.key()), bytes(message.value()));
        message
            .headers()
            .forEach(
                (name, value) -> copy.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        sent.add(producer.send(copy));
      }
      for (Future<RecordMetadata> confirmed : sent) {
        confirmed.get();
      }
    }
  }

  /** An order that no consumer can do anything with: no such product, no amount, no user. */
  static KafkaMessage poison(String topic, String eventId) {
    String value =
        """
        {"eventId":"%s","eventType":"%s","version":1,"source":"elsewhere","data":\
        {"orderId":"poison","items":[{"productId":"unicorn","quantity":1}]},"metadata":{}}"""
            .formatted(eventId, topic);
    return new KafkaMessage(topic, "poison", value, Map.of("tenant", "acme"));
  }

  private static byte @Nullable [] bytes(@Nullable String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }
}
