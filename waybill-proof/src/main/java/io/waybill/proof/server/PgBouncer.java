package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PgBouncer of its own in front of a PostgreSQL: temporary folder, free port on the loopback
 * interface. It logs in as {@code postgres}, whoever asks. Stopped by {@link #close()} or when the
 * JVM ends, even if it is killed. Methods may be called by any thread.
 */
public final class PgBouncer implements AutoCloseable {
  private final int port = FreePort.find();
  private final Path folder;
  private final ProcessGuard guard;
  private final Thread hook;

  /** When a client gives its server connection back. */
  public enum Mode {
    /** After each transaction: two of them may see two backends. */
    TRANSACTION,
    /** When it disconnects. */
    SESSION
  }

  private PgBouncer() throws IOException {
    this.folder = Files.createTempDirectory("waybill-pgbouncer-");
    this.guard = new ProcessGuard(folder);
    this.hook = new Thread(guard::close, "stop pgbouncer " + port);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a pooler and waits until it leads to the server.
   *
   * @param server PostgreSQL behind it
   * @param mode when it gives connections back
   * @return the running pooler
   * @throws IllegalStateException when it cannot be had here or does not start
   */
  public static PgBouncer launch(PostgresServer server, Mode mode) {
    DebianTree tree = UnpackedServer.PGBOUNCER.unpacked();
    try {
      PgBouncer pooler = new PgBouncer();
      try {
        pooler.start(tree, server, mode);
        ServerReport.used("PgBouncer", UnpackedServer.PGBOUNCER.version());
        return pooler;
      } catch (IOException | RuntimeException e) {
        pooler.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("PgBouncer did not start", e);
    }
  }

  /**
   * JDBC URL of a database behind the pooler.
   *
   * @param database its name
   * @return URL with the user in it
   */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  /**
   * Connections to a database behind the pooler.
   *
   * @param database its name
   * @return data source
   */
  public DataSource dataSource(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(jdbcUrl(database));
    return source;
  }

  /** Ends the pooler at once and deletes its folder. */
  @Override
  public void close() {
    guard.close();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // The JVM is ending and the hook runs anyway.
    }
  }

  private void start(DebianTree tree, PostgresServer server, Mode mode) throws IOException {
    Path configuration = folder.resolve("pgbouncer.ini");
    // It refuses to run as root; no file of it is read after it has become nobody.
    Files.writeString(
        configuration,
        """
        [databases]
        * = host=127.0.0.1 port=%d user=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        user = nobody
        pool_mode = %s
        max_prepared_statements = 200
        default_pool_size = 20
        """
            .formatted(server.port(), port, mode.name().toLowerCase(Locale.ROOT)));
    Process process =
        guard.run(
            "pgbouncer",
            Map.of(),
            tree.command("/usr/sbin/pgbouncer", List.of(configuration.toString())));
    await(process);
  }

  private void await(Process process) throws IOException {
    StartProgress progress = new StartProgress(folder);
    while (!leadsToTheServer()) {
      try {
        if (process.waitFor(50, TimeUnit.MILLISECONDS) || progress.isStalled()) {
          String output = Files.readString(folder.resolve("pgbouncer.out"));
          throw new IllegalStateException("PgBouncer did not start: " + output);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while PgBouncer started", e);
      }
    }
  }

  private boolean leadsToTheServer() {
    try (Connection connection = dataSource("postgres").getConnection()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }
}
