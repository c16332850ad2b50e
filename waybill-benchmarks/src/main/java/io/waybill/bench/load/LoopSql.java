package io.waybill.bench.load;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the plain loop says to a table.
 *
 * @param idType type of the row id on PostgreSQL, which takes all ids as one array; null where each
 *     is a parameter
 * @param read query for row id, event id, type, key and payload of 1,000 rows, which it locks
 * @param mark update of rows, up to their ids
 */
public record LoopSql(@Nullable String idType, String read, String mark) {
  /** The loop's own table. */
  public static final LoopSql PLAIN =
      of(
          "int8",
          """
          select id, event_id, event_type, aggregate_id, payload
          from plain_outbox where status = 0 order by id""",
          """
          update plain_outbox set status = 1, published_at = now() where id = any(?)""");

  /** The loop's own table on MariaDB. */
  public static final LoopSql PLAIN_MARIADB =
      of(
          null,
          """
          select id, event_id, event_type, aggregate_id, payload
          from plain_outbox where status = 0 order by id""",
          """
          update plain_outbox set status = 1, published_at = now(6) where id in""");

  static LoopSql of(@Nullable String idType, String read, String mark) {
    return new LoopSql(idType, read + " limit 1000 for update skip locked", mark);
  }

  /**
   * The update of some rows.
   *
   * @param ids number of ids
   * @return statement
   */
  public String mark(int ids) {
    return idType != null
        ? mark
        : mark + " (" + String.join(", ", Collections.nCopies(ids, "?")) + ")";
  }

  /**
   * Binds the ids of the update.
   *
   * @param statement the update
   * @param ids the ids
   * @throws SQLException when the driver refuses
   */
  public void bind(PreparedStatement statement, List<Object> ids) throws SQLException {
    if (idType != null) {
      statement.setArray(1, statement.getConnection().createArrayOf(idType, ids.toArray()));
      return;
    }
    for (int i = 0; i < ids.size(); i++) {
      statement.setObject(i + 1, ids.get(i));
    }
  }
}
