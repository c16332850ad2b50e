package io.waybill.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Shows progress: a table that is drawn over itself on a terminal, a line now and then elsewhere.
 * Thread-safe.
 */
final class Screen {
  private static final long LINE_EVERY_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int LATEST = 12;
  private static final String HEAD = "  time    written  published   consumed        lag  lanes";

  private final PrintStream out;
  private final boolean terminal;
  private final long start = System.nanoTime();
  private final Deque<String> latest = new ArrayDeque<>();
  private long lastLine;
  private int drawn;

  Screen(PrintStream out) {
    this.out = out;
    this.terminal = isTerminal();
  }

  /** Says something that stays. */
  synchronized void say(String text) {
    wipe();
    out.println(text);
    out.flush();
  }

  /** Says what happened, with the time. */
  synchronized void event(String text) {
    String line = String.format(Locale.ROOT, "%5.1fs  * %s", seconds(), text);
    latest.addFirst(line.strip());
    if (latest.size() > LATEST) {
      latest.removeLast();
    }
    say(line);
  }

  /** What happened last, the latest first. */
  synchronized List<String> latest() {
    return List.copyOf(latest);
  }

  /** Shows the progress, if it is time. */
  synchronized void show(Progress progress) {
    if (terminal) {
      draw(progress);
    } else if (lastLine == 0 || System.nanoTime() - lastLine >= LINE_EVERY_NANOS) {
      if (lastLine == 0) {
        out.println(HEAD);
      }
      lastLine = System.nanoTime();
      out.println(row(progress));
      out.flush();
    }
  }

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private void draw(Progress progress) {
    wipe();
    List<String> lines = new ArrayList<>(List.of("", HEAD, row(progress), ""));
    lines.forEach(out::println);
    drawn = lines.size();
    out.flush();
  }

  private void wipe() {
    if (drawn > 0) {
      // Up to the first line of the table, and clear from there.
      out.print("\u001b[" + drawn + "A\u001b[J");
      drawn = 0;
    }
  }

  private String row(Progress progress) {
    return String.format(
        Locale.ROOT,
        "%5.1fs %,10d %,10d %,10d %,10d  %s",
        seconds(),
        progress.written(),
        progress.published(),
        progress.consumed(),
        progress.lag(),
        lanes(progress.lanes()));
  }

  private static String lanes(Map<String, Integer> lanes) {
    return lanes.entrySet().stream()
        .map(relay -> relay.getKey() + " " + relay.getValue())
        .collect(Collectors.joining(", "));
  }

  /** A console object says nothing on newer JDKs, so the system is asked. */
  private static boolean isTerminal() {
    if ("dumb".equals(System.getenv().getOrDefault("TERM", "dumb"))) {
      return false;
    }
    try {
      Process test = new ProcessBuilder("test", "-t", "1").redirectOutput(Redirect.INHERIT).start();
      return test.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
