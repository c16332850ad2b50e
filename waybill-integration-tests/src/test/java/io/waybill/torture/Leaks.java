package io.waybill.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What relays hold at rest, in the beginning and in the end. */
final class Leaks {
  // A generation or, of other collectors, the heap; spaces within them have no total.
  private static final Pattern USED = Pattern.compile("\\btotal\\b.*?\\bused (\\d+)K");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
  // Pools that had not grown to their size in the beginning, caches, sockets that are just closing.
  private static final long MORE_THREADS = 8;
  private static final long MORE_FILES = 16;
  private static final long MORE_HEAP_KB = 32 << 10;
  private static final long MORE_CONNECTIONS = 1;

  /**
   * What one relay holds.
   *
   * @param threads its threads
   * @param files its open files and sockets
   * @param heapKb its heap after a collection, in KiB
   */
  record Sample(long threads, long files, long heapKb) {}

  /**
   * What all of them hold.
   *
   * @param relays by name
   * @param database connections to the database; in the beginning, as many as are documented
   * @param broker connections and channels to the broker
   */
  record Holdings(Map<String, Sample> relays, long database, long broker) {}

  private Leaks() {}

  static Map<String, Sample> samples(Map<String, Long> pids) {
    Map<String, Sample> samples = new TreeMap<>();
    pids.forEach((name, pid) -> samples.put(name, sample(pid)));
    return samples;
  }

  static Sample sample(long pid) {
    Path process = Path.of("/proc", Long.toString(pid));
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      long threads = number(THREADS, Files.readString(process.resolve("status")));
      return new Sample(threads, files.count(), heap(pid));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long heap(long pid) throws IOException {
    jcmd(pid, "GC.run");
    return heapOf(jcmd(pid, "GC.heap_info"));
  }

  static long heapOf(String info) {
    List<Long> used =
        info.lines()
            .flatMap(line -> USED.matcher(line).results())
            .map((MatchResult match) -> Long.parseLong(match.group(1)))
            .toList();
    if (used.isEmpty()) {
      throw new IllegalStateException("No heap in what the virtual machine says of it: " + info);
    }
    return used.stream().mapToLong(Long::longValue).sum();
  }

  private static long number(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .mapToLong((MatchResult match) -> Long.parseLong(match.group(1)))
        .findFirst()
        .orElseThrow();
  }

  private static String jcmd(long pid, String command) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** What is held in the end beyond what was held in the beginning. */
  static List<String> between(Holdings first, Holdings last) {
    List<String> found = new ArrayList<>();
    last.relays()
        .forEach(
            (name, sample) -> {
              Collection<Sample> before = first.relays().values();
              more(
                  found,
                  name,
                  "threads",
                  sample.threads(),
                  most(before, Sample::threads),
                  MORE_THREADS);
              more(found, name, "files", sample.files(), most(before, Sample::files), MORE_FILES);
              more(
                  found,
                  name,
                  "KiB of heap",
                  sample.heapKb(),
                  most(before, Sample::heapKb),
                  MORE_HEAP_KB);
            });
    more(found, "relays", "connections to the database", last.database(), first.database(), 0);
    more(
        found,
        "relays",
        "connections to the broker",
        last.broker(),
        first.broker(),
        MORE_CONNECTIONS);
    return found;
  }

  private static long most(Collection<Sample> samples, ToLongFunction<Sample> what) {
    return samples.stream().mapToLong(what).max().orElse(0);
  }

  private static void more(
      List<String> found, String who, String what, long now, long before, long allowed) {
    if (now > before + allowed) {
      found.add("leak: %s hold %d %s, %d in the beginning".formatted(who, now, what, before));
    }
  }
}
