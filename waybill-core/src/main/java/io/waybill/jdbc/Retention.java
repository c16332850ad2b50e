package io.waybill.jdbc;

import io.waybill.jdbc.dialect.PostgresWrites;
import java.sql.ResultSet;
import java.time.Duration;

/**
 * Removes published events that were kept long enough. Never touches an event that was not
 * published, is parked or dead, or is waiting for an operator's request. Owns one connection; used
 * by one thread.
 */
public final class Retention implements AutoCloseable {
  private final Database database;
  private final PostgresWrites writes;
  private long after;

  Retention(Database database, PostgresWrites writes) {
    this.database = database;
    this.writes = writes;
  }

  private record Slice(long lastId, boolean end, int removed) {}

  /**
   * Looks at the next published rows, from the oldest row to the youngest and then again from the
   * start, and removes those that are old enough, in one short transaction.
   *
   * @param olderThan time since the publishing, not negative
   * @param maxRows most rows to look at, at least 1
   * @return rows removed; when this is {@code maxRows}, more can be removed at once
   * @throws io.waybill.store.StoreException when the database does not answer in time or refuses
   */
  public int purge(Duration olderThan, int maxRows) {
    if (olderThan.isNegative()) {
      throw new IllegalArgumentException("The age must not be negative, but is " + olderThan);
    }
    if (maxRows < 1) {
      throw new IllegalArgumentException("maxRows must be at least 1, but is " + maxRows);
    }
    Slice slice = slice(olderThan, maxRows);
    after = slice.end() ? 0 : slice.lastId();
    return slice.removed();
  }

  private Slice slice(Duration olderThan, int maxRows) {
    return database.call(
        "remove published rows",
        writes.purge(),
        statement -> {
          statement.setLong(1, after);
          statement.setInt(2, maxRows);
          statement.setLong(3, olderThan.toMillis());
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            long lastId = result.getLong(1);
            return new Slice(lastId, result.wasNull(), result.getInt(2));
          }
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
