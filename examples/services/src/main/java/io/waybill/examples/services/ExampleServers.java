package io.waybill.examples.services;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.trace.OtlpReceiver;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * What services need, and what looks at them from outside.
 *
 * @param database their database server
 * @param broker their broker
 * @param spans where they export their spans
 */
record ExampleServers(DatabaseServer database, Broker broker, OtlpReceiver spans)
    implements AutoCloseable {

  /** How a broker is started. */
  interface BrokerLaunch {
    Broker launch() throws IOException;
  }

  /** Starts everything. */
  static ExampleServers launch(DatabaseKind kind, BrokerLaunch broker) throws IOException {
    level(Logger.ROOT_LOGGER_NAME, Level.WARN);
    // Clients that ask before the broker is there have nothing to say.
    level("org.apache.kafka", Level.ERROR);
    return new ExampleServers(DatabaseServer.launch(kind), broker.launch(), OtlpReceiver.start());
  }

  private static void level(String logger, Level level) {
    ((Logger) LoggerFactory.getLogger(logger)).setLevel(level);
  }

  /** Properties of a service with a new database of its own. */
  Map<String, Object> properties(String name) {
    Map<String, Object> properties = new HashMap<>(broker.properties());
    properties.put("spring.datasource.url", database.createDatabase(name));
    properties.put(
        "management.opentelemetry.tracing.export.otlp.endpoint", spans.endpoint() + "/v1/traces");
    // Whoever looks at the terminal waits for the trace.
    properties.put("management.opentelemetry.tracing.export.schedule-delay", "200ms");
    return properties;
  }

  @Override
  public void close() {
    spans.close();
    broker.close();
    database.close();
  }
}
