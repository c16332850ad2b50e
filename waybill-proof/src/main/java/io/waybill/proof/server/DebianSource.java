package io.waybill.proof.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where this machine has its own Debian packages from, as its apt says, whichever form its lists of
 * sources have.
 *
 * @param mirror address of the archive
 * @param suite the machine's own release
 */
record DebianSource(String mirror, String suite) {
  private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
  private static final Pattern RELEASE =
      Pattern.compile("'(\\S+)/dists/([a-z]+)/(?:In)?Release' .*");

  /**
   * Asks the machine's apt.
   *
   * @throws IOException when it names no archive of Debian
   */
  static DebianSource ofThisMachine() throws IOException {
    if (!Files.isReadable(KEYRING)) {
      throw new IOException("there is no " + KEYRING + ", so this machine is no Debian");
    }
    return in(DebianTree.run(List.of("apt-get", "update", "--print-uris")).lines());
  }

  /** Other archives use the names of Debian's releases, too, but rarely its folder. */
  static DebianSource in(Stream<String> addresses) throws IOException {
    return addresses
        .map(RELEASE::matcher)
        .filter(line -> line.matches())
        .map(line -> new DebianSource(line.group(1), line.group(2)))
        .min(Comparator.comparing(source -> !source.mirror().endsWith("/debian")))
        .orElseThrow(() -> new IOException("the sources of apt name no release of Debian"));
  }

  /** The line of an apt source list for a suite of the same archive. */
  String line(String wanted) {
    return "deb [signed-by=%s] %s %s main%n".formatted(KEYRING, mirror, wanted);
  }
}
