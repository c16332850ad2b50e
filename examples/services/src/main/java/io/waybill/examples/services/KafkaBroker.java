package io.waybill.examples.services;

import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Kafka, its topics read from their beginning. */
record KafkaBroker(KafkaServer server, KafkaTail tail) implements Broker {
  private static final int PARTITIONS = 4;

  /** Starts it, and creates topics with those of their dead letters. */
  static KafkaBroker launch(List<String> sources) {
    List<String> topics =
        sources.stream().flatMap(topic -> Stream.of(topic, topic + ".dlt")).toList();
    KafkaServer server = KafkaServer.launch();
    topics.forEach(topic -> server.createTopic(topic, PARTITIONS, Map.of()));
    return new KafkaBroker(server, new KafkaTail(server.bootstrapServers(), topics));
  }

  @Override
  public Map<String, Object> properties() {
    return Map.of("spring.kafka.bootstrap-servers", server.bootstrapServers());
  }

  @Override
  public List<Arrival> arrivals() {
    return tail.messages().stream().map(KafkaBroker::arrival).toList();
  }

  private static Arrival arrival(KafkaMessage message) {
    return new Arrival(
        message.topic() + ", key " + message.key(), message.value(), message.headers());
  }

  @Override
  public void close() {
    tail.close();
    server.close();
  }
}
