package io.waybill.bench.measure;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * When something happened to which event. Times are {@link System#nanoTime}, which on Linux is the
 * machine's monotonic clock and so comparable between processes. Thread-safe.
 */
public final class Stamps {
  private long[] pairs = new long[1 << 12];
  private int size;

  /**
   * It happened now.
   *
   * @param ref the event
   */
  public void stamp(long ref) {
    note(ref, System.nanoTime());
  }

  /**
   * Keeps a number.
   *
   * @param ref what it is about
   * @param nanos the number
   */
  public synchronized void note(long ref, long nanos) {
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, size * 2);
    }
    pairs[size++] = ref;
    pairs[size++] = nanos;
  }

  /**
   * Writes all stamps.
   *
   * @param file to be created
   * @throws IOException when it cannot be written
   */
  public synchronized void write(Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(size);
      for (int i = 0; i < size; i++) {
        out.writeLong(pairs[i]);
      }
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param file the file
   * @return time by event, the first one if there are several
   * @throws IOException when it cannot be read
   */
  public static Map<Long, Long> read(Path file) throws IOException {
    return read(file, ref -> true);
  }

  /**
   * Reads some of what {@link #write} wrote.
   *
   * @param file the file
   * @param wanted which events
   * @return time by event, the first one if there are several
   * @throws IOException when it cannot be read
   */
  public static Map<Long, Long> read(Path file, LongPredicate wanted) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      Map<Long, Long> times = new HashMap<>();
      for (int left = in.readInt(); left > 0; left -= 2) {
        long ref = in.readLong();
        long time = in.readLong();
        if (wanted.test(ref)) {
          times.putIfAbsent(ref, time);
        }
      }
      return times;
    }
  }
}
