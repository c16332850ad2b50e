package io.waybill.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Databases that go on from an earlier point: they are copied, and the copy is put back later. What
 * was committed in between is gone. Used by one thread at a time; any may ask.
 */
final class SetBacks {
  private static final String PREFIX = "evt-";

  private final Stage stage;
  private final Writers writers;
  private final Path folder;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private long copiedAt;

  /** Events whose numbers are behind the first, up to the second, were begun in between. */
  private record Span(long after, long until) {}

  SetBacks(Stage stage, Writers writers, Path folder) {
    this.stage = stage;
    this.writers = writers;
    this.folder = folder.resolve("copied-data");
  }

  /** Ends all transactions, too. */
  void copy() throws InterruptedException {
    stage.database().kill();
    copiedAt = writers.lastNumber();
    run("rm", "-rf", folder.toString());
    run("cp", "-a", stage.database().data().toString(), folder.toString());
    stage.database().start();
  }

  void putBack() throws InterruptedException {
    stage.database().kill();
    spans.add(new Span(copiedAt, writers.lastNumber()));
    run("rm", "-rf", stage.database().data().toString());
    run("cp", "-a", folder.toString(), stage.database().data().toString());
    stage.database().start();
  }

  private static void run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with exit code " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether an event that is not in the database now may have been there once. */
  boolean took(String eventId, Set<String> committed) {
    if (committed.contains(eventId) || !eventId.startsWith(PREFIX)) {
      return false;
    }
    long number = Long.parseLong(eventId.substring(PREFIX.length()));
    return spans.stream().anyMatch(span -> number > span.after() && number <= span.until());
  }
}
