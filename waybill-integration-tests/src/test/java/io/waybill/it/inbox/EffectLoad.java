package io.waybill.it.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes some hundred events a second, those of each key numbered from 0. */
final class EffectLoad implements AutoCloseable {
  static final int KEYS = 12;
  private static final long PAUSE_NANOS = 2_000_000;

  /**
   * What became of events.
   *
   * @param lost without effect
   * @param twice effects too many
   * @param disorders effects before one of a lower number of the same key
   */
  record Verdict(int lost, int twice, int disorders) {}

  private final String servers;
  private final AtomicInteger letters = new AtomicInteger();
  private volatile boolean ended;
  private final Thread thread;
  private volatile int published;

  EffectLoad(String servers, String topic) {
    this.servers = servers;
    this.thread = new Thread(() -> publish(topic), "load");
    thread.start();
  }

  private void publish(String topic) {
    Map<String, Object> config = Map.of("bootstrap.servers", servers);
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      while (!ended) {
        int number = published;
        String key = "k" + number % KEYS;
        ProducerRecord<byte[], byte[]> message =
            new ProducerRecord<>(topic, key.getBytes(UTF_8), "{}".getBytes(UTF_8));
        String id = key + "-" + number / KEYS;
        message.headers().add("waybill-event-id", id.getBytes(UTF_8));
        message.headers().add("waybill-event-type", EffectConsumer.TYPE.getBytes(UTF_8));
        var unused = producer.send(message);
        published = number + 1;
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Publishes no more; returns how many there are. */
  int end() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
    return published;
  }

  Publisher publisher() {
    return new ForwardingPublisher(
        new KafkaPublisher(KafkaPublisherConfig.builder(servers).build())) {
      @Override
      public void send(Outgoing message) {
        letters.incrementAndGet();
        super.send(message);
      }
    };
  }

  int letters() {
    return letters.get();
  }

  @Override
  public void close() {
    int unused = end();
  }
}
