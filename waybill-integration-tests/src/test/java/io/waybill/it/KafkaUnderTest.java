package io.waybill.it;

import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.oracle.KafkaSpy;
import io.waybill.testkit.oracle.Spy;
import java.util.List;
import java.util.Map;

/** Kafka: a topic per destination. */
final class KafkaUnderTest implements BrokerUnderTest {
  private final KafkaServer server = KafkaServer.launch();

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
  public int tooLarge() {
    return 2 << 20;
  }

  @Override
  public Spy spy(List<String> destinations) {
    return new KafkaSpy(server.bootstrapServers(), destinations, "waybill-event-id");
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
