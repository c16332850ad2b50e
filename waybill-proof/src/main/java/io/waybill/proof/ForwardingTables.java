package io.waybill.proof;

import io.waybill.admin.Admin;
import io.waybill.database.AppendDialect;
import io.waybill.database.OutboxTables;
import io.waybill.database.Retention;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import java.time.InstantSource;
import java.util.List;

/** An outbox that forwards every call to another one; subclasses change what they are about. */
public abstract class ForwardingTables implements OutboxTables {
  private final OutboxTables tables;

  /**
   * Decorates.
   *
   * @param tables the real outbox
   */
  protected ForwardingTables(OutboxTables tables) {
    this.tables = tables;
  }

  @Override
  public OutboxReader reader() {
    return tables.reader();
  }

  @Override
  public OutboxStore store() {
    return tables.store();
  }

  @Override
  public LaneStore lanes() {
    return tables.lanes();
  }

  @Override
  public AppendDialect append() {
    return tables.append();
  }

  @Override
  public List<Finding> check(InstantSource clock) {
    return tables.check(clock);
  }

  @Override
  public Admin admin() {
    return tables.admin();
  }

  @Override
  public Retention retention() {
    return tables.retention();
  }

  @Override
  public Polling polling() {
    return tables.polling();
  }

  @Override
  public String toString() {
    return tables.toString();
  }
}
