package io.waybill.proof.server;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** Writes the files from which {@link KafkaServer} starts. */
final class KafkaSettings {
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level [%thread] %logger{36} - %msg%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="OUT"/></root>
        <logger name="kafka.server.KafkaRaftServer" level="INFO"/>
      </configuration>
      """;

  private KafkaSettings() {}

  static void write(
      Path dir, KafkaServer.Ports ports, String clientProtocol, Map<String, String> overrides)
      throws IOException {
    Files.writeString(dir.resolve("logback.xml"), LOGBACK);
    Properties all = new Properties();
    all.putAll(network(ports, clientProtocol));
    all.putAll(storage(dir.resolve("data")));
    all.putAll(overrides);
    try (Writer out = Files.newBufferedWriter(dir.resolve("server.properties"))) {
      all.store(out, null);
    }
  }

  private static Map<String, String> network(KafkaServer.Ports ports, String clientProtocol) {
    return Map.of(
        "process.roles", "broker,controller",
        "node.id", "1",
        "controller.quorum.voters", "1@127.0.0.1:" + ports.controller(),
        "controller.listener.names", "CONTROLLER",
        "inter.broker.listener.name", "BROKER",
        "listener.security.protocol.map",
            "CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT,PROXIED:PLAINTEXT,CLIENT:" + clientProtocol,
        "listeners",
            "CONTROLLER://127.0.0.1:%d,".formatted(ports.controller())
                + listeners(ports, ports.proxied()),
        "advertised.listeners", listeners(ports, ports.proxy()),
        "num.network.threads", "2",
        "num.io.threads", "4");
  }

  /** Where a broker listens, or says that it does, which differ for clients behind a proxy. */
  static String listeners(KafkaServer.Ports ports, int proxied) {
    return "BROKER://127.0.0.1:%d,CLIENT://127.0.0.1:%d,PROXIED://127.0.0.1:%d"
        .formatted(ports.broker(), ports.client(), proxied);
  }

  private static Map<String, String> storage(Path data) {
    return Map.ofEntries(
        Map.entry("log.dirs", data.toString()),
        // As long as its start is waited for; after a minute, the default, it ends by itself, and
        // a busy machine may need longer.
        Map.entry(
            "initial.broker.registration.timeout.ms", Long.toString(StartProgress.MOST.toMillis())),
        Map.entry("auto.create.topics.enable", "false"),
        Map.entry("delete.topic.enable", "true"),
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("offsets.topic.num.partitions", "1"),
        Map.entry("transaction.state.log.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        Map.entry("transaction.state.log.num.partitions", "1"),
        Map.entry("share.coordinator.state.topic.replication.factor", "1"),
        Map.entry("share.coordinator.state.topic.min.isr", "1"),
        Map.entry("share.coordinator.state.topic.num.partitions", "1"),
        Map.entry("group.initial.rebalance.delay.ms", "0"),
        // A killed broker may register again only when its old session has ended.
        Map.entry("broker.session.timeout.ms", "2000"),
        Map.entry("broker.heartbeat.interval.ms", "400"),
        Map.entry("log.cleaner.dedupe.buffer.size", "10485760"),
        Map.entry("log.cleaner.threads", "1"),
        Map.entry("log.segment.delete.delay.ms", "1000"));
  }
}
