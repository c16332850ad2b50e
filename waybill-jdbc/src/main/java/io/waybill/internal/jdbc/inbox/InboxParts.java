package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * What the parts of an inbox have in common, once its tables have been looked at.
 *
 * @param consumer the consumer
 * @param dialect the database's dialect
 * @param session sessions of its connections
 * @param sql statements
 * @param processed table of processed events
 * @param names what stands for event ids in it
 */
public record InboxParts(
    String consumer,
    SqlDialect dialect,
    InboxSession session,
    InboxSql sql,
    ProcessedTable processed,
    EventNames names) {
  /** Puts the names of the inbox's tables into a statement. */
  String fill(String template) {
    return sql.fill(template);
  }

  /** Runs an INSERT of one row; false if the row was there already. */
  boolean inserts(PreparedStatement statement) throws SQLException {
    try {
      return statement.executeUpdate() == 1;
    } catch (SQLException e) {
      if (sql.isDuplicate(e)) {
        return false;
      }
      throw e;
    }
  }
}
