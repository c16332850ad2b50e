package io.waybill.bench.stage;

import io.waybill.proof.server.KafkaServer;
import java.util.Map;

/** One Kafka node. */
final class KafkaStage implements BrokerStage {
  private static final int PARTITIONS = 8;

  private final KafkaServer server = KafkaServer.launchForLoad();

  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public void create(String destination) {
    server.createTopic(destination, PARTITIONS, Map.of());
  }

  @Override
  public void createLimited(String destination) {
    server.createTopic(destination, PARTITIONS, Map.of("max.message.bytes", "262144"));
  }

  @Override
  public void createWide(String destination, int partitions) {
    server.deleteTopic(destination);
    server.createTopic(destination, partitions, Map.of());
  }

  @Override
  public void createFull(String destination) {
    throw new UnsupportedOperationException("A topic of Kafka is never full");
  }

  @Override
  public void drop(String destination) {
    server.deleteTopic(destination);
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
  public void close() {
    server.close();
  }
}
