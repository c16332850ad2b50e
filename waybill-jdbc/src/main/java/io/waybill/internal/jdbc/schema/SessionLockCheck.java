package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.kernel.SessionLockSql;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Whether a relay's lock is its connection's, and another connection sees it. */
final class SessionLockCheck {
  // That of no session: those begin at one.
  private static final long FENCE = 0;

  private SessionLockCheck() {}

  static List<Finding> run(Connection holder, Connection looker, SessionLockSql lock) {
    try {
      // If not, somebody else checks at the same time.
      if (!answer(holder, lock.take())) {
        return List.of();
      }
      boolean seen;
      boolean released;
      try {
        seen = isSeen(looker, lock);
      } finally {
        // A pool would get the connection back with the lock.
        released = answer(holder, lock.release());
      }
      return seen && released
          ? List.of()
          : unreliable(seen ? "it cannot be let go" : "it is not seen");
    } catch (SQLException e) {
      return unreliable("SQLState " + e.getSQLState() + ": " + e.getMessage());
    }
  }

  private static boolean answer(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setLong(1, FENCE);
      try (ResultSet result = statement.executeQuery()) {
        return result.next() && result.getBoolean(1);
      }
    }
  }

  private static boolean isSeen(Connection connection, SessionLockSql lock) throws SQLException {
    String query =
        "select case when %s then 1 else 0 end from (select %d as fence) s"
            .formatted(lock.locked(), FENCE);
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet result = statement.executeQuery()) {
      return result.next() && result.getInt(1) == 1;
    }
  }

  private static List<Finding> unreliable(String why) {
    return List.of(
        new Finding(
            Check.SESSION_LOCK_UNSEEN,
            "session lock",
            "A lock has to be held by one connection, and seen by another ("
                + why
                + "): if a relay dies, the others wait for its lease",
            "a URL that leads to the server itself, and a role that may take and see its locks"));
  }
}
