package io.waybill.proof.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Debian packages with all that they need, downloaded and unpacked into a folder of the build.
 * Nothing is installed, and the system's own apt is unchanged. A tree is made once and kept until
 * somebody deletes it. Immutable.
 */
final class DebianTree {
  /**
   * In a mount namespace of its own, so that nothing stays mounted when the program ends: {@code
   * $0} is the tree, {@code $1} the folder that is the same inside and outside.
   */
  private static final String ENTER =
      """
      mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && mkdir -p "$0$1" \
      && mount --rbind "$1" "$0$1" && shift && exec chroot "$0" "$@"
      """;

  /** The same with the machine's own files, but for its settings, programs and libraries. */
  private static final String STARTER =
      """
      #!/bin/sh
      exec %s sh -c '
        for each in /* /etc/hosts /etc/resolv.conf /etc/ssl; do
          case "$each" in /etc | /usr | /bin | /sbin | /lib*) continue ;; esac
          if [ -d "$each" ]; then mkdir -p "$0$each"
          elif [ -f "$each" ]; then touch "$0$each"
          else continue
          fi
          mount --rbind "$each" "$0$each" || exit
        done
        here="$1"
        shift
        exec chroot "$0" /usr/bin/env -C "$here" PATH=/usr/bin "$@"
      ' '%s' "$PWD" '%s' "$@"
      """;

  private static final List<String> TOOLS = List.of("apt-get", "dpkg-deb", "tar", "unshare");
  private static final List<String> PROGRAM_FOLDERS = List.of("/usr/bin", "/usr/sbin");
  private static final List<String> NAMESPACE =
      System.getProperty("user.name").equals("root")
          ? List.of("unshare", "-m", "--propagation", "private")
          : List.of("unshare", "--map-root-user", "-m", "--propagation", "private");
  private static final List<String> MERGED = List.of("bin", "sbin", "lib", "lib64");

  private final Path home;

  private DebianTree(Path home) {
    this.home = home;
  }

  /**
   * The tree of some packages, made now unless it is there. Callers of several processes wait for
   * each other.
   *
   * @param name what the folder is called
   * @param suite Debian's suite, or an empty text for the machine's own
   * @param packages names of packages
   * @throws IOException when it cannot be had on this machine; the message says why
   */
  static synchronized DebianTree of(String name, String suite, List<String> packages)
      throws IOException {
    requireMachine();
    DebianSource source = DebianSource.ofThisMachine();
    String wanted = suite.isEmpty() ? source.suite() : suite;
    Path folder = Files.createDirectories(folder());
    // Another list of packages is another tree.
    String version = Integer.toHexString(packages.hashCode());
    Path home = folder.resolve(String.join("-", name, wanted, version));
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("lock").toFile(), "rw")) {
      // Held until the file is closed.
      file.getChannel().lock();
      if (!Files.isDirectory(home)) {
        Path draft = folder.resolve(name + ".draft");
        delete(draft);
        new DebianTree(draft).make(source.line(wanted), packages);
        Files.move(draft, home, StandardCopyOption.ATOMIC_MOVE);
      }
      return new DebianTree(home);
    }
  }

  /**
   * A command that runs a program of the tree. It sees the tree, {@code /proc}, {@code /dev} and
   * the system's folder for temporary files.
   *
   * @param program absolute path in the tree
   * @param arguments its arguments
   */
  List<String> command(String program, List<String> arguments) {
    List<String> command = new ArrayList<>(NAMESPACE);
    command.addAll(List.of("sh", "-c", ENTER, root().toString()));
    command.add(temporary().toString());
    command.add(program);
    command.addAll(arguments);
    return command;
  }

  /** An executable file that runs a program of the tree on the machine's own files. */
  Path starter(String program) throws IOException {
    String text = STARTER.formatted(String.join(" ", NAMESPACE), root(), program);
    Path file = Files.createDirectories(home.resolve("bin")).resolve(program);
    if (!Files.isExecutable(file)) {
      // Some languages ask its list where a library is.
      run(command("/sbin/ldconfig", List.of()));
      Path draft = Files.createTempFile(file.getParent(), program, ".draft");
      Files.writeString(draft, text);
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return file;
  }

  /** Files of the tree. */
  Path root() {
    return home.resolve("root");
  }

  /** Version of one of the packages, or an empty text if it is not among them. */
  String version(String name) {
    try {
      return Files.readAllLines(home.resolve("packages")).stream()
          .map(archive -> archive.split("_", 3))
          .filter(parts -> parts[0].equals(name))
          .map(parts -> parts[1].replace("%3a", ":"))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static void requireMachine() throws IOException {
    for (String tool : TOOLS) {
      if (PROGRAM_FOLDERS.stream().noneMatch(f -> Files.isExecutable(Path.of(f, tool)))) {
        throw new IOException("this machine has no " + tool);
      }
    }
    List<String> nothing = new ArrayList<>(NAMESPACE);
    nothing.add("true");
    try {
      run(nothing);
    } catch (IOException e) {
      throw new IOException("it needs root or user namespaces: " + e.getMessage(), e);
    }
  }

  /** A folder of the checkout, so that its modules share it; git ignores it. */
  private static Path folder() {
    String given = System.getProperty("waybill.servers", "");
    if (!given.isEmpty()) {
      return Path.of(given);
    }
    Path top = Path.of("").toAbsolutePath();
    for (Path at = top; at != null; at = at.getParent()) {
      top = Files.isRegularFile(at.resolve("pom.xml")) ? at : top;
    }
    return top.resolve(".servers");
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
  }

  private void make(String sourceLine, List<String> packages) throws IOException {
    Path archives = home.resolve("apt/archives");
    Files.createDirectories(archives.resolve("partial"));
    Files.createDirectories(home.resolve("apt/lists/partial"));
    Files.writeString(home.resolve("apt/status"), "");
    Files.writeString(home.resolve("apt/sources.list"), sourceLine);
    apt(List.of("update"));
    List<String> install = new ArrayList<>(List.of("-y", "--download-only", "install"));
    install.addAll(packages);
    apt(install);
    makeRoot();
    List<Path> files = archives(archives);
    for (Path archive : files) {
      unpack(archive);
    }
    Path awk = root().resolve("usr/bin/awk");
    if (Files.exists(root().resolve("usr/bin/gawk")) && !Files.exists(awk)) {
      // The script that installs the package makes this link.
      Files.createSymbolicLink(awk, Path.of("gawk"));
    }
    Files.write(
        home.resolve("packages"), files.stream().map(f -> f.getFileName().toString()).toList());
    delete(home.resolve("apt"));
  }

  /** Runs apt with lists, a status and archives of its own. */
  private void apt(List<String> arguments) throws IOException {
    Path apt = home.resolve("apt");
    List<String> command = new ArrayList<>(List.of("apt-get", "-qq"));
    for (String option :
        List.of(
            "Dir::State::lists=" + apt.resolve("lists"),
            "Dir::State::status=" + apt.resolve("status"),
            "Dir::Cache=" + apt,
            "Dir::Cache::archives=" + apt.resolve("archives"),
            "Dir::Etc::sourcelist=" + apt.resolve("sources.list"),
            "Dir::Etc::sourceparts=-",
            "Dir::Etc::preferences=-",
            "Dir::Etc::preferencesparts=-",
            "Acquire::Languages=none",
            // Otherwise an archive that cannot be reached is a warning.
            "APT::Update::Error-Mode=any",
            "APT::Install-Recommends=false",
            "APT::Sandbox::User=root")) {
      command.addAll(List.of("-o", option));
    }
    command.addAll(arguments);
    run(command);
  }

  private void makeRoot() throws IOException {
    for (String link : MERGED) {
      Files.createDirectories(root().resolve("usr").resolve(link));
      Files.createSymbolicLink(root().resolve(link), Path.of("usr", link));
    }
    for (String folder : List.of("etc", "proc", "dev", "tmp")) {
      Files.createDirectories(root().resolve(folder));
    }
    Files.writeString(
        root().resolve("etc/passwd"),
        "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n");
    Files.writeString(root().resolve("etc/group"), "root:x:0:\nnogroup:x:65534:\n");
    Files.writeString(root().resolve("etc/hosts"), "127.0.0.1 localhost\n");
  }

  private void unpack(Path archive) throws IOException {
    run(
        List.of(
            "sh",
            "-c",
            // Without what nobody reads here.
            "dpkg-deb --fsys-tarfile \"$0\" | tar -x -C \"$1\" --keep-directory-symlink"
                + " --exclude=./usr/share/doc --exclude=./usr/share/man"
                + " --exclude=./usr/share/locale",
            archive.toString(),
            root().toString()));
  }

  private static List<Path> archives(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".deb")).sorted().toList();
    }
  }

  /** Returns what the command printed. */
  static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command.get(0) + " failed: " + reason(output));
      }
      return output;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command.get(0) + " ran", e);
    }
  }

  /** The first error that apt names, or the last line. */
  private static String reason(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("E: "))
        .findFirst()
        .or(() -> output.lines().reduce((before, last) -> last))
        .orElse("it printed nothing");
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
