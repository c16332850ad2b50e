package io.waybill.internal.jdbc.kernel;

import io.waybill.store.Session;

/** How much to read, and for which session: rows are returned to a living one. */
public record Limits(int rows, long bytes, Session session) {
  /**
   * Limits that a caller asks for.
   *
   * @throws IllegalArgumentException if there are no rows
   */
  public static Limits of(int rows, long bytes, Session session) {
    if (rows < 1) {
      throw new IllegalArgumentException("maxRows must be at least 1, but is " + rows);
    }
    return new Limits(rows, Math.max(1, bytes), session);
  }

  public long fence() {
    return session.fence();
  }
}
