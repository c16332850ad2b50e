package io.waybill.bench.counts;

import io.waybill.proof.server.PostgresServer;
import java.sql.SQLException;
import java.util.Map;

/**
 * Counts statements, round trips, row writes, bytes of the log and dead tuples, on a PostgreSQL of
 * its own. Used by one thread, since round trips are counted for the whole process.
 */
public final class Counts implements AutoCloseable {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "shared_preload_libraries", "pg_stat_statements",
          // What the server does by itself is nobody's cost; how it writes does not change counts.
          "autovacuum", "off",
          "checkpoint_timeout", "1h",
          "max_wal_size", "4GB",
          "fsync", "off");

  private final PostgresServer server = PostgresServer.launch(SETTINGS);
  private int databases;

  private Counts() {}

  /**
   * Starts the server.
   *
   * @return a counter
   */
  public static Counts launch() {
    return new Counts();
  }

  /**
   * What an event costs from its insert until it is published and marked, in full batches.
   *
   * @param subject its table
   * @param events how many are published, so that what happens once hardly counts
   * @return per event, by name of the count
   */
  public Map<String, Double> relay(Subject subject, int events) {
    try {
      return new RelayCounts(database(), subject, events).count();
    } catch (SQLException e) {
      throw new IllegalStateException("The database refused while " + subject + " was counted", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while " + subject + " was counted", e);
    }
  }

  /**
   * What an append to Waybill's own table adds to a business transaction.
   *
   * @param events events of each append
   * @param transactions how many are counted
   * @return per transaction, by name of the count
   */
  public Map<String, Double> append(int events, int transactions) {
    try {
      return new AppendCounts(database(), transactions, events).count();
    } catch (SQLException e) {
      throw new IllegalStateException("The database refused while appends were counted", e);
    }
  }

  /**
   * What the history of two relays costs, which use one table.
   *
   * @param minutes how many are counted
   * @return per relay and minute, by name of the count
   */
  public Map<String, Double> history(int minutes) {
    try {
      return new HistoryCounts(database(), minutes).count();
    } catch (SQLException e) {
      throw new IllegalStateException("The database refused while the history was counted", e);
    }
  }

  private CountedDatabase database() {
    return CountedDatabase.create(server, "counted_" + ++databases);
  }

  /**
   * The server's version.
   *
   * @return name and version
   */
  public String version() {
    return "PostgreSQL " + new CountedDatabase(server.jdbcUrl()).text("show server_version");
  }

  @Override
  public void close() {
    server.close();
  }
}
