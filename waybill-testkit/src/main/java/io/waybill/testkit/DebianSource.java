package io.waybill.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where this machine has its own Debian packages from.
 *
 * @param mirror address of the archive
 * @param suite the machine's own release
 * @param keyring file of the keys that sign the archive
 */
record DebianSource(String mirror, String suite, String keyring) {
  private static final Path FILE = Path.of("/etc/apt/sources.list.d/debian.sources");

  /**
   * Reads the first stanza of the machine's {@code debian.sources}.
   *
   * @throws IOException when there is no such file, or not in the usual form
   */
  static DebianSource ofThisMachine() throws IOException {
    if (!Files.isReadable(FILE)) {
      throw new IOException("there is no " + FILE + ", so this is no Debian 12 or newer");
    }
    List<String> lines = Files.readAllLines(FILE);
    return new DebianSource(
        first(lines, "URIs"), first(lines, "Suites"), first(lines, "Signed-By"));
  }

  /** The line of an apt source list for a suite of the same archive. */
  String line(String wanted) {
    return "deb [signed-by=%s] %s %s main%n".formatted(keyring, mirror, wanted);
  }

  private static String first(List<String> lines, String field) throws IOException {
    return lines.stream()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1).strip().split("\\s+", 2)[0])
        .findFirst()
        .orElseThrow(() -> new IOException(FILE + " has no field " + field));
  }
}
