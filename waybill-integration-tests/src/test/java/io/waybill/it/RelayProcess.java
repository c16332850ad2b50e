package io.waybill.it;

import io.waybill.proof.BuiltRelay;
import io.waybill.proof.server.Frozen;
import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A relay, or another program, in a process of its own, which ends with its guard. */
public final class RelayProcess implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final Path pidFile;
  private boolean ended;

  private RelayProcess(Process process, Path folder, String name) {
    this.process = process;
    this.log = folder.resolve(name + ".out");
    this.pidFile = folder.resolve(name + ".pid");
  }

  /** What starts the command line of this build: the arguments of a virtual machine. */
  public static final List<String> THIS_BUILD =
      BuiltRelay.start("io.waybill.server.WaybillCommand");

  /** Starts a relay whose configuration, log and process id are files of the guard's folder. */
  public static RelayProcess start(
      ProcessGuard guard,
      Path folder,
      String name,
      String configuration,
      Map<String, String> environment) {
    return start(THIS_BUILD, guard, folder, name, configuration, environment);
  }

  /** The same with what starts the command line of another build, or something like it. */
  public static RelayProcess start(
      List<String> build,
      ProcessGuard guard,
      Path folder,
      String name,
      String configuration,
      Map<String, String> environment) {
    try {
      Path config = folder.resolve(name + ".yaml");
      Files.writeString(config, configuration);
      List<String> command = command(build, "relay", "--config", config.toString());
      return new RelayProcess(guard.run(name, environment, command), folder, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts another program whose log and process id are files of the guard's folder. */
  public static RelayProcess of(
      ProcessGuard guard,
      Path folder,
      String name,
      Map<String, String> environment,
      List<String> command) {
    return new RelayProcess(guard.run(name, environment, command), folder, name);
  }

  /** The command line of a build in a small virtual machine. */
  public static List<String> command(List<String> build, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(build);
    command.addAll(List.of(arguments));
    return command;
  }

  /** SIGKILL: the process has no chance to say anything. */
  public void kill() {
    ended = true;
    process.destroyForcibly();
    await(10);
  }

  /** SIGTERM, and waits for the end. Returns the exit code. */
  public int stop() {
    ended = true;
    process.destroy();
    await(40);
    return process.exitValue();
  }

  /** Freezes the process, as a long pause of the machine would. */
  public void freeze() {
    Frozen.freeze(process.pid());
  }

  public void thaw() {
    Frozen.thaw(process.pid());
  }

  private void await(int seconds) {
    try {
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            log.getFileName() + " did not end within " + seconds + " s: " + log());
      }
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean endedByItself() {
    return !ended && !process.isAlive();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  /** Exit code of a relay that has ended. */
  public int exitCode() {
    return process.exitValue();
  }

  /** What the relay wrote. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
