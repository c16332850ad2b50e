package io.waybill.internal.relay.shell;

import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxStore;

/**
 * The database side of a relay: four connections, of which the lanes have two.
 *
 * @param lanes ownership
 * @param reader reads
 * @param store settlements
 * @param source description of the table and its database, for people; without secrets
 */
public record Stores(LaneStore lanes, OutboxReader reader, OutboxStore store, String source)
    implements AutoCloseable {
  /**
   * Creates the database side of an unnamed table.
   *
   * @param lanes ownership
   * @param reader reads
   * @param store settlements
   */
  public Stores(LaneStore lanes, OutboxReader reader, OutboxStore store) {
    this(lanes, reader, store, "an outbox");
  }

  @Override
  public void close() {
    reader.close();
    store.close();
    lanes.close();
  }
}
