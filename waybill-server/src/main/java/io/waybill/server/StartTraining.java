package io.waybill.server;

import io.waybill.server.command.Commands;
import io.waybill.server.relay.RelayProcess;
import io.waybill.server.terminal.CommandContext;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Briefly does the work of relays and commands, to let a JVM write an archive of the classes they
 * need. It connects to nothing: database and broker are ports without a listener.
 */
public final class StartTraining {
  private static final String CONFIG =
      """
      server: {port: 0}
      waybill:
        relay: {grace-period: 1s}
        outboxes:
          postgres-to-kafka:
            database: {url: "jdbc:postgresql://127.0.0.1:9/shop", username: waybill}
            kafka: {bootstrap-servers: ["127.0.0.1:9"], request-timeout: 100ms, delivery-timeout: 1s}
            routes: {default: {target: "{aggregateType|lower}-events"}}
          mysql-to-rabbitmq:
            database: {url: "jdbc:mysql://127.0.0.1:9/shop", username: waybill}
            rabbitmq: {addresses: ["127.0.0.1:9"], connect-timeout: 100ms}
            routes: {default: {target: events, routing-key: "{eventType}"}}
      """;

  private StartTraining() {}

  /**
   * Runs.
   *
   * @param arguments none
   * @throws IOException if the relay's own address cannot be asked
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Files.createTempFile("waybill-training", ".yaml");
    try {
      Files.writeString(file, CONFIG);
      relay(file);
      commands(file);
    } finally {
      Files.delete(file);
    }
    System.exit(0);
  }

  private static void commands(Path file) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("WAYBILL_CONFIG", file.toString());
    CommandContext context = new CommandContext(environment, "training");
    PrintWriter nowhere =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (String line :
        List.of(
            "--help",
            "config check",
            "config print --json",
            "status",
            "doctor",
            "events list -o postgres-to-kafka",
            "dead-letters list orders -o mysql-to-rabbitmq")) {
      Commands.run(context, nowhere, nowhere, line.split(" "));
    }
  }

  private static void relay(Path file) throws IOException {
    LoadedConfig<WaybillProperties> loaded = StandaloneOutboxes.loader().load(file, Map.of());
    RelayProcess relay = RelayProcess.start(loaded, () -> {}, cause -> {});
    for (String path : List.of("/livez", "/readyz", "/metrics")) {
      URI uri = URI.create("http://127.0.0.1:" + relay.port() + path);
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      try (InputStream body =
          connection.getResponseCode() == 200
              ? connection.getInputStream()
              : connection.getErrorStream()) {
        body.transferTo(OutputStream.nullOutputStream());
      }
    }
    relay.stop();
  }
}
