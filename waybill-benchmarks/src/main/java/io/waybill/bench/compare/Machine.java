package io.waybill.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where figures were taken.
 *
 * @param processor its model
 * @param processors how many of them
 * @param memoryMb memory
 * @param system operating system
 * @param java Java that all processes run on
 */
record Machine(String processor, int processors, long memoryMb, String system, String java) {
  private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*: (.*)$");
  private static final Pattern MEMORY = Pattern.compile("(?m)^MemTotal:\\s*(\\d+) kB$");

  static Machine here() {
    String memory = first(MEMORY, "/proc/meminfo", "0");
    return new Machine(
        first(MODEL, "/proc/cpuinfo", System.getProperty("os.arch")),
        Runtime.getRuntime().availableProcessors(),
        Long.parseLong(memory) / 1024,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version"));
  }

  private static String first(Pattern pattern, String file, String otherwise) {
    try {
      Matcher matcher = pattern.matcher(Files.readString(Path.of(file)));
      return matcher.find() ? matcher.group(1).strip() : otherwise;
    } catch (IOException notLinux) {
      return otherwise;
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%d x %s, %d MB, %s, %s", processors, processor, memoryMb, system, java);
  }
}
