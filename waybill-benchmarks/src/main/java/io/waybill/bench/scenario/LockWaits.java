package io.waybill.bench.scenario;

import io.waybill.bench.measure.Pause;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Looks again and again which sessions of a database wait for a lock, and which of them for one
 * that a relay holds. Used by one thread.
 */
final class LockWaits implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(20);
  private static final String LOOK =
      """
      select count(*), count(*) filter (where exists (
        select from unnest(pg_blocking_pids(a.pid)) as holder
        join pg_stat_activity r on r.pid = holder and r.application_name like 'waybill%'))
      from pg_stat_activity a
      where a.datname = current_database() and a.wait_event_type = 'Lock'
      """;

  private final String url;
  private final Thread thread = new Thread(this::watch, "lock-waits");
  private volatile boolean stopped;
  private volatile long samples;
  private volatile long waits;
  private volatile long forRelay;
  private volatile String failure = "";

  private LockWaits(String url) {
    this.url = url;
  }

  static LockWaits watch(String url) {
    LockWaits waits = new LockWaits(url);
    waits.thread.setDaemon(true);
    waits.thread.start();
    return waits;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // This thread alone writes.
  private void watch() {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      while (!stopped) {
        try (ResultSet row = statement.executeQuery(LOOK)) {
          row.next();
          waits += row.getLong(1);
          forRelay += row.getLong(2);
          samples++;
        }
        Pause.of(EVERY);
      }
    } catch (SQLException e) {
      failure = e.toString();
    }
  }

  /** Ends the looks; the counts are whole then. */
  void stop() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
    if (!failure.isEmpty() || samples == 0) {
      throw new IllegalStateException("Nobody could look for lock waits: " + failure);
    }
  }

  /** How often it looked. */
  long samples() {
    return samples;
  }

  /** Sessions that were seen waiting, summed over the looks. */
  long waits() {
    return waits;
  }

  /** Those of them that waited for a relay. */
  long forRelay() {
    return forRelay;
  }

  @Override
  public void close() {
    stopped = true;
  }
}
