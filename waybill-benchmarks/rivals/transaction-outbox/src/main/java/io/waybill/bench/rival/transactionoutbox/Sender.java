package io.waybill.bench.rival.transactionoutbox;

import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival.Task;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** What is invoked for each event: sends it and waits for the broker. */
class Sender {
  private final KafkaProducer<String, String> producer;
  private final String topic;
  private final Deliveries deliveries;

  Sender(Task task, Map<String, String> settings, Deliveries deliveries) {
    this.topic = task.topic();
    this.deliveries = deliveries;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                task.broker(),
                "acks",
                "all",
                "linger.ms",
                settings.getOrDefault(TransactionOutboxRival.LINGER, "5")),
            new StringSerializer(),
            new StringSerializer());
  }

  /** Reached through a proxy, which stores the call. */
  void send(String key, String body) throws ExecutionException, InterruptedException {
    producer.send(new ProducerRecord<>(topic, key, body)).get();
    deliveries.confirmed(body);
  }

  void close() {
    producer.close();
  }
}
