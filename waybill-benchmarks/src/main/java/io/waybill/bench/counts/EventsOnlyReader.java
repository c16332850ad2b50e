package io.waybill.bench.counts;

import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Leaves out what costs time and not events: a relay's warm-up, and what it asks of operators once
 * a second, of which a slow machine has more.
 */
record EventsOnlyReader(OutboxReader reader) implements OutboxReader {
  @Override
  public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
    return List.of();
  }

  @Override
  public Backlog assign(Session session, Set<Integer> lanes) {
    return reader.assign(session, lanes);
  }

  @Override
  public void renewed(Session session) {
    reader.renewed(session);
  }

  @Override
  public void revoke(Set<Integer> lanes) {
    reader.revoke(lanes);
  }

  @Override
  public ReadResult read(int maxRows, long maxBytes) {
    return reader.read(maxRows, maxBytes);
  }

  @Override
  public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    return reader.readHeld(keys, maxRows, maxBytes);
  }

  @Override
  public List<RowLook> look(List<RowRef> rows, long maxBytes) {
    return reader.look(rows, maxBytes);
  }

  @Override
  public List<OperatorRequest> requests(int maxRequests) {
    return List.of();
  }

  @Override
  public Set<String> pausedDestinations() {
    return Set.of();
  }

  @Override
  public void close() {
    reader.close();
  }
}
