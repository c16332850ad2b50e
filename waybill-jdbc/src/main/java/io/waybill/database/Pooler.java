package io.waybill.database;

/** The kind of pooler that may be between a driver and its database. */
public enum Pooler {
  /** No pooler: a connection through a pooler is refused if it is recognised. */
  NONE,
  /**
   * A pooler that keeps the server's connection for as long as the client's is open, as PgBouncer
   * does with {@code pool_mode = session}. In any other mode, a relay's settings affect the
   * transactions of others, and a change of the server goes unnoticed.
   */
  SESSION
}
