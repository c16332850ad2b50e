package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.ContractBroker;
import io.waybill.testkit.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A real Kafka broker under the contract suite. */
final class KafkaContractBroker implements ContractBroker {
  private static final int PARTITIONS = 3;
  private final KafkaServer server;

  KafkaContractBroker(KafkaServer server) {
    this.server = server;
  }

  @Override
  public Publisher publisher() {
    return new KafkaPublisher(
        KafkaPublisherConfig.builder(server.bootstrapServers())
            .deliveryTimeout(Duration.ofSeconds(4))
            .requestTimeout(Duration.ofSeconds(2))
            .build());
  }

  @Override
  public Destination create(String name) {
    server.createTopic(name, PARTITIONS, Map.of());
    return absent(name);
  }

  @Override
  public Destination absent(String name) {
    return Destination.topic(name);
  }

  @Override
  public List<Received> stored(Destination destination) {
    return read(server, destination.target());
  }

  static List<Received> read(KafkaServer server, String topic) {
    return records(server, topic).stream().map(KafkaContractBroker::received).toList();
  }

  static List<Integer> partitions(KafkaServer server, String topic) {
    return records(server, topic).stream().map(ConsumerRecord::partition).toList();
  }

  static List<ConsumerRecord<byte[], byte[]>> records(KafkaServer server, String topic) {
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (all.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
        consumer.poll(Duration.ofMillis(100)).forEach(found::add);
      }
    }
    return found;
  }

  private static Received received(ConsumerRecord<byte[], byte[]> message) {
    List<Header> headers = new ArrayList<>();
    message.headers().forEach(h -> headers.add(new Header(h.key(), new String(h.value(), UTF_8))));
    return new Received(message.key(), message.value(), message.timestamp(), headers);
  }

  @Override
  public List<Outgoing> refused(Destination good, long firstSendId) {
    Destination noSuchPartition = new Destination(good.target(), "", PARTITIONS);
    Destination negativePartition = new Destination(good.target(), "", -1);
    List<Header> huge = List.of(new Header("h", noise(2 * tooLargeBody())));
    return List.of(
        message(firstSendId, Destination.topic("no spaces"), List.of()),
        message(firstSendId + 1, Destination.topic(""), List.of()),
        message(firstSendId + 2, Destination.topic(".."), List.of()),
        message(firstSendId + 3, Destination.topic("a".repeat(250)), List.of()),
        message(firstSendId + 4, Destination.topic("tab\tnewline\n"), List.of()),
        message(firstSendId + 5, noSuchPartition, List.of()),
        message(firstSendId + 6, negativePartition, List.of()),
        message(firstSendId + 7, good, huge));
  }

  /** What no compression makes small. */
  private static String noise(int length) {
    return new Random(1)
        .ints(length, '!', '~')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Outgoing message(long id, Destination destination, List<Header> headers) {
    byte[] key = {1};
    return new Outgoing(id, destination, key, key, "text/plain", "e", "T", 1, headers);
  }

  @Override
  public boolean keepsByTime() {
    return true;
  }

  @Override
  public int tooLargeBody() {
    return 1_100_000;
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.start();
  }

  @Override
  public void freeze() {
    server.freeze();
  }

  @Override
  public void thaw() {
    server.thaw();
  }
}
