package io.waybill.demo;

import io.waybill.proof.server.Frozen;
import io.waybill.server.WaybillCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A standalone relay as it is in production: {@code waybill relay --config FILE}. Thread-safe. */
final class RelayProcess {
  static final String OUTBOX = "orders";

  private static final int GRACE_SECONDS = 25;

  private final String name;
  private final Children children;
  private final Path config;
  private Process process;

  RelayProcess(String name, Children children, String yaml) throws IOException {
    this.name = name;
    this.children = children;
    this.config = children.folder().resolve(name + ".yaml");
    configure(yaml);
    this.process = launch();
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

  /** Writes another configuration, which counts from the next start on. */
  synchronized void configure(String yaml) throws IOException {
    Files.writeString(config, yaml);
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

  synchronized boolean isAlive() {
    return process.isAlive();
  }

  /** Stops it gracefully and starts it again. */
  synchronized void restart() throws InterruptedException {
    stop();
    startAgain();
  }

  /** Lets it stand still while something is done. */
  synchronized void frozen(Runnable meanwhile) {
    Frozen.freeze(process.pid());
    try {
      meanwhile.run();
    } finally {
      Frozen.thaw(process.pid());
    }
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
