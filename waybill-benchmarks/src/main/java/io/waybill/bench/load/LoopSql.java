package io.waybill.bench.load;

/**
 * What the plain loop says to a table.
 *
 * @param idType type of the row id
 * @param read query for row id, event id, type, key and payload of 1,000 rows, which it locks
 * @param mark update of rows by an array of their ids
 */
public record LoopSql(String idType, String read, String mark) {
  /** The loop's own table. */
  public static final LoopSql PLAIN =
      of(
          "int8",
          """
          select id, event_id, event_type, aggregate_id, payload
          from plain_outbox where status = 0 order by id""",
          """
          update plain_outbox set status = 1, published_at = now() where id = any(?)""");

  static LoopSql of(String idType, String read, String mark) {
    return new LoopSql(idType, read + " limit 1000 for update skip locked", mark);
  }
}
