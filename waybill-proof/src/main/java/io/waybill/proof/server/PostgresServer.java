package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import io.waybill.testkit.Patience;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL of its own: temporary folder, free port on the loopback interface, no system
 * installation. Commits are durable unless a setting says otherwise. The superuser is {@code
 * postgres}, without a password. Stopped by {@link #close()} or when the JVM ends, even if it is
 * killed. Methods may be called by any thread.
 */
public final class PostgresServer implements DatabaseServer {
  private static final Duration START_LIMIT = Patience.of(Duration.ofMinutes(3));
  private static final Duration STOP_LIMIT = Patience.of(Duration.ofSeconds(30));
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final String ADMIN_DATABASE = "postgres";

  private final Map<String, String> settings;
  private final int port;
  private final Path folder;
  private final ProcessGuard guard;
  private final Thread hook;
  // Whether its data are of a folder that outlives it.
  private final boolean kept;
  private @Nullable EmbeddedPostgres running;

  private PostgresServer(Path parent, Map<String, String> settings) throws IOException {
    this(parent, settings, null);
  }

  private PostgresServer(Path parent, Map<String, String> settings, @Nullable Path kept)
      throws IOException {
    this.settings = settings;
    this.kept = kept != null;
    this.port = FreePort.find();
    this.folder = Files.createTempDirectory(parent, "waybill-postgres-");
    this.guard = new ProcessGuard(folder);
    this.hook = new Thread(this::stopAndDelete, "stop postgres " + port);
    if (kept != null) {
      Files.createSymbolicLink(data(), kept.toRealPath());
    }
  }

  /**
   * Starts a server with durable settings.
   *
   * @return the running server
   */
  public static PostgresServer launch() {
    return launch(Map.of());
  }

  /**
   * Starts a server.
   *
   * @param overrides server settings that replace the defaults, for example {@code fsync} to {@code
   *     off}
   * @return the running server
   */
  public static PostgresServer launch(Map<String, String> overrides) {
    return launch(Path.of(System.getProperty("java.io.tmpdir")), overrides);
  }

  static PostgresServer launch(Path parent, Map<String, String> overrides) {
    return launch(parent, overrides, null);
  }

  /**
   * Starts a server on data that stay when it ends.
   *
   * @param data the data of a server that was stopped; no other server may run on them
   * @param overrides as of {@link #launch(Map)}
   * @return the running server
   */
  public static PostgresServer launchOn(Path data, Map<String, String> overrides) {
    return launch(Path.of(System.getProperty("java.io.tmpdir")), overrides, data);
  }

  private static PostgresServer launch(
      Path parent, Map<String, String> overrides, @Nullable Path kept) {
    Map<String, String> settings =
        new TreeMap<>(
            Map.of(
                "listen_addresses", "127.0.0.1",
                "fsync", "on",
                "synchronous_commit", "on",
                "max_connections", "100"));
    settings.putAll(overrides);
    try {
      PostgresServer server = new PostgresServer(parent, settings, kept);
      server.start();
      Runtime.getRuntime().addShutdownHook(server.hook);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not start", e);
    }
  }

  /**
   * Starts a standby of this server on the same disk. From now on every commit waits for it. A
   * server has one standby in its life.
   *
   * @return the running standby, which answers queries and takes no changes until {@link #promote}
   */
  public PostgresServer standby() {
    try {
      PostgresServer standby =
          new PostgresServer(Objects.requireNonNull(folder.getParent()), settings);
      PostgresBackup.take(this, standby.data());
      standby.start();
      Runtime.getRuntime().addShutdownHook(standby.hook);
      try (Connection connection = dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("alter system set synchronous_standby_names = '*'");
        statement.execute("select pg_reload_conf()");
      }
      long end = System.nanoTime() + START_LIMIT.toNanos();
      while (!is("exists (select from pg_stat_replication where sync_state = 'sync')")) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("The standby does not follow, see " + standby.log());
        }
        LockSupport.parkNanos(50_000_000L);
      }
      return standby;
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("There is no standby of PostgreSQL, see " + log(), e);
    }
  }

  /** Makes a standby a server of its own, with a new timeline. */
  public void promote() {
    try {
      if (!is("pg_promote(true, %d)".formatted(START_LIMIT.toSeconds()))) {
        throw new IllegalStateException("The standby was not promoted, see " + log());
      }
    } catch (SQLException e) {
      throw new IllegalStateException("The standby was not promoted, see " + log(), e);
    }
  }

  private boolean is(String condition) throws SQLException {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select " + condition)) {
      return row.next() && row.getBoolean(1);
    }
  }

  @Override
  public DatabaseKind kind() {
    return DatabaseKind.POSTGRESQL;
  }

  @Override
  public synchronized void start() {
    if (running != null) {
      throw new IllegalStateException("PostgreSQL on port " + port + " is already running");
    }
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPort(port)
            .setDataDirectory(data())
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setLocaleConfig("locale", "C.UTF-8")
            .setOutputRedirector(Redirect.appendTo(log().toFile()))
            .setPGStartupWait(START_LIMIT);
    settings.forEach(builder::setServerConfig);
    try {
      running = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not start, see " + log(), e);
    }
    reportVersion();
  }

  private void reportVersion() {
    try (Connection connection = dataSource().getConnection()) {
      ServerReport.used("PostgreSQL", connection.getMetaData().getDatabaseProductVersion());
    } catch (SQLException e) {
      return; // Settings of some tests keep others out; another server of this version answers.
    }
  }

  @Override
  public synchronized void stop() {
    EmbeddedPostgres server = running;
    if (server == null) {
      return;
    }
    running = null;
    List<ProcessHandle> processes = processes();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not stop, see " + log(), e);
    } finally {
      awaitEnd(processes);
    }
  }

  @Override
  public synchronized void kill() {
    List<ProcessHandle> processes = processes();
    processes.forEach(ProcessHandle::destroyForcibly);
    awaitEnd(processes);
    running = null;
    try {
      // The launcher holds a lock on this file; a fresh one lets the next start pass.
      Files.deleteIfExists(data().resolve("epg-lock"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first process starts all others, so none is missed once it stands still. */
  @Override
  public synchronized void freeze() {
    processes().stream().limit(1).forEach(postmaster -> Frozen.freeze(postmaster.pid()));
    processes().stream().skip(1).forEach(process -> Frozen.freeze(process.pid()));
  }

  @Override
  public synchronized void thaw() {
    processes().forEach(process -> Frozen.thaw(process.pid()));
  }

  @Override
  public String jdbcUrl() {
    return jdbcUrl(ADMIN_DATABASE);
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  @Override
  public DataSource dataSource() {
    return dataSource(ADMIN_DATABASE);
  }

  @Override
  public DataSource dataSource(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl(database));
    return source;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Path log() {
    return folder.resolve("server.log");
  }

  /** Stops the server and deletes its data, unless they stay. */
  @Override
  public void close() {
    stopAndDelete();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is ending and the hook runs anyway.
    }
  }

  /** Nobody needs the data any more, so the server need not write it out. */
  private synchronized void stopAndDelete() {
    if (kept) {
      stop();
    }
    if (running != null) {
      running = null;
      List<ProcessHandle> processes = processes();
      processes.stream().limit(1).forEach(postmaster -> Frozen.signal("QUIT", postmaster.pid()));
      processes.stream().limit(1).forEach(postmaster -> Frozen.thaw(postmaster.pid()));
      awaitEnd(processes, process -> Frozen.hasEnded(process.pid()));
    }
    guard.close();
  }

  @Override
  public Path data() {
    return folder.resolve("data");
  }

  private List<ProcessHandle> processes() {
    Path pidFile = data().resolve("postmaster.pid");
    try (Stream<String> lines = Files.exists(pidFile) ? Files.lines(pidFile) : Stream.empty()) {
      return lines
          .limit(1)
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid.strip())).stream())
          .flatMap(postmaster -> Stream.concat(Stream.of(postmaster), postmaster.descendants()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until the kernel forgets them, since the next server takes one that its parent has not
   * yet asked about for alive.
   */
  private static void awaitEnd(List<ProcessHandle> processes) {
    awaitEnd(processes, process -> !process.isAlive());
  }

  private static void awaitEnd(List<ProcessHandle> processes, Predicate<ProcessHandle> ended) {
    long end = System.nanoTime() + STOP_LIMIT.toNanos();
    for (ProcessHandle process : processes) {
      while (!ended.test(process)) {
        if (System.nanoTime() - end > 0) {
          process.destroyForcibly();
          throw new IllegalStateException("Process " + process.pid() + " did not end");
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }
}
