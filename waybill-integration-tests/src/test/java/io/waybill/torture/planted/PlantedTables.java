package io.waybill.torture.planted;

import io.waybill.admin.Admin;
import io.waybill.database.AppendDialect;
import io.waybill.database.ConnectionFactory;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.Retention;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;
import io.waybill.store.Polling;
import java.time.InstantSource;
import java.util.List;

/** An outbox whose reader, store and lanes have a bug. */
public final class PlantedTables implements OutboxTables {
  private final OutboxTables tables;
  private final ConnectionFactory connections;
  private final Behaviour bug;

  /**
   * Decorates.
   *
   * @param tables the real outbox
   * @param connections to its database
   * @param bug what it does wrong
   */
  public PlantedTables(OutboxTables tables, ConnectionFactory connections, PlantedBug bug) {
    this.tables = tables;
    this.connections = connections;
    this.bug = bug.behaviour();
  }

  @Override
  public OutboxReader reader() {
    return new PlantedReader(tables.reader(), tables.store(), bug);
  }

  @Override
  public OutboxStore store() {
    return new PlantedStore(tables.store(), bug);
  }

  @Override
  public LaneStore lanes() {
    return new PlantedLanes(tables.lanes(), new SideTables(connections), bug);
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
