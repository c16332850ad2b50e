package io.waybill.jdbc;

import io.waybill.admin.Admin;
import io.waybill.jdbc.dialect.AppendDialect;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import java.util.List;

/**
 * An outbox in a database, whatever its layout and product. Each part that it hands out owns one
 * connection, which it opens at its first call and again after a failure. Immutable; methods may be
 * called by any thread.
 */
public interface OutboxTables {
  /**
   * A new reader.
   *
   * @return reader with a connection of its own
   */
  OutboxReader reader();

  /**
   * A new settling store.
   *
   * @return store with a connection of its own
   */
  OutboxStore store();

  /**
   * A new store of lanes.
   *
   * @return store with a connection of its own
   */
  LaneStore lanes();

  /**
   * How events are written into the table, in the transactions of callers.
   *
   * @return what {@code Outbox} is made with; keep it
   */
  AppendDialect append();

  /**
   * Looks for everything in the database that could hurt events; changes nothing.
   *
   * @return findings, none if all is well
   * @throws io.waybill.store.StoreException when the database does not answer in time or refuses
   */
  List<Finding> check();

  /**
   * What operators see and ask for.
   *
   * @return admin access with a connection of its own
   */
  Admin admin();

  /**
   * Removal of published rows that are kept.
   *
   * @return retention with a connection of its own
   * @throws IllegalArgumentException if the layout deletes published rows at once, or does not say
   *     when they were published
   */
  Retention retention();

  /**
   * When the table is read unless somebody says otherwise.
   *
   * @return the layout's default
   */
  Polling polling();

  /** Which table of which database, for people; without secrets. */
  @Override
  String toString();
}
