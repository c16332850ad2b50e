package io.waybill.proof.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics from their beginning, all partitions, without a group. */
public final class KafkaSpy extends Spy {
  private static final int ANSWER_SECONDS = 60;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String idHeader;
  private final Thread thread;
  private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  /**
   * Starts reading; compares bodies.
   *
   * @param bootstrap bootstrap servers
   * @param topics topics, which exist
   * @param idHeader header that carries the event id
   */
  public KafkaSpy(String bootstrap, List<String> topics, String idHeader) {
    this(bootstrap, topics, idHeader, Fingerprint.OF_BODY);
  }

  /**
   * Starts reading.
   *
   * @param bootstrap bootstrap servers
   * @param topics topics, which exist
   * @param idHeader header that carries the event id
   * @param fingerprint what copies are compared by
   */
  public KafkaSpy(String bootstrap, List<String> topics, String idHeader, Fingerprint fingerprint) {
    super(fingerprint);
    this.idHeader = idHeader;
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(topics.stream().flatMap(topic -> partitions(topic).stream()).toList());
    consumer.seekToBeginning(consumer.assignment());
    thread = new Thread(this::run, "kafka-spy");
    thread.setDaemon(true);
    thread.start();
  }

  private List<TopicPartition> partitions(String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }

  /**
   * Whether everything that is in a topic now was read.
   *
   * @param topic one that is read
   * @return true if so
   */
  public boolean hasReadAll(String topic) {
    return ordered(
        () ->
            consumer.endOffsets(partitions(topic)).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue()));
  }

  /**
   * Reads a topic no more, so that it can be deleted.
   *
   * @param topic one that is read
   */
  public void forget(String topic) {
    ordered(
        () -> {
          Set<TopicPartition> others = new HashSet<>(consumer.assignment());
          others.removeIf(partition -> partition.topic().equals(topic));
          consumer.assign(others);
          return true;
        });
  }

  /**
   * Reads a topic from its beginning.
   *
   * @param topic one that exists and is not read
   */
  public void follow(String topic) {
    ordered(
        () -> {
          Set<TopicPartition> all = new HashSet<>(consumer.assignment());
          List<TopicPartition> more = partitions(topic);
          all.addAll(more);
          consumer.assign(all);
          consumer.seekToBeginning(more);
          return true;
        });
  }

  /** The consumer is used by its own thread alone. */
  private <T> T ordered(Supplier<T> what) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    orders.add(
        () -> {
          try {
            answer.complete(what.get());
          } catch (KafkaException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
  }

  private void run() {
    try (consumer) {
      while (running) {
        for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
          order.run();
        }
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(200))) {
          saw(read(message));
        }
      }
    } catch (WakeupException e) {
      // Closing.
    }
  }

  private Message read(ConsumerRecord<byte[], byte[]> message) {
    Map<String, String> headers = new HashMap<>();
    message.headers().forEach(header -> headers.put(header.key(), text(header.value())));
    return new Message(
        headers.getOrDefault(idHeader, "no id"),
        message.key() == null ? "" : text(message.key()),
        headers,
        message.value(),
        message.timestampType() == TimestampType.LOG_APPEND_TIME
            ? message.timestamp()
            : System.currentTimeMillis());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    running = false;
    consumer.wakeup();
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
