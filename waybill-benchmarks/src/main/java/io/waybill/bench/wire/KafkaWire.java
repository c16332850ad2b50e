package io.waybill.bench.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A producer with durable settings that suit bulk. */
final class KafkaWire implements Wire {
  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  KafkaWire(String address, String topic) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            address,
            "acks",
            "all",
            "enable.idempotence",
            true,
            "compression.type",
            "lz4",
            "linger.ms",
            5,
            "batch.size",
            128 * 1024,
            "max.in.flight.requests.per.connection",
            5,
            "delivery.timeout.ms",
            10_000,
            "request.timeout.ms",
            5_000);
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producer.partitionsFor(topic);
  }

  @Override
  public void send(Message message, Runnable confirmed) {
    List<Header> headers = new ArrayList<>(message.headers().size());
    for (var header : message.headers()) {
      byte[] value = header.value().getBytes(StandardCharsets.UTF_8);
      headers.add(new RecordHeader(header.name(), value));
    }
    Future<RecordMetadata> inFlight =
        producer.send(
            new ProducerRecord<>(topic, null, null, message.key(), message.body(), headers),
            (metadata, error) -> {
              if (error == null) {
                confirmed.run();
              } else {
                failure.set(error);
              }
            });
    if (inFlight.isCancelled()) {
      throw new IllegalStateException("The client gave up a message");
    }
  }

  @Override
  public void await() {
    producer.flush();
    Exception error = failure.get();
    if (error != null) {
      throw new IllegalStateException("The broker refused a message", error);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
