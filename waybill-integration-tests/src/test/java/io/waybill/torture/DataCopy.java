package io.waybill.torture;

import io.waybill.proof.server.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A copy of the data of a database. Used by one thread at a time. */
final class DataCopy implements EarlierPoint {
  private final TortureDatabase database;
  private final Path folder;

  DataCopy(TortureDatabase database, Path parent) {
    this.database = database;
    this.folder = parent.resolve("copied-data");
  }

  /** Ends all transactions, too. */
  @Override
  public void copy() throws InterruptedException {
    DatabaseServer server = database.server();
    server.kill();
    run("rm", "-rf", folder.toString());
    run("cp", "-a", server.data().toString(), folder.toString());
    server.start();
  }

  @Override
  public void putBack() throws InterruptedException {
    DatabaseServer server = database.server();
    server.kill();
    run("rm", "-rf", server.data().toString());
    run("cp", "-a", folder.toString(), server.data().toString());
    server.start();
  }

  private static void run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with exit code " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
