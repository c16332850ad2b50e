package io.waybill.proof.crash;

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

/** A reader that reaches the steps of a crash. */
record CrashingReader(OutboxReader reader, Crash crash) implements OutboxReader {
  @Override
  public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
    return reader.warmUp(maxRows, maxBytes);
  }

  @Override
  public Backlog assign(Session session, Set<Integer> lanes) {
    crash.reached(CrashStep.BEFORE_ASSIGN);
    Backlog backlog = reader.assign(session, lanes);
    crash.reached(CrashStep.AFTER_ASSIGN);
    return backlog;
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
    crash.reached(CrashStep.BEFORE_READ);
    ReadResult result = reader.read(maxRows, maxBytes);
    if (!result.rows().isEmpty()) {
      crash.reached(CrashStep.AFTER_READ);
    }
    return result;
  }

  @Override
  public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    crash.reached(CrashStep.BEFORE_READ_HELD);
    ReadResult result = reader.readHeld(keys, maxRows, maxBytes);
    crash.reached(CrashStep.AFTER_READ_HELD);
    return result;
  }

  @Override
  public List<RowLook> look(List<RowRef> rows, long maxBytes) {
    return reader.look(rows, maxBytes);
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
  }
}
