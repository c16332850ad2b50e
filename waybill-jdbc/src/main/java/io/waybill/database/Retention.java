package io.waybill.database;

import java.time.Duration;

/**
 * Removes published events that were kept long enough, and their entries in the table's record.
 * Never touches an event that was not published, is parked or dead, or is waiting for an operator's
 * request. Owns one connection; for use by one thread.
 */
public interface Retention extends AutoCloseable {
  /**
   * The result of one look.
   *
   * @param removed rows removed
   * @param more whether rows follow; if not, the next look starts from the beginning
   */
  record Purged(int removed, boolean more) {}

  /**
   * Looks at the next rows in the order of the primary key and removes those that were published
   * long enough ago, in one short transaction.
   *
   * @param olderThan time since the publishing, not negative
   * @param maxRows most rows to look at, at least 1
   * @return the result
   * @throws io.waybill.store.StoreException when the database does not answer in time or refuses
   */
  Purged purge(Duration olderThan, int maxRows);

  @Override
  void close();
}
