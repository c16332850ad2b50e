package io.waybill.server.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import tools.jackson.databind.json.JsonMapper;

/** Prints listings, for people as a table, for programs as JSON. Foreign text is escaped. */
public final class Output {
  /** Writes what programs read. */
  public static final JsonMapper JSON = JsonMapper.builder().build();

  // The cursor to the upper left, and everything from there on erased.
  private static final String CLEAR = "\u001b[H\u001b[J";

  @Option(names = "--json", description = "Print JSON instead of text, errors too.")
  private boolean json;

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /** Filled by picocli. */
  public Output() {}

  /** Whether programs read it. */
  public boolean json() {
    return json;
  }

  /** Where results go. */
  public PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** One line of the result. */
  public void line(String text) {
    out().println(text);
  }

  /** A note about the result: after text, and on standard error when the result is JSON. */
  public void note(String text) {
    (json ? spec.commandLine().getErr() : out()).println(text);
  }

  /** A line while the command lasts, on standard error. */
  public void aside(String text) {
    spec.commandLine().getErr().println(text);
  }

  /** Something that takes its time. */
  public interface Work<T, E extends Exception> {
    /** Does it. */
    T run() throws E;
  }

  /** Tells people how far something is while it lasts. */
  public <T, E extends Exception> T during(Progress.Source source, Work<T, E> work) throws E {
    Progress progress = new Progress(spec.commandLine().getErr(), context().draws(), source);
    try {
      return work.run();
    } finally {
      progress.close();
    }
  }

  /**
   * Rows with the same keys: a table, or a JSON array on one line; a sentence if there are none.
   */
  public void rows(List<? extends Map<String, ?>> rows, String none) {
    if (json) {
      out().println(JSON.writeValueAsString(rows));
    } else if (rows.isEmpty()) {
      out().println(none);
    } else {
      print(listing().table(rows));
    }
  }

  /** Rows with sentences: a block each, or a JSON array on one line; a sentence if none. */
  public void blocks(List<? extends Map<String, ?>> rows, String none) {
    if (json || rows.isEmpty()) {
      rows(rows, none);
    } else {
      print(listing().blocks(rows));
    }
  }

  /** One thing: a line per key, or a JSON object on one line. */
  public void object(Map<String, ?> object) {
    if (json) {
      out().println(JSON.writeValueAsString(object));
    } else {
      print(listing().blocks(List.of(object)));
    }
  }

  /** Begins anew where lines are drawn anew; else an empty line separates what follows. */
  public void clear() {
    if (!json) {
      print(context().draws() ? CLEAR : System.lineSeparator());
    }
  }

  private void print(String text) {
    out().print(text);
    out().flush();
  }

  private Listing listing() {
    return new Listing(width());
  }

  private CommandContext context() {
    return CommandContext.of(spec);
  }

  /** Columns of the terminal; 0 where nobody sees lines that are too long. */
  private int width() {
    String columns = context().environment().getOrDefault("COLUMNS", "");
    if (columns.matches("[1-9][0-9]{0,4}")) {
      return Integer.parseInt(columns);
    }
    return context().terminal() ? CommandSpec.create().usageMessage().autoWidth(true).width() : 0;
  }
}
