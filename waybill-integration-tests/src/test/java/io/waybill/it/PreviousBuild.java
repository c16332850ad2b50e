package io.waybill.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The build that users upgrade from: the commit that the file {@code previous-build} names, taken
 * from the history and built once. Every release writes its commit there.
 */
final class PreviousBuild {
  private static final Path MARK = Path.of("previous-build");
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final long BUILD_MINUTES = 15;

  private final Path jar;

  private PreviousBuild(Path jar) {
    this.jar = jar;
  }

  /** Finds the build, or makes it, which takes a minute or two. */
  static PreviousBuild get() {
    try {
      String commit = Files.readString(MARK).strip();
      if (!commit.matches("[0-9a-f]{40}")) {
        throw new IllegalStateException(MARK + " must have a full commit id, but has " + commit);
      }
      Path source = Path.of("target", "previous-build", commit).toAbsolutePath();
      // Made last: it is there only if all beside it is.
      Path built = source.resolve("built");
      if (!Files.exists(built)) {
        build(commit, source);
        Files.createFile(built);
      }
      return new PreviousBuild(
          source.resolve("waybill-server/target/relay/waybill-server-relay.jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void build(String commit, Path source) throws IOException {
    Files.createDirectories(source);
    Path archive = source.resolve("source.tar");
    run(
        ROOT,
        "the history has no commit %s: this test needs a clone that is not shallow (git fetch --unshallow)"
            .formatted(commit),
        List.of("git", "archive", "--output", archive.toString(), commit));
    run(source, "tar", List.of("tar", "-xf", archive.toString()));
    run(
        source,
        "the build of commit " + commit,
        List.of(
            "mvn",
            "-q",
            "-B",
            "-ntp",
            "-DskipTests",
            "-Dmaven.test.skip=true",
            "-Dspotless.check.skip=true",
            "-pl",
            "waybill-server",
            "-am",
            "package"));
  }

  private static void run(Path folder, String what, List<String> command) throws IOException {
    Path log = Files.createTempFile("waybill-previous-build", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(BUILD_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(what + ", " + command + ": " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /** What starts its command line. */
  List<String> program() {
    return List.of("-jar", jar.toString());
  }

  /** The statements with which it creates its tables. */
  String schema() {
    try {
      Process process =
          new ProcessBuilder(
                  RelayProcess.command(program(), "schema", "print", "--schema", "public"))
              .redirectError(Redirect.INHERIT)
              .start();
      String sql = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("schema print failed: " + sql);
      }
      return sql;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
