package io.waybill.server.command;

import io.waybill.server.terminal.CommandContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one command printed and returned.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
record CommandRun(int code, String out, String err) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static CommandRun of(Map<String, String> environment, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Commands.run(
            new CommandContext(environment, "operator"),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            arguments);
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** Runs a command on a configuration. */
  static CommandRun on(Path config, Map<String, String> environment, String... arguments) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("WAYBILL_CONFIG", config.toString());
    return of(all, arguments);
  }

  static Path write(Path folder, String yaml) {
    try {
      return Files.writeString(folder.resolve("waybill.yaml"), yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode json() {
    return JSON.readTree(out);
  }

  List<String> jsonTexts(String field) {
    return json().valueStream().map(node -> node.get(field).asString()).toList();
  }
}
