package io.waybill.testkit;

import io.waybill.jdbc.DatabaseKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * A real MariaDB of its own: temporary folder, free port on the loopback interface, no system
 * installation. Commits are durable unless a setting says otherwise. The superuser is {@code root},
 * without a password. Stopped by {@link #close()} or when the JVM ends, even if it is killed.
 * Methods may be called by any thread.
 */
public final class MariaDbServer implements DatabaseServer {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final String ADMIN_DATABASE = "mysql";
  private static final String NAME = "mariadb";

  private final Map<String, String> settings;
  private final MariaDbBinaries binaries;
  private final int port;
  private final Path folder;
  private final ProcessGuard guard;
  private final Thread hook;
  private @Nullable Process running;

  private MariaDbServer(Path parent, Map<String, String> settings) throws IOException {
    this.settings = settings;
    this.binaries = MariaDbBinaries.unpacked();
    this.port = FreePort.find();
    this.folder = Files.createTempDirectory(parent, "waybill-mariadb-");
    this.guard = new ProcessGuard(folder);
    this.hook = new Thread(guard::close, "stop mariadb " + port);
    binaries.copyData(data());
  }

  /**
   * Starts a server with durable settings.
   *
   * @return the running server
   */
  public static MariaDbServer launch() {
    return launch(Map.of());
  }

  /**
   * Starts a server.
   *
   * @param overrides server options that replace the defaults, with hyphens as on the command line,
   *     for example {@code innodb-flush-log-at-trx-commit} to {@code 2}
   * @return the running server
   */
  public static MariaDbServer launch(Map<String, String> overrides) {
    return launch(Path.of(System.getProperty("java.io.tmpdir")), overrides);
  }

  static MariaDbServer launch(Path parent, Map<String, String> overrides) {
    Map<String, String> settings =
        new TreeMap<>(
            Map.of(
                "bind-address", "127.0.0.1",
                "skip-name-resolve", "on",
                // Otherwise each start makes a key and a certificate, which takes many seconds.
                "ssl", "off",
                "character-set-server", "utf8mb4",
                "innodb-flush-log-at-trx-commit", "1",
                "innodb-log-file-size", "64M",
                "max-connections", "200"));
    settings.putAll(overrides);
    try {
      MariaDbServer server = new MariaDbServer(parent, settings);
      Runtime.getRuntime().addShutdownHook(server.hook);
      try {
        server.start();
        return server;
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("MariaDB did not start", e);
    }
  }

  @Override
  public DatabaseKind kind() {
    return DatabaseKind.MARIADB;
  }

  @Override
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException("MariaDB on port " + port + " is already running");
    }
    List<String> command = new ArrayList<>(binaries.command());
    command.add("--datadir=" + data());
    // A server that starts removes the temporary tables of others in the same directory.
    command.add("--tmpdir=" + folder);
    command.add("--port=" + port);
    command.add("--socket=" + folder.resolve("socket"));
    settings.forEach((name, value) -> command.add("--" + name + "=" + value));
    Process process = guard.run(NAME, Map.of(), command);
    running = process;
    awaitConnection(process);
  }

  @Override
  public synchronized void stop() {
    end(Process::destroy);
  }

  @Override
  public synchronized void kill() {
    end(Process::destroyForcibly);
  }

  @Override
  public void freeze() {
    signal("STOP");
  }

  @Override
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String jdbcUrl() {
    return jdbcUrl(ADMIN_DATABASE);
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
  }

  @Override
  public DataSource dataSource() {
    return dataSource(ADMIN_DATABASE);
  }

  @Override
  public DataSource dataSource(String database) {
    try {
      return new MariaDbDataSource(jdbcUrl(database));
    } catch (SQLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public int port() {
    return port;
  }

  /**
   * Process id of the running server, for measurements.
   *
   * @return pid
   * @throws IllegalStateException when it does not run
   */
  public synchronized long pid() {
    if (running == null) {
      throw new IllegalStateException("MariaDB on port " + port + " does not run");
    }
    return running.pid();
  }

  @Override
  public Path log() {
    return folder.resolve(NAME + ".out");
  }

  /** Ends the server at once and deletes its data. */
  @Override
  public synchronized void close() {
    running = null;
    guard.close();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is ending and the hook runs anyway.
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private interface Signal {
    void sendTo(Process process);
  }

  private void end(Signal signal) {
    Process process = running;
    if (process == null) {
      return;
    }
    running = null;
    signal.sendTo(process);
    try {
      if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("MariaDB did not end, see " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while MariaDB ended", e);
    }
  }

  private void awaitConnection(Process process) {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    SQLException failure = failure();
    while (failure != null) {
      if (System.nanoTime() > end || ended(process)) {
        running = null;
        process.destroyForcibly();
        throw new IllegalStateException("MariaDB did not start: " + output(), failure);
      }
      failure = failure();
    }
  }

  private @Nullable SQLException failure() {
    try (Connection connection = dataSource().getConnection()) {
      return connection.isValid(1) ? null : new SQLException("No answer");
    } catch (SQLException e) {
      return e;
    }
  }

  /** Returns at once when it ended, and otherwise after the pause between two attempts. */
  private static boolean ended(Process process) {
    try {
      return process.waitFor(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while MariaDB started", e);
    }
  }

  private String output() {
    try {
      String all = Files.readString(log());
      return all.substring(Math.max(0, all.length() - 2000));
    } catch (IOException e) {
      return "no output (" + e.getMessage() + ")";
    }
  }
}
