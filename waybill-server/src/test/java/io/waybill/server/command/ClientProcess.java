package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A consumer in another language, which prints each message that it took as a line of JSON: its
 * place, its key and its body.
 */
final class ClientProcess implements AutoCloseable {
  static final Path FOLDER = Path.of("src", "test", "clients").toAbsolutePath();

  private final List<JsonNode> messages = new CopyOnWriteArrayList<>();
  private final Process process;
  private final CompletableFuture<Void> reader;

  ClientProcess(Map<String, String> environment, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.environment().putAll(environment);
    process = builder.directory(FOLDER.toFile()).redirectError(Redirect.INHERIT).start();
    reader = CompletableFuture.runAsync(this::read, task -> new Thread(task, "client").start());
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      lines.lines().map(JsonMapper.shared()::readTree).forEach(messages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it has taken so far. */
  List<JsonNode> messages() {
    return messages;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    reader.join();
  }
}
