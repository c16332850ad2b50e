package io.waybill.torture;

import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.oracle.KafkaSpy;
import io.waybill.testkit.oracle.Spy;
import io.waybill.testkit.proxy.Protocol;
import io.waybill.testkit.proxy.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Kafka: a topic of four partitions for each destination, whose records have the append's time. */
final class TortureKafka implements TortureBroker {
  private final KafkaServer server = KafkaServer.launch();

  @Override
  public String configuration(int port) {
    return """
    kafka:
      bootstrap-servers: ["127.0.0.1:%d"]
    """
        .formatted(port);
  }

  @Override
  public Proxy proxy() {
    return Proxy.start(Protocol.KAFKA, server.proxiedPort(), server.proxyPort());
  }

  @Override
  public boolean hasOneAddress() {
    return true;
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
  public void full(boolean full) {
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
