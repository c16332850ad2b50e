package io.waybill.bench.rival.debezium;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival.Task;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Sends a batch, waits for all of it, and marks it processed: as Debezium Server's Kafka sink. */
final class Sink implements AutoCloseable {
  private final KafkaProducer<String, byte[]> producer;
  private final Deliveries deliveries;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  Sink(Task task, Map<String, String> settings, Deliveries deliveries) {
    this.deliveries = deliveries;
    Map<String, Object> all = new HashMap<>();
    all.put("bootstrap.servers", task.broker());
    all.put("acks", "all");
    settings.forEach(
        (name, value) -> {
          if (name.startsWith("producer.")) {
            all.put(name.substring("producer.".length()), value);
          }
        });
    this.producer = new KafkaProducer<>(all, new StringSerializer(), new ByteArraySerializer());
  }

  /** A batch of events whose values are strings or bytes. */
  <V> void take(
      List<ChangeEvent<String, V>> events,
      DebeziumEngine.RecordCommitter<ChangeEvent<String, V>> committer)
      throws InterruptedException {
    for (ChangeEvent<String, V> event : events) {
      Object value = event.value();
      byte[] body =
          value instanceof byte[] bytes ? bytes : value.toString().getBytes(StandardCharsets.UTF_8);
      send(event.destination(), event.key(), body);
    }
    finish(events, committer);
  }

  private void send(String topic, String key, byte[] value) {
    Future<RecordMetadata> inFlight =
        producer.send(
            new ProducerRecord<>(topic, key, value),
            (metadata, error) -> {
              if (error == null) {
                deliveries.confirmed(value);
              } else {
                failure.set(error);
              }
            });
    if (inFlight.isCancelled()) {
      throw new IllegalStateException("The client gave up an event");
    }
  }

  private <R> void finish(List<R> events, DebeziumEngine.RecordCommitter<R> committer)
      throws InterruptedException {
    producer.flush();
    Exception error = failure.get();
    if (error != null) {
      throw new IllegalStateException("The broker refused an event", error);
    }
    for (R event : events) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }

  @Override
  public void close() {
    producer.close();
  }
}
