package io.waybill.database;

import io.waybill.admin.Admin;
import io.waybill.internal.work.WallClock;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import java.time.InstantSource;
import java.util.List;

/**
 * An outbox in a database, whatever its layout and product. Each part that it creates owns one
 * connection, which it opens at its first call and again after a failure. Immutable; methods may be
 * called by any thread.
 */
public interface OutboxTables {
  /**
   * Creates a reader.
   *
   * @return reader with a separate connection
   */
  OutboxReader reader();

  /**
   * Creates a settling store.
   *
   * @return store with a separate connection
   */
  OutboxStore store();

  /**
   * Creates a store of lanes.
   *
   * @return store with a separate connection
   */
  LaneStore lanes();

  /**
   * Writes events into the table, in the transactions of callers.
   *
   * @return the dialect for {@code Outbox}; keep the instance
   */
  AppendDialect append();

  /**
   * Checks everything in the database that could harm events; changes nothing.
   *
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time or refuses
   */
  default List<Finding> check() {
    return check(WallClock.SYSTEM);
  }

  /**
   * The same with another clock of this machine, which is compared with the database's.
   *
   * @param clock this machine's clock
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time or refuses
   */
  List<Finding> check(InstantSource clock);

  /**
   * Creates the operators' access.
   *
   * @return admin access with a separate connection
   */
  Admin admin();

  /**
   * Creates the removal of published rows that were kept.
   *
   * @return retention with a separate connection
   * @throws IllegalArgumentException if the layout deletes published rows immediately, or has no
   *     time of publishing
   */
  Retention retention();

  /**
   * When the table is read by default.
   *
   * @return the layout's default
   */
  Polling polling();

  /** Describes the table and its database, for people; without secrets. */
  @Override
  String toString();
}
