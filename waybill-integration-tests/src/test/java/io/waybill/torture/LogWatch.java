package io.waybill.torture;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads the logs of relays while they grow: secrets and payloads must not be in them, and each
 * ERROR line needs a fault. Lines are dated by when they were read, since a relay's own clock may
 * be wrong. Thread-safe.
 */
final class LogWatch {
  private static final Pattern ERROR = Pattern.compile("\\S+ ERROR .*");
  private static final int CHUNK = 1 << 20;

  /**
   * An ERROR line.
   *
   * @param log file name
   * @param line the line
   * @param atMillis when it was read
   */
  record ErrorLine(String log, String line, long atMillis) {}

  private final List<Path> logs;
  private final Set<String> canaries;
  private final Map<Path, Long> positions = new HashMap<>();
  private final Map<Path, String> tails = new HashMap<>();
  private final List<ErrorLine> errors = new ArrayList<>();
  private final Set<String> leaks = new TreeSet<>();

  LogWatch(List<Path> logs, Set<String> canaries) {
    this.logs = logs;
    this.canaries = canaries;
  }

  synchronized void read() {
    for (Path log : logs) {
      try {
        if (Files.exists(log)) {
          read(log);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void read(Path log) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long position = positions.getOrDefault(log, 0L);
      while (position < file.length()) {
        byte[] bytes = new byte[(int) Math.min(CHUNK, file.length() - position)];
        file.seek(position);
        file.readFully(bytes);
        position += bytes.length;
        // One byte per character, so that nothing is lost at the edges of chunks.
        take(log, new String(bytes, StandardCharsets.ISO_8859_1));
      }
      positions.put(log, position);
    }
  }

  private void take(Path log, String text) {
    String all = tails.getOrDefault(log, "") + text;
    int end = all.lastIndexOf('\n') + 1;
    String name = String.valueOf(log.getFileName());
    long now = System.currentTimeMillis();
    all.substring(0, end)
        .lines()
        .forEach(
            line -> {
              if (ERROR.matcher(line).matches()) {
                errors.add(new ErrorLine(name, line, now));
              }
            });
    canaries.stream().filter(all::contains).forEach(canary -> leaks.add(name + " has " + canary));
    tails.put(log, all.substring(end));
  }

  synchronized List<ErrorLine> errors() {
    return List.copyOf(errors);
  }

  /** What of payloads and secrets is in which log. */
  synchronized Set<String> leaks() {
    return Set.copyOf(leaks);
  }
}
