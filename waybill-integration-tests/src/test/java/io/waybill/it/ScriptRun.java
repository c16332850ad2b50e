package io.waybill.it;

import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

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

  /** A built program that says what it was told. */
  Path echo() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
    String name = Echo.class.getName().replace('.', '/') + ".class";
    Path jar = root.resolve("echo.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        InputStream code = ScriptRun.class.getClassLoader().getResourceAsStream(name)) {
      out.putNextEntry(new JarEntry(name));
      Objects.requireNonNull(code).transferTo(out);
    }
    return jar;
  }

  /** What that program does. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) {
      System.out.println("told: " + String.join(" ", arguments));
      if (List.of(arguments).contains("--options")) {
        String[] all = ProcessHandle.current().info().arguments().orElseThrow();
        System.out.println("options: " + String.join(" ", all));
      }
    }
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
