package io.waybill.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Turns settings into the properties of the clients. */
final class ClientProperties {
  /**
   * One request at a time for each broker. The proof of order in {@code ProducerSession} rests on
   * it, and it costs little: while a request is out, the next ones grow, one batch for each
   * partition.
   */
  static final String MAX_IN_FLIGHT = "1";

  static final String RETRIES = Integer.toString(Integer.MAX_VALUE);

  /** {@code send} waits for nothing: topics are looked up beforehand, and room is waited for. */
  private static final String MAX_BLOCK_MILLIS = "0";

  private static final int MOST_BATCH_BYTES = 256 * 1024;

  /**
   * A batch that fills takes as much again for its compression, which buffer.memory does not count:
   * with smaller ones, a broker that stands still would cost a small heap.
   */
  private static final int LEAST_BATCH_BYTES = 128 * 1024;

  /** The client's own default, and a batch that is not compressed. */
  private static final int LEAST_PLAIN_BATCH_BYTES = 16 * 1024;

  /** Holds while many sends are out; see {@code Flusher}. */
  private static final String LINGER_MILLIS = "10";

  /** An administration call never keeps a send waiting for longer. */
  private static final String ADMIN_MILLIS = "2000";

  /**
   * Before it sends, the client learns its only topic, from a server in the same process. That
   * loads most of its classes: a second is not always enough where all processors are busy.
   */
  private static final String WARM_UP_BLOCK_MILLIS = "3000";

  private static final Duration WARM_UP_REQUEST = Duration.ofSeconds(3);
  private static final Duration WARM_UP_DELIVERY = Duration.ofSeconds(4);

  private ClientProperties() {}

  /** What the client itself says against the settings. */
  static List<String> check(
      String servers, Duration delivery, Duration request, Map<String, String> properties) {
    try {
      ProducerConfig parsed = new ProducerConfig(producer(servers, delivery, request, properties));
      long linger = parsed.getLong(ProducerConfig.LINGER_MS_CONFIG);
      if (delivery.toMillis() < linger + request.toMillis()) {
        return List.of(
            "deliveryTimeout: must be at least requestTimeout plus linger.ms: "
                + delivery.toMillis()
                + " ms < "
                + request.toMillis()
                + " ms + "
                + linger
                + " ms");
      }
      return List.of();
    } catch (ConfigException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  static Map<String, Object> producer(KafkaPublisherConfig config, int batchBytes) {
    Map<String, Object> all = producer(config);
    all.put("batch.size", Integer.toString(batchBytes));
    if (choosesCompression(config) && batchBytes < LEAST_BATCH_BYTES) {
      all.put("compression.type", "none");
    }
    return all;
  }

  /** Neither the kind of compression nor the size of a batch is the user's. */
  private static boolean choosesCompression(KafkaPublisherConfig config) {
    return !config.properties().containsKey("compression.type")
        && !config.properties().containsKey("batch.size");
  }

  static Map<String, Object> producer(KafkaPublisherConfig config) {
    return producer(
        config.bootstrapServers(),
        config.deliveryTimeout(),
        config.requestTimeout(),
        config.properties());
  }

  private static Map<String, Object> producer(
      String servers, Duration delivery, Duration request, Map<String, String> properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("batch.size", Integer.toString(MOST_BATCH_BYTES));
    all.put("buffer.memory", Integer.toString(64 * 1024 * 1024));
    all.put("compression.type", "lz4");
    all.put("linger.ms", LINGER_MILLIS);
    all.put("max.request.size", Integer.toString(4 * 1024 * 1024));
    all.put("reconnect.backoff.max.ms", "500");
    all.put("retry.backoff.max.ms", "500");
    all.putAll(properties);
    all.put("acks", "all");
    all.put("bootstrap.servers", servers);
    all.put("delivery.timeout.ms", Long.toString(delivery.toMillis()));
    all.put("enable.idempotence", "true");
    all.put("enable.metrics.push", "false");
    all.put("key.serializer", ByteArraySerializer.class);
    all.put("max.block.ms", MAX_BLOCK_MILLIS);
    all.put("max.in.flight.requests.per.connection", MAX_IN_FLIGHT);
    all.put("request.timeout.ms", Long.toString(request.toMillis()));
    all.put("retries", RETRIES);
    all.put("value.serializer", ByteArraySerializer.class);
    BearerTokens.complete(all);
    return all;
  }

  /** Of the settings, the compression alone: its code is to be loaded. */
  static Map<String, Object> warmUp(KafkaPublisherConfig config, String server) {
    Map<String, String> kept = new HashMap<>(config.properties());
    kept.keySet().removeIf(name -> !name.startsWith("compression."));
    Map<String, Object> all = producer(server, WARM_UP_DELIVERY, WARM_UP_REQUEST, kept);
    all.put("batch.size", Integer.toString(LEAST_PLAIN_BATCH_BYTES));
    all.put("client.id", "waybill-warm-up");
    all.put("max.block.ms", WARM_UP_BLOCK_MILLIS);
    return all;
  }

  /**
   * The client sets a whole batch aside for each partition in use. Four for each should fit into
   * its buffer: those that fill and those that are out. A {@code batch.size} of the user's stays.
   *
   * <p>Where not even one of those that are compressed fits for each partition, batches are smaller
   * and not compressed: few messages come together in one, and each would cost 130 KB of heap, the
   * work space of lz4. Batches that the settings do not compress at all may be as small.
   */
  static int batchBytes(KafkaPublisherConfig config, long partitions) {
    if (config.properties().containsKey("batch.size")) {
      return new ProducerConfig(producer(config)).getInt("batch.size");
    }
    // In steps, so that a topic more does not mean another client.
    long buffer = bufferMemory(config);
    long share = Long.highestOneBit(buffer / (4 * Math.max(1, partitions)));
    boolean plain =
        compression(config).equals("none")
            || (choosesCompression(config) && partitions * LEAST_BATCH_BYTES > buffer);
    int least = plain ? LEAST_PLAIN_BATCH_BYTES : LEAST_BATCH_BYTES;
    return (int) Math.max(least, Math.min(MOST_BATCH_BYTES, share));
  }

  /** The same for the client of messages that fit only when they are compressed. */
  static int compressedBatchBytes(KafkaPublisherConfig config, int batchBytes) {
    return choosesCompression(config) ? Math.max(LEAST_BATCH_BYTES, batchBytes) : batchBytes;
  }

  /** How long a topic may lie idle before the client may have forgotten it, with a margin. */
  static Duration idle(KafkaPublisherConfig config) {
    long millis = new ProducerConfig(producer(config)).getLong("metadata.max.idle.ms");
    return Duration.ofMillis(millis / 2);
  }

  static long maxRequestSize(KafkaPublisherConfig config) {
    return new ProducerConfig(producer(config)).getInt("max.request.size");
  }

  static long bufferMemory(KafkaPublisherConfig config) {
    return new ProducerConfig(producer(config)).getLong("buffer.memory");
  }

  static String compression(KafkaPublisherConfig config) {
    return new ProducerConfig(producer(config)).getString("compression.type");
  }

  static Map<String, Object> admin(KafkaPublisherConfig config) {
    return admin(config.bootstrapServers(), config.properties());
  }

  static Map<String, Object> admin(String servers, Map<String, String> properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("reconnect.backoff.max.ms", "500");
    properties.forEach(
        (name, value) -> {
          if (AdminClientConfig.configNames().contains(name)) {
            all.put(name, value);
          }
        });
    all.put("bootstrap.servers", servers);
    all.put("default.api.timeout.ms", ADMIN_MILLIS);
    all.put("enable.metrics.push", "false");
    all.put("request.timeout.ms", ADMIN_MILLIS);
    BearerTokens.complete(all);
    return all;
  }
}
