package io.waybill.it;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A script of the repository, copied into a tree of its own, where {@code mvn} is what the test
 * says it is.
 *
 * @param root the tree
 */
record ScriptRun(Path root) {
  private static final Path REPOSITORY = Path.of("..");
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));

  /**
   * What a script did.
   *
   * @param code exit code
   * @param output standard output and errors
   */
  record Ended(int code, String output) {}

  /** Beside the scripts there is the program that they need, wherever the machine has it. */
  ScriptRun copy(String... scripts) throws IOException {
    program("curl", "exit 0");
    for (String script : scripts) {
      Path to = root.resolve(script);
      Files.createDirectories(to.getParent());
      Files.copy(REPOSITORY.resolve(script), to);
    }
    write("pom.xml", "<project/>");
    return this;
  }

  /** Puts shell commands in Maven's place; {@code $root} is the tree. */
  ScriptRun maven(String commands) throws IOException {
    return program("mvn", "root='" + root + "'\n" + commands);
  }

  /** Puts shell commands in the place of a program. */
  ScriptRun program(String name, String commands) throws IOException {
    Path file = write("bin/" + name, "#!/bin/sh\n" + commands + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return this;
  }

  Path write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }

  List<String> lines(String file) throws IOException {
    Path path = root.resolve(file);
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  Ended run(String script, String... arguments) throws IOException, InterruptedException {
    return end(start(script, arguments));
  }

  Process start(String script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(root.resolve(script).toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    String home = System.getProperty("java.home");
    builder.environment().put("JAVA_HOME", home);
    builder.environment().put("WAYBILL_NEWEST_JDK", home);
    builder.environment().remove("WAYBILL_JAVA_OPTS");
    builder.environment().put("PATH", root.resolve("bin") + ":/usr/bin:/bin");
    return builder.start();
  }

  static Ended end(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), output);
  }
}
