package io.waybill.server.command;

import io.waybill.server.config.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import tools.jackson.databind.json.JsonMapper;

/** Prints listings, for people as a table, for programs as JSON. Foreign text is escaped. */
final class Output {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  boolean json() {
    return json;
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  void line(String text) {
    out().println(text);
  }

  /** What is to be known beside the result: after it, and beside JSON where errors go. */
  void note(String text) {
    (json ? spec.commandLine().getErr() : out()).println(text);
  }

  /** Rows with the same keys: a table, or a JSON array on one line. */
  void rows(List<? extends Map<String, ?>> rows) {
    if (json) {
      out().println(JSON.writeValueAsString(rows));
    } else if (rows.isEmpty()) {
      out().println("none");
    } else {
      table(rows);
    }
  }

  /** One thing: a line per key, or a JSON object on one line. */
  void object(Map<String, ?> object) {
    if (json) {
      out().println(JSON.writeValueAsString(object));
      return;
    }
    int width = object.keySet().stream().mapToInt(String::length).max().orElse(0);
    object.forEach((key, value) -> out().println(pad(key, width) + "  " + text(value)));
  }

  private void table(List<? extends Map<String, ?>> rows) {
    List<String> names = new ArrayList<>(rows.get(0).keySet());
    List<List<String>> cells = new ArrayList<>();
    cells.add(names);
    for (Map<String, ?> row : rows) {
      cells.add(names.stream().map(name -> text(row.get(name))).toList());
    }
    int[] widths = new int[names.size()];
    for (List<String> line : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : cells) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        text.append(pad(line.get(i), widths[i])).append("  ");
      }
      out().println(text.toString().stripTrailing());
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Collection<?> list) {
      return list.isEmpty()
          ? "-"
          : Printable.of(String.join(", ", list.stream().map(String::valueOf).toList()));
    }
    return value == null ? "-" : Printable.of(value.toString());
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
