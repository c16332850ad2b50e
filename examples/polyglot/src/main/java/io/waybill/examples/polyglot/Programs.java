package io.waybill.examples.polyglot;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.server.WaybillCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The processes of a run: the relay and the services. They end with this one. */
final class Programs implements AutoCloseable {
  private static final int GRACE_SECONDS = 25;

  private final PostgresServer postgres;
  private final Path output;
  private final ProcessGuard guard;

  Programs(PostgresServer postgres) throws IOException {
    this.postgres = postgres;
    this.output = Files.createTempDirectory("waybill-polyglot-");
    this.guard = new ProcessGuard(output);
  }

  /**
   * The standalone relay, as {@code ./waybill relay --config relay.yaml} starts it.
   *
   * @param more environment variables that change its configuration
   */
  Process startRelay(KafkaServer kafka, Map<String, String> more) {
    String server = "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/";
    Map<String, String> environment = new HashMap<>(more);
    environment.put("PAYMENT_DATABASE", server + Service.PAYMENT.database());
    environment.put("NOTIFICATION_DATABASE", server + Service.NOTIFICATION.database());
    environment.put("KAFKA", kafka.bootstrapServers());
    return guard.run(
        "relay",
        environment,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            WaybillCommand.class.getName(),
            "relay",
            "--config",
            Tools.folder().resolve("relay.yaml").toString()));
  }

  /** A service's program, which makes so many business changes and ends. */
  Process start(Service service, int number) {
    Map<String, String> environment = new HashMap<>(Tools.pythonEnvironment());
    environment.put("DATABASE_URL", service.url(postgres));
    return guard.run(service.source(), environment, service.command(number));
  }

  /** A service's consumer, which runs until it is stopped and exports its spans. */
  Process startConsumer(Service service, KafkaServer kafka, String otlp) {
    Map<String, String> environment = new HashMap<>(Tools.pythonEnvironment());
    environment.put("DATABASE_URL", service.url(postgres));
    environment.put("KAFKA", kafka.bootstrapServers());
    environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", otlp);
    return guard.run(service.source(), environment, service.consumer());
  }

  /** What a process printed. */
  String output(String name) throws IOException {
    Path file = output.resolve(name + ".out");
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }

  /** Asks a process to end, and kills it when it does not. */
  static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  @Override
  public void close() {
    guard.close();
  }
}
