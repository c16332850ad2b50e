package io.waybill.examples.services;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.KafkaTail;
import io.waybill.testkit.PostgresServer;
import io.waybill.testkit.trace.OtlpReceiver;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * What services need, and what looks at them from outside.
 *
 * @param postgres their database server
 * @param kafka their broker
 * @param tail a consumer that is none of them
 * @param spans where they export their spans
 */
record Surroundings(PostgresServer postgres, KafkaServer kafka, KafkaTail tail, OtlpReceiver spans)
    implements AutoCloseable {
  private static final int PARTITIONS = 4;

  /** Starts everything, and creates topics with those of their dead letters. */
  static Surroundings launch(List<String> sources) throws IOException {
    level(Logger.ROOT_LOGGER_NAME, Level.WARN);
    // Clients that ask before the broker is there have nothing to say.
    level("org.apache.kafka", Level.ERROR);
    List<String> topics =
        sources.stream().flatMap(topic -> Stream.of(topic, topic + ".dlt")).toList();
    PostgresServer postgres = PostgresServer.launch();
    KafkaServer kafka = KafkaServer.launch();
    topics.forEach(topic -> kafka.createTopic(topic, PARTITIONS, Map.of()));
    return new Surroundings(
        postgres, kafka, new KafkaTail(kafka.bootstrapServers(), topics), OtlpReceiver.start());
  }

  private static void level(String logger, Level level) {
    ((Logger) LoggerFactory.getLogger(logger)).setLevel(level);
  }

  /** Properties of a service with a new database of its own. */
  Map<String, Object> properties(String database) {
    postgres.createDatabase(database);
    Map<String, Object> properties = new HashMap<>();
    properties.put("spring.datasource.url", postgres.jdbcUrl(database));
    properties.put("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
    properties.put(
        "management.opentelemetry.tracing.export.otlp.endpoint", spans.endpoint() + "/v1/traces");
    return properties;
  }

  @Override
  public void close() {
    tail.close();
    spans.close();
    kafka.close();
    postgres.close();
  }
}
