package io.waybill.bench.child;

import io.waybill.bench.measure.Stamps;
import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Notes how long reads take for each 1,000 rows. Used by one thread, written by another after. */
final class TimedReader implements OutboxReader {
  // Below that, a read's fixed costs say more than its rows.
  private static final int LEAST_ROWS = 200;

  private final OutboxReader reader;
  private final Stamps times = new Stamps();
  private long rows;

  TimedReader(OutboxReader reader) {
    this.reader = reader;
  }

  void write(Path file) throws IOException {
    times.write(file);
  }

  @Override
  public ReadResult read(int maxRows, long maxBytes) {
    long start = System.nanoTime();
    ReadResult result = reader.read(maxRows, maxBytes);
    int count = result.rows().size();
    if (count >= LEAST_ROWS) {
      times.note(rows, (System.nanoTime() - start) * 1000 / count);
    }
    rows += count;
    return result;
  }

  @Override
  public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
    return reader.warmUp(maxRows, maxBytes);
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
  public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
    return reader.readHeld(keys, maxRows, maxBytes);
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
