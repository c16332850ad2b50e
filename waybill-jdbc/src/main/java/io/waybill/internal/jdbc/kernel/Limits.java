package io.waybill.internal.jdbc.kernel;

import io.waybill.store.Session;

/** How much to read, and for which session: rows are returned to a living one. */
public record Limits(int rows, long bytes, Session session) {
  public long fence() {
    return session.fence();
  }
}
