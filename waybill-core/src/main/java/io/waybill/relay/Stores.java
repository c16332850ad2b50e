package io.waybill.relay;

import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;

/**
 * The database side of a relay: three connections.
 *
 * @param lanes ownership
 * @param reader reads
 * @param store settlements
 */
public record Stores(LaneStore lanes, OutboxReader reader, OutboxStore store)
    implements AutoCloseable {
  @Override
  public void close() {
    reader.close();
    store.close();
    lanes.close();
  }
}
