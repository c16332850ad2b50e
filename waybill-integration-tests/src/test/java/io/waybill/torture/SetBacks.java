package io.waybill.torture;

import io.waybill.testkit.DatabaseServer;
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

  private final DatabaseServer database;
  private final Writers writers;
  private final Path folder;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private long copiedAt;

  /** Events whose numbers are behind the first, up to the second, were begun in between. */
  private record Span(long after, long until) {}

  SetBacks(DatabaseServer database, Writers writers, Path folder) {
    this.database = database;
    this.writers = writers;
    this.folder = folder.resolve("copied-data");
  }

  /** Ends all transactions, too. */
  void copy() throws InterruptedException {
    database.kill();
    copiedAt = writers.lastNumber();
    run("rm", "-rf", folder.toString());
    run("cp", "-a", database.data().toString(), folder.toString());
    database.start();
  }

  void putBack() throws InterruptedException {
    database.kill();
    spans.add(new Span(copiedAt, writers.lastNumber()));
    run("rm", "-rf", database.data().toString());
    run("cp", "-a", folder.toString(), database.data().toString());
    database.start();
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
