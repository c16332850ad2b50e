package io.waybill.it;

import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A relay in a container's place: a root of its own that is read-only, a user that is nobody, no
 * variables but the given ones, and secrets in a folder. Needs a root user on Linux.
 */
final class Container {
  /** Where a container sees its secrets. */
  static final String SECRETS = "/run/secrets";

  private static final String ENTER =
      """
      set -e
      root="$1" secrets="$2" && shift 2
      mount -t tmpfs none "$root"
      for folder in usr etc tmp proc run/secrets; do mkdir -p "$root/$folder"; done
      for link in bin lib lib64; do ln -s "usr/$link" "$root/$link"; done
      # Before what follows: a class path may lie there.
      mount -t tmpfs -o mode=1777 none "$root/tmp"
      mount --bind /usr "$root/usr" && mount -o remount,ro,bind "$root/usr"
      for folder in /etc/java-*; do
        [ -d "$folder" ] || continue
        mkdir -p "$root$folder" && mount --bind "$folder" "$root$folder"
      done
      while [ "$1" != -- ]; do
        if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$(dirname "$root$1")"; touch "$root$1"; fi
        mount --bind "$1" "$root$1"
        shift
      done
      shift
      mount --bind "$secrets" "$root/run/secrets"
      mount -t proc none "$root/proc"
      mount -o remount,ro "$root"
      exec chroot --userspec=65534:65534 "$root" /usr/bin/env -i "$@"
      """;

  private final Process process;
  private final Path log;

  private Container(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Tried, since a root user need not be allowed to mount. */
  static boolean canRun() throws IOException, InterruptedException {
    return "root".equals(System.getProperty("user.name"))
        && Files.isExecutable(Path.of("/usr/bin/unshare"))
        && Path.of(System.getProperty("java.home")).startsWith("/usr/lib/jvm")
        && mounts();
  }

  private static boolean mounts() throws IOException, InterruptedException {
    List<String> trial =
        List.of(
            "unshare", "--mount", "--propagation=private", "mount", "-t", "tmpfs", "none", "/mnt");
    return new ProcessBuilder(trial).start().waitFor() == 0;
  }

  /** Starts a relay with 256 MB in all. */
  static Container run(
      ProcessGuard guard, Path folder, String name, Path secrets, Map<String, String> variables)
      throws IOException {
    Path root = Files.createDirectories(folder.resolve(name));
    List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--propagation=private"));
    command.addAll(List.of("sh", "-c", ENTER, "container", root.toString(), secrets.toString()));
    String classes = System.getProperty("java.class.path");
    command.addAll(
        Arrays.stream(classes.split(":")).distinct().filter(Container::isThere).toList());
    command.add("--");
    variables.forEach((variable, value) -> command.add(variable + "=" + value));
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(
        List.of(
            "-Xmx80m",
            "-XX:MaxMetaspaceSize=88m",
            "-XX:ReservedCodeCacheSize=24m",
            "-XX:MaxDirectMemorySize=8m",
            "-Xss512k",
            "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classes, "io.waybill.server.WaybillCommand", "relay"));
    return new Container(guard.run(name, Map.of(), command), folder.resolve(name + ".out"));
  }

  private static boolean isThere(String path) {
    return Files.exists(Path.of(path));
  }

  /** SIGTERM, and waits for the end. Returns the exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      throw new IllegalStateException("It did not end within 40 s: " + log());
    }
    return process.exitValue();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Resident memory in megabytes. */
  long megabytes() {
    try {
      String line =
          Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
              .filter(each -> each.startsWith("VmRSS:"))
              .collect(Collectors.joining());
      return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
