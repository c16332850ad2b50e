package io.waybill.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
public final class MariaDbServer implements AutoCloseable {
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

  private MariaDbServer(Map<String, String> settings) throws IOException {
    this.settings = settings;
    this.binaries = MariaDbBinaries.unpacked();
    this.port = FreePort.find();
    this.folder = Files.createTempDirectory("waybill-mariadb-");
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
      MariaDbServer server = new MariaDbServer(settings);
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

  /**
   * Starts the server again on the same data and port after {@link #stop()} or {@link #kill()}.
   * Returns when it accepts connections.
   */
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException("MariaDB on port " + port + " is already running");
    }
    List<String> command = new ArrayList<>(binaries.command());
    command.add("--datadir=" + data());
    command.add("--port=" + port);
    command.add("--socket=" + folder.resolve("socket"));
    settings.forEach((name, value) -> command.add("--" + name + "=" + value));
    Process process = guard.run(NAME, Map.of(), command);
    running = process;
    awaitConnection(process);
  }

  /** Shuts the server down in an orderly way; open connections are cut. */
  public synchronized void stop() {
    end(Process::destroy);
  }

  /** Stops the server in an orderly way and starts it again. */
  public synchronized void restart() {
    stop();
    start();
  }

  /** Kills the server without warning and waits until it is gone. */
  public synchronized void kill() {
    end(Process::destroyForcibly);
  }

  /**
   * Creates an empty database.
   *
   * @param name lower-case name of letters, digits and underscores
   * @return JDBC URL of the database
   */
  public String createDatabase(String name) {
    if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
      throw new IllegalArgumentException(
          "Database name must match [a-z][a-z0-9_]{0,62}, but is '" + name + "'");
    }
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot create database " + name, e);
    }
    return jdbcUrl(name);
  }

  /**
   * JDBC URL of the database {@code mysql}.
   *
   * @return URL with the user in it
   */
  public String jdbcUrl() {
    return jdbcUrl(ADMIN_DATABASE);
  }

  /**
   * JDBC URL of a database.
   *
   * @param database its name
   * @return URL with the user in it
   */
  public String jdbcUrl(String database) {
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
  }

  /**
   * Unpooled connections to the database {@code mysql}.
   *
   * @return data source that outlives restarts
   */
  public DataSource dataSource() {
    return dataSource(ADMIN_DATABASE);
  }

  /**
   * Unpooled connections to a database.
   *
   * @param database its name
   * @return data source that outlives restarts
   */
  public DataSource dataSource(String database) {
    try {
      return new MariaDbDataSource(jdbcUrl(database));
    } catch (SQLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /**
   * Port on the loopback interface, the same for the whole life of this object.
   *
   * @return port number
   */
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

  /**
   * What the server printed.
   *
   * @return path of the log file
   */
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
