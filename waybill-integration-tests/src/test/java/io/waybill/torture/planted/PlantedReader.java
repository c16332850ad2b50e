package io.waybill.torture.planted;

import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A reader with a bug, and a store of its own for what it marks behind the relay's back. */
final class PlantedReader implements OutboxReader {
  private final OutboxReader reader;
  private final OutboxStore store;
  private final Behaviour bug;
  private @Nullable Session session;

  PlantedReader(OutboxReader reader, OutboxStore store, Behaviour bug) {
    this.reader = reader;
    this.store = store;
    this.bug = bug;
  }

  @Override
  public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
    return reader.warmUp(maxRows, maxBytes);
  }

  @Override
  public Backlog assign(Session owner, Set<Integer> lanes) {
    session = owner;
    bug.assigned(owner);
    return reader.assign(owner, lanes);
  }

  @Override
  public void renewed(Session owner) {
    reader.renewed(owner);
  }

  @Override
  public void revoke(Set<Integer> lanes) {
    reader.revoke(lanes);
  }

  @Override
  public ReadResult read(int maxRows, long maxBytes) {
    return bug.read(() -> reader.read(maxRows, maxBytes), this::markPublished);
  }

  private void markPublished(List<OutboxRow> rows) {
    Session owner = session;
    if (owner != null) {
      store.settle(owner, Settlement.published(rows));
    }
  }

  @Override
  public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    return reader.readHeld(keys, maxRows, maxBytes);
  }

  @Override
  public List<RowLook> look(List<RowRef> rows, long maxBytes) {
    return bug.looked(reader.look(rows, maxBytes));
  }

  @Override
  public List<OperatorRequest> requests(int maxRequests) {
    return reader.requests(maxRequests);
  }

  @Override
  public Set<String> pausedDestinations() {
    return reader.pausedDestinations();
  }

  @Override
  public void close() {
    reader.close();
    store.close();
  }
}
