package io.waybill.demo;

import io.waybill.server.WaybillCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A standalone relay as it is in production: {@code waybill relay --config FILE}. */
final class RelayProcess {
  static final String OUTBOX = "orders";

  private static final int GRACE_SECONDS = 25;

  private final String name;
  private final Children children;
  private final Path config;
  private Process process;

  RelayProcess(String name, Children children, String url, DemoBroker broker) throws IOException {
    this.name = name;
    this.children = children;
    this.config = children.folder().resolve(name + ".yaml");
    Files.writeString(config, yaml(name, url, broker));
    this.process = launch();
  }

  private static String yaml(String name, String url, DemoBroker broker) {
    return """
        server:
          port: 0
        waybill:
          relay:
            name: %s
          outboxes:
            %s:
              database:
                url: %s
                username: postgres
        %s"""
        .formatted(name, OUTBOX, url, broker.yaml().indent(6));
  }

  private Process launch() {
    return children.start(
        name, WaybillCommand.class.getName(), List.of("relay", "--config", config.toString()));
  }

  String name() {
    return name;
  }

  Path config() {
    return config;
  }

  synchronized void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized void startAgain() {
    process = launch();
  }

  synchronized void requireAlive() {
    try {
      children.requireAlive(name, process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void stop() throws InterruptedException {
    Children.stop(process, GRACE_SECONDS);
  }
}
