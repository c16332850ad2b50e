package io.waybill.it;

import io.waybill.proof.oracle.KafkaSpy;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.server.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka: a topic per destination. */
final class KafkaUnderTest implements BrokerUnderTest {
  private final KafkaServer server = KafkaServer.launch();

  String bootstrapServers() {
    return server.bootstrapServers();
  }

  @Override
  public String address() {
    return "kafka " + server.bootstrapServers();
  }

  @Override
  public String configuration() {
    return """
        kafka:
          bootstrap-servers: [%s]
        """
        .formatted(server.bootstrapServers());
  }

  @Override
  public String route() {
    return "{target: \"{eventType}\"}";
  }

  @Override
  public void create(String destination) {
    server.createTopic(destination, 4, Map.of());
  }

  @Override
  public void createClosed(String destination) {
    server.createTopic(destination, 1, Map.of("max.message.bytes", "1"));
  }

  @Override
  public void open(String destination) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, destination);
    AlterConfigOp larger =
        new AlterConfigOp(
            new ConfigEntry("max.message.bytes", "1048588"), AlterConfigOp.OpType.SET);
    try (Admin admin = server.admin()) {
      admin.incrementalAlterConfigs(Map.of(topic, List.of(larger))).all().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int tooLarge() {
    return 2 << 20;
  }

  @Override
  public Spy spy(List<String> destinations) {
    return new KafkaSpy(server.bootstrapServers(), destinations, "waybill-event-id");
  }

  @Override
  public Inbox inbox(String destination) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", server.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        consumer.partitionsFor(destination).stream()
            .map(partition -> new TopicPartition(destination, partition.partition()))
            .toList());
    consumer.seekToBeginning(consumer.assignment());
    return new Inbox() {
      @Override
      public List<Arrived> take() {
        List<Arrived> arrived = new ArrayList<>();
        consumer
            .poll(Duration.ofMillis(50))
            .forEach(message -> arrived.add(new Arrived(message.value(), headers(message))));
        return arrived;
      }

      @Override
      public void close() {
        consumer.close();
      }
    };
  }

  private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> message) {
    Map<String, String> headers = new HashMap<>();
    message
        .headers()
        .forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
    return headers;
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void close() {
    server.close();
  }
}
