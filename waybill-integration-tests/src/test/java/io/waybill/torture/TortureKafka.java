package io.waybill.torture;

import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.oracle.KafkaSpy;
import io.waybill.testkit.oracle.Spy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Kafka: a topic of four partitions for each destination, whose records have the append's time. */
final class TortureKafka implements TortureBroker {
  private final KafkaServer server = KafkaServer.launch();

  @Override
  public String configuration() {
    return """
    kafka:
      bootstrap-servers: ["%s"]
    """
        .formatted(server.bootstrapServers());
  }

  @Override
  public void create(OutboxTable table) {
    for (String topic : table.destinations()) {
      server.createTopic(topic, 4, Map.of("message.timestamp.type", "LogAppendTime"));
    }
  }

  @Override
  public Spy spy(List<String> destinations, Spy.Fingerprint fingerprint) {
    return new KafkaSpy(server.bootstrapServers(), destinations, "waybill-event-id", fingerprint);
  }

  @Override
  public synchronized void kill() {
    server.kill();
  }

  @Override
  public synchronized void start() {
    server.start();
  }

  @Override
  public synchronized void freeze() {
    server.freeze();
  }

  @Override
  public synchronized void thaw() {
    server.thaw();
  }

  @Override
  public boolean hasAlarm() {
    return false;
  }

  @Override
  public void alarm(boolean raised) {
    throw new UnsupportedOperationException("Kafka has no alarm");
  }

  @Override
  public long connections() {
    return 0;
  }

  @Override
  public Path folder() {
    return Objects.requireNonNull(server.logFile().toPath().getParent());
  }

  @Override
  public void close() {
    server.close();
  }
}
