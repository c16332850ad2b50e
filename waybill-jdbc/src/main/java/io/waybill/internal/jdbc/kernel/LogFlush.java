package io.waybill.internal.jdbc.kernel;

import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** How to make visible rows survive a crash. */
public sealed interface LogFlush {
  /**
   * The database reports positions of the log.
   *
   * @param position statement returning a position of the log and whether the log is flushed up to
   *     there
   * @param flushed statement returning whether it is flushed up to a position, its parameter
   * @param flush statement that flushes it
   */
  record Asked(String position, String flushed, String flush) implements LogFlush {
    /** Returns when the log is flushed up to a position that was not. */
    public void upTo(Database database, String position) {
      if (!isFlushed(database, position)) {
        database.call("flush the log", flush, PreparedStatement::execute);
      }
    }

    private boolean isFlushed(Database database, String position) {
      return database.call(
          "check how far the log is flushed",
          flushed,
          statement -> {
            statement.setString(1, position);
            try (ResultSet result = statement.executeQuery()) {
              return result.next() && result.getBoolean(1);
            }
          });
    }
  }

  /**
   * The database does not report them. A separate commit, which waits for the disk, flushes all log
   * before it. The reader touches a lane that it owns.
   */
  record ByCommit() implements LogFlush {}
}
