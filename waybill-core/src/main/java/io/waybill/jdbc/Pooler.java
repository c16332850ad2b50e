package io.waybill.jdbc;

/** What may stand between a driver and its database. */
public enum Pooler {
  /** Nobody: a connection through a pooler is refused where it is recognised. */
  NONE,
  /**
   * A pooler that keeps the server's connection for as long as the client's is open, as PgBouncer
   * does with {@code pool_mode = session}. In any other mode the settings of a relay reach the
   * transactions of others, and a change of the server goes unnoticed.
   */
  SESSION
}
