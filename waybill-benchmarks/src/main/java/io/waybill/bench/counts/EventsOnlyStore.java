package io.waybill.bench.counts;

import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.List;

/** Leaves out a relay's warm-up, which costs time and not events. */
record EventsOnlyStore(OutboxStore store) implements OutboxStore {
  @Override
  public void warmUp(List<OutboxRow> rows) {}

  @Override
  public Settled settle(Session session, Settlement settlement) {
    return store.settle(session, settlement);
  }

  @Override
  public void close() {
    store.close();
  }
}
