package io.waybill.proof.crash;

import io.waybill.database.OutboxTables;
import io.waybill.proof.ForwardingTables;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;

/** An outbox whose reader, store and lanes reach the steps of a crash. Thread-safe. */
public final class CrashingTables extends ForwardingTables {
  private final Crash crash;

  /**
   * Decorates.
   *
   * @param tables the real outbox
   * @param crash told of every step
   */
  public CrashingTables(OutboxTables tables, Crash crash) {
    super(tables);
    this.crash = crash;
  }

  @Override
  public OutboxReader reader() {
    return new CrashingReader(super.reader(), crash);
  }

  @Override
  public OutboxStore store() {
    return new CrashingStore(super.store(), crash);
  }

  @Override
  public LaneStore lanes() {
    return new CrashingLanes(super.lanes(), crash);
  }
}
