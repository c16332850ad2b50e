package io.waybill.demo;

import io.waybill.proof.server.KafkaServer;
import java.util.Map;

/** Kafka from its Maven packages. */
final class DemoKafka implements DemoBroker {
  private static final int PARTITIONS = 6;

  private final KafkaServer server = KafkaServer.launch();

  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public String yaml() {
    return """
        kafka:
          bootstrap-servers: ["%s"]
        routes:
          default:
            target: %s
        """
        .formatted(address(), TARGET);
  }

  @Override
  public void prepare() {
    server.createTopic(TARGET, PARTITIONS, Map.of());
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
