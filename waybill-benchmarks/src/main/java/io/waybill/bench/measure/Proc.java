package io.waybill.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What Linux says about a process. A process that has ended counts as zero. */
public final class Proc {
  // Linux reports CPU time to user space in hundredths of a second on every architecture.
  private static final double TICKS_PER_SECOND = 100.0;
  private static final int USER_TIME = 11;
  private static final int REAPED_SYSTEM_TIME = 14;

  private Proc() {}

  /**
   * CPU time of one process.
   *
   * @param pid process
   * @return seconds, user and system
   */
  public static double cpuSeconds(long pid) {
    return ticks(pid, USER_TIME + 1) / TICKS_PER_SECOND;
  }

  /**
   * CPU time of a process, its living descendants and the children that it has outlived.
   *
   * @param pid root of the tree
   * @return seconds, user and system
   */
  public static double treeCpuSeconds(long pid) {
    Stream<Long> children =
        ProcessHandle.of(pid).stream().flatMap(p -> p.descendants().map(ProcessHandle::pid));
    double living = children.mapToDouble(Proc::cpuSeconds).sum();
    return living + ticks(pid, REAPED_SYSTEM_TIME) / TICKS_PER_SECOND;
  }

  private static double ticks(long pid, int lastField) {
    String stat = read(pid, "stat");
    if (stat.isEmpty()) {
      return 0;
    }
    // The name in parentheses may hold anything; the fields follow its end.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long sum = 0;
    for (int field = USER_TIME; field <= lastField; field++) {
      sum += Long.parseLong(fields[field]);
    }
    return sum;
  }

  /**
   * Largest memory of a process so far.
   *
   * @param pid process
   * @return resident MiB
   */
  public static double peakRssMb(long pid) {
    return read(pid, "status")
        .lines()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
        .sum();
  }

  private static String read(long pid, String file) {
    Path path = Path.of("/proc", Long.toString(pid), file);
    try {
      return Files.exists(path) ? Files.readString(path) : "";
    } catch (IOException e) {
      if (ProcessHandle.of(pid).isEmpty()) {
        return "";
      }
      throw new UncheckedIOException(e);
    }
  }
}
