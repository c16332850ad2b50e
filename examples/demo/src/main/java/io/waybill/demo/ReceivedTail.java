package io.waybill.demo;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads what the consumer recorded, while it goes on recording. Not thread-safe. */
final class ReceivedTail {
  private static final int MOST_AT_ONCE = 8 << 20;

  private final Path file;
  private final List<Change> copies = new ArrayList<>();
  private final Set<String> distinct = new HashSet<>();
  private long position;

  ReceivedTail(Path file) {
    this.file = file;
  }

  /** Reads the lines that were completed since the last call; true if there were any. */
  boolean advance() throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    byte[] fresh = fresh();
    int end = lastLineEnd(fresh);
    position += end;
    new String(fresh, 0, end, StandardCharsets.UTF_8)
        .lines()
        .map(Change::parse)
        .forEach(
            copy -> {
              copies.add(copy);
              distinct.add(copy.eventId());
            });
    return end > 0;
  }

  private byte[] fresh() throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek(position);
      byte[] bytes = new byte[(int) Math.min(MOST_AT_ONCE, in.length() - position)];
      in.readFully(bytes);
      return bytes;
    }
  }

  private static int lastLineEnd(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  /** All copies so far, in the order of their arrival. */
  List<Change> copies() {
    return copies;
  }

  /** Number of distinct events so far. */
  int distinct() {
    return distinct.size();
  }
}
