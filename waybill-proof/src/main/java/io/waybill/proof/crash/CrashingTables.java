package io.waybill.proof.crash;

import io.waybill.admin.Admin;
import io.waybill.database.AppendDialect;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.Retention;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import java.time.InstantSource;
import java.util.List;

/** An outbox whose reader, store and lanes reach the steps of a crash. Thread-safe. */
public final class CrashingTables implements OutboxTables {
  private final OutboxTables tables;
  private final Crash crash;

  /**
   * Decorates.
   *
   * @param tables the real outbox
   * @param crash told of every step
   */
  public CrashingTables(OutboxTables tables, Crash crash) {
    this.tables = tables;
    this.crash = crash;
  }

  @Override
  public OutboxReader reader() {
    return new CrashingReader(tables.reader(), crash);
  }

  @Override
  public OutboxStore store() {
    return new CrashingStore(tables.store(), crash);
  }

  @Override
  public LaneStore lanes() {
    return new CrashingLanes(tables.lanes(), crash);
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
}
