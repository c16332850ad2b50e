package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A real MariaDB of its own: temporary folder, free port on the loopback interface, no system
 * installation. Commits are durable unless a setting says otherwise. The superuser is {@code root},
 * without a password. Stopped by {@link #close()} or when the JVM ends, even if it is killed.
 * Methods may be called by any thread.
 */
public final class MariaDbServer extends MySqlFamilyServer {
  private final @Nullable Path kept;

  private MariaDbServer(Path parent, Map<String, String> settings, @Nullable Path kept)
      throws IOException {
    super(DatabaseKind.MARIADB, MariaDbBinaries.unpacked(), parent, settings);
    this.kept = kept;
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
    return launch(parent, overrides, null);
  }

  /**
   * Starts a server on data that stay when it ends.
   *
   * @param data the data of a server that was stopped; no other server may run on them
   * @param overrides as of {@link #launch(Map)}
   * @return the running server
   */
  public static MariaDbServer launchOn(Path data, Map<String, String> overrides) {
    return launch(Path.of(System.getProperty("java.io.tmpdir")), overrides, data);
  }

  private static MariaDbServer launch(
      Path parent, Map<String, String> overrides, @Nullable Path kept) {
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
    return launched(() -> new MariaDbServer(parent, settings, kept));
  }

  @Override
  void prepare() throws IOException {
    if (kept == null) {
      super.prepare();
    } else {
      Files.createSymbolicLink(data(), kept.toRealPath());
    }
  }

  /** Ends the server at once and deletes its data; data that stay are written out first. */
  @Override
  public synchronized void close() {
    if (kept != null) {
      stop();
    }
    super.close();
  }
}
