package io.waybill.torture.planted;

import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.List;

/** A store with a bug. */
record PlantedStore(OutboxStore store, Behaviour bug) implements OutboxStore {
  @Override
  public void warmUp(List<OutboxRow> rows) {
    store.warmUp(rows);
  }

  @Override
  public Settled settle(Session session, Settlement settlement) {
    return bug.settled(() -> store.settle(session, settlement), settlement);
  }

  @Override
  public void close() {
    store.close();
  }
}
