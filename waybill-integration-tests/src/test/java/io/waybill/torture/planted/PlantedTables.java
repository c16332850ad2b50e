package io.waybill.torture.planted;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.OutboxTables;
import io.waybill.proof.ForwardingTables;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;

/** An outbox whose reader, store and lanes have a bug. */
public final class PlantedTables extends ForwardingTables {
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
    super(tables);
    this.connections = connections;
    this.bug = bug.behaviour();
  }

  @Override
  public OutboxReader reader() {
    return new PlantedReader(super.reader(), super.store(), bug);
  }

  @Override
  public OutboxStore store() {
    return new PlantedStore(super.store(), bug);
  }

  @Override
  public LaneStore lanes() {
    return new PlantedLanes(super.lanes(), new SideTables(connections), bug);
  }
}
