package io.waybill.proof.server;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that the machine may have. */
public final class InstalledProgram {
  private InstalledProgram() {}

  /**
   * A Python that has some modules. The first on the path need not be the system's, which has those
   * of packages.
   *
   * @param modules their names
   * @return the program, or empty if there is none
   */
  public static Optional<String> pythonWith(String... modules) {
    String script = "import " + String.join(", ", modules);
    return Stream.of("python3", "/usr/bin/python3")
        .filter(python -> answers(List.of(python, "-c", script)))
        .findFirst();
  }

  /**
   * Leaves the calling test out, with the reason, when the machine lacks a program.
   *
   * @param program its name; it answers {@code --version}
   * @param installed Debian's package that has it
   * @throws org.opentest4j.TestAbortedException when it is missing
   */
  public static void assumeThere(String program, String installed) {
    if (!answers(List.of(program, "--version"))) {
      String reason = "install the package " + installed;
      ServerReport.leftOut(program, reason);
      ServerReport.abort(program, reason);
    }
  }

  /**
   * Whether a command can be run and ends with 0.
   *
   * @param command program and arguments
   * @return false also where there is no such program
   */
  public static boolean answers(List<String> command) {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // There is no such program.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
