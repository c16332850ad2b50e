package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/** The common half of the launchers of MariaDB and MySQL. Methods may be called by any thread. */
abstract class MySqlFamilyServer implements DatabaseServer {
  private static final Duration STOP_LIMIT = Patience.of(Duration.ofSeconds(30));
  private static final String ADMIN_DATABASE = "mysql";

  private final DatabaseKind kind;
  private final MySqlProgram program;
  private final Map<String, String> settings;
  private final int port;
  private final Path folder;
  private final ProcessGuard guard;
  private final Thread hook;
  private @Nullable Process running;

  MySqlFamilyServer(
      DatabaseKind kind, MySqlProgram program, Path parent, Map<String, String> settings)
      throws IOException {
    this.kind = kind;
    this.program = program;
    this.settings = settings;
    this.port = FreePort.find();
    this.folder = Files.createTempDirectory(parent, "waybill-" + name() + "-");
    this.guard = new ProcessGuard(folder);
    this.hook = new Thread(this::close, "stop " + name() + " " + port);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Makes a server and starts it; one that does not start leaves nothing behind. */
  static <S extends MySqlFamilyServer> S launched(Launch<S> launch) {
    try {
      S server = launch.make();
      try {
        server.prepare();
        server.start();
        return server;
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The server did not start", e);
    }
  }

  /** Makes a server that does not run yet. */
  interface Launch<S extends MySqlFamilyServer> {
    S make() throws IOException;
  }

  void prepare() throws IOException {
    program.makeData(data());
  }

  private String name() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public DatabaseKind kind() {
    return kind;
  }

  @Override
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException(name() + " on port " + port + " is already running");
    }
    List<String> command = new ArrayList<>(program.command());
    command.add("--datadir=" + data());
    // A server that starts removes the temporary tables of others in the same directory.
    command.add("--tmpdir=" + folder);
    command.add("--port=" + port);
    command.add("--socket=" + folder.resolve("socket"));
    settings.forEach((name, value) -> command.add("--" + name + "=" + value));
    Process process = guard.run(name(), Map.of(), command);
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
    Frozen.freeze(pid());
  }

  @Override
  public void thaw() {
    Frozen.thaw(pid());
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
      throw new IllegalStateException(name() + " on port " + port + " does not run");
    }
    return running.pid();
  }

  @Override
  public Path log() {
    return folder.resolve(name() + ".out");
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

  @Override
  public Path data() {
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
        throw new IllegalStateException(name() + " did not end, see " + log());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a server ended", e);
    }
  }

  private void awaitConnection(Process process) {
    StartProgress progress = new StartProgress(folder);
    SQLException failure = failure();
    while (failure != null) {
      if (progress.isStalled() || ended(process)) {
        running = null;
        process.destroyForcibly();
        throw new IllegalStateException(name() + " did not start: " + output(), failure);
      }
      failure = failure();
    }
  }

  private @Nullable SQLException failure() {
    try (Connection connection = dataSource().getConnection()) {
      // Some tests tell a server to call itself another version.
      if (!settings.containsKey("version")) {
        DatabaseMetaData server = connection.getMetaData();
        // One with a binary log says so behind its version.
        String version = server.getDatabaseProductVersion().replaceFirst("-log$", "");
        ServerReport.used(server.getDatabaseProductName(), version);
      }
      return connection.isValid(1) ? unready(connection) : new SQLException("No answer");
    } catch (SQLException e) {
      return e;
    }
  }

  /** Why a server that answers may not be used yet, or null. */
  @Nullable SQLException unready(Connection connection) throws SQLException {
    return null;
  }

  /** Returns at once when it ended, and otherwise after the pause between two attempts. */
  private static boolean ended(Process process) {
    try {
      return process.waitFor(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a server started", e);
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
