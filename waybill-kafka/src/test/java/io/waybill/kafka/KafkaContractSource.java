package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.Subscriber;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.ContractSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A real Kafka broker under the contract suite; each source is a topic with one partition. */
public final class KafkaContractSource implements ContractSource {
  /** Lets a dead member's partitions go on soon. */
  static final Map<String, String> SHORT_SESSIONS =
      Map.of(
          "group.min.session.timeout.ms", "1000",
          "group.consumer.heartbeat.interval.ms", "500",
          "group.consumer.min.heartbeat.interval.ms", "500",
          "group.consumer.session.timeout.ms", "3000",
          "group.consumer.min.session.timeout.ms", "1000");

  /** Members of a group that tell the broker how long it waits for them. */
  static final Map<String, String> CLASSIC =
      Map.of("session.timeout.ms", "3000", "heartbeat.interval.ms", "500");

  /** Members of a group of Kafka's newer protocol, in which the broker decides that. */
  static final Map<String, String> CONSUMER = Map.of("group.protocol", "consumer");

  private final KafkaServer server;
  private final Proxy proxy;
  private final Map<String, String> group;

  KafkaContractSource(KafkaServer server, Proxy proxy, Map<String, String> group) {
    this.server = server;
    this.proxy = proxy;
    this.group = group;
  }

  static Proxy proxy(KafkaServer server) {
    return Proxy.start(Protocol.KAFKA, server.proxiedPort(), server.proxyPort());
  }

  @Override
  public String create(String name) {
    // A test that is run again has a source of its own.
    String topic = name + "-" + System.nanoTime();
    server.createTopic(topic, 1, Map.of());
    return topic;
  }

  static KafkaSubscriberConfig.Builder config(String servers, List<String> topics) {
    return config(servers, topics, CLASSIC);
  }

  static KafkaSubscriberConfig.Builder config(
      String servers, List<String> topics, Map<String, String> group) {
    return KafkaSubscriberConfig.builder(servers, "group-" + topics.get(0), topics)
        .properties(group);
  }

  @Override
  public Subscriber subscriber(List<String> sources, int window) {
    return new KafkaSubscriber(
        config(server.bootstrapServers(), sources, group).window(window).build());
  }

  @Override
  public Subscriber cuttable(String source) {
    return new KafkaSubscriber(config("127.0.0.1:" + proxy.port(), List.of(source), group).build());
  }

  @Override
  public void cut() {
    proxy.refuse();
    proxy.reset();
  }

  @Override
  public void heal() {
    proxy.admit();
  }

  @Override
  public int mostOut(int window) {
    return 2 * window;
  }

  @Override
  public void publish(String source, @Nullable String key, List<String> bodies) {
    publish(server, source, key, bodies);
  }

  public static void publish(
      KafkaServer server, String topic, @Nullable String key, List<String> bodies) {
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sends = new ArrayList<>();
      for (String body : bodies) {
        ProducerRecord<byte[], byte[]> message =
            new ProducerRecord<>(topic, keyBytes, body.getBytes(UTF_8));
        message.headers().add("plain", "wert ÄÖ 名".getBytes(UTF_8));
        message.headers().add("bytes", new byte[] {(byte) 0xff});
        message.headers().add("nothing", null);
        sends.add(producer.send(message));
      }
      for (Future<RecordMetadata> send : sends) {
        send.get(30, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new AssertionError("cannot publish to " + topic, e);
    }
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.start();
  }
}
