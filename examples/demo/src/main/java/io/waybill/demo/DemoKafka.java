package io.waybill.demo;

import io.waybill.proof.server.KafkaServer;
import java.util.Map;

/** Kafka from its Maven packages. */
final class DemoKafka implements DemoBroker {
  private static final int PARTITIONS = 6;

  // To declare the topic again without a number gives it as many partitions as it had.
  private final KafkaServer server =
      KafkaServer.launch("PLAINTEXT", Map.of("num.partitions", Integer.toString(PARTITIONS)));

  @Override
  public String address() {
    return server.bootstrapServers();
  }

  @Override
  public String yaml() {
    return """
        kafka:
          bootstrap-servers: ["%s"]
        """
        .formatted(address());
  }

  @Override
  public String route(String target) {
    return "target: '%s'".formatted(target);
  }

  @Override
  public Fault destination(Cast cast, Screen screen) {
    TopicDeletion deletion = new TopicDeletion(server, cast, screen);
    return new Fault(
        "topic",
        "Delete the topic",
        "",
        "The console says that the destination takes no events, and that its topic is missing."
            + " Declare it there: with it come the events that wait.",
        true,
        "destinations",
        deletion::run,
        this::restore);
  }

  /** The topic, if nobody has declared it meanwhile. */
  private void restore() {
    if (!TopicDeletion.exists(server)) {
      prepare();
    }
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
