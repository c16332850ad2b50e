package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system of its own in a sparse file, which can be full and have room again. Needs Linux and
 * the right to mount. Nothing of it outlives {@link #close} or this JVM, even when the JVM is
 * killed. Not thread-safe.
 */
public final class SmallDisk implements AutoCloseable {
  private static final String SIZE = "48G";

  private final Path home;
  private final ProcessGuard guard;
  private final Thread hook;

  private SmallDisk(Path home) {
    this.home = home;
    this.guard = new ProcessGuard(home);
    this.hook = new Thread(guard::close, "unmount " + home);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes and mounts one of 48 GB, which takes as much of the real disk as is written.
   *
   * @return the mounted disk
   * @throws IOException when it cannot be made or mounted here, with the reason
   */
  public static SmallDisk mount() throws IOException {
    SmallDisk disk = new SmallDisk(Files.createTempDirectory("waybill-disk-"));
    try {
      String image = disk.home.resolve("image").toString();
      Files.createDirectory(disk.folder());
      disk.run("truncate", "-s", SIZE, image);
      disk.run("mkfs.ext4", "-q", "-m", "0", "-J", "size=32", "-E", "nodiscard", image);
      disk.run("mount", "-o", "loop", image, disk.folder().toString());
      return disk;
    } catch (IOException e) {
      disk.close();
      throw e;
    }
  }

  /**
   * Where it is mounted.
   *
   * @return folder
   */
  public Path folder() {
    return home.resolve("disk");
  }

  /** Takes all the room that is left. */
  public void fill() {
    try {
      long free = Files.getFileStore(folder()).getUsableSpace();
      // Rounding makes it stop just before its end, when the disk is full.
      ended("fallocate", "-l", Long.toString(free), ballast().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives the room back. */
  public void free() {
    try {
      Files.deleteIfExists(ballast());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path ballast() {
    return folder().resolve("ballast");
  }

  private void run(String... command) throws IOException {
    Ended ended = ended(command);
    if (ended.code() != 0) {
      throw new IOException(String.join(" ", command) + ": " + ended.output().strip());
    }
  }

  private record Ended(int code, String output) {}

  private static Ended ended(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      return new Ended(process.waitFor(), output);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command[0] + " ran", e);
    }
  }

  /** Unmounts and deletes it; who wrote to it has to have ended. */
  @Override
  public void close() {
    guard.close();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is ending and the hook runs anyway.
    }
  }
}
