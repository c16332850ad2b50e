package io.waybill.proof.server;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes the data directory of a new MariaDB from the scripts that come with the server. */
final class MariaDbBootstrap {
  // One statement to a line, as the server reads them when it sets itself up.
  private static final String PREAMBLE =
      """
      create database if not exists mysql;
      use mysql;
      set @auth_root_socket = null;
      """;

  private MariaDbBootstrap() {}

  /**
   * Makes a data directory whose user {@code root} has no password.
   *
   * @param program command of the server, without a data directory
   * @param scripts scripts of the system's tables, in order
   * @param data where the directory is to be; files of this work are left beside it
   */
  static void run(List<String> program, List<Path> scripts, Path data) throws IOException {
    Path script = data.resolveSibling("initialise.sql");
    Files.createDirectories(data.resolve("mysql"));
    Files.writeString(script, PREAMBLE);
    for (Path table : scripts) {
      Files.write(script, Files.readAllBytes(table), StandardOpenOption.APPEND);
    }
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of("--bootstrap", "--datadir=" + data, "--innodb-log-file-size=8M"));
    toItsEnd(command, script, data.resolveSibling("initialise.log"));
  }

  /** Runs a command that sets a server up. */
  static void toItsEnd(List<String> command, Path input, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("The server did not set up its data: " + Files.readString(log));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while a server set up its data", e);
    }
  }
}
