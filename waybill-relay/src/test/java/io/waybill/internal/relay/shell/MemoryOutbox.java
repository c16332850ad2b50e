package io.waybill.internal.relay.shell;

import io.waybill.message.EventKey;
import io.waybill.store.Backlog;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.ReadResult;
import io.waybill.store.RelayProcess;
import io.waybill.store.RelayReport;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Tally;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * An outbox in memory for one relay at a time: each {@link #open} stands for new connections. A
 * call whose name is in {@link #deadly} throws what is noted there.
 */
final class MemoryOutbox {
  static final int LANES = 8;

  final List<OutboxRow> rows = new CopyOnWriteArrayList<>();
  final Map<String, Throwable> deadly = new ConcurrentHashMap<>();
  final List<String> called = new CopyOnWriteArrayList<>();
  final Set<Object> settled = ConcurrentHashMap.newKeySet();
  final Set<Object> parked = ConcurrentHashMap.newKeySet();
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  volatile BooleanSupplier others = () -> false;

  Stores open() {
    opened.incrementAndGet();
    return new Stores(new Lanes(), new Reader(), new Store());
  }

  private void call(String name) {
    called.add(name);
    Throwable thrown = deadly.get(name);
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private final class Lanes implements LaneStore {
    private final Set<Integer> mine = new TreeSet<>();

    @Override
    public boolean warmUp() {
      call("warmUp lanes");
      return others.getAsBoolean();
    }

    @Override
    public Session join(RelayProcess relay, Duration lease) {
      call("join");
      return new Session(opened.get(), relay.relay());
    }

    @Override
    public boolean renew(Session session, Duration lease, RelayReport report) {
      call("renew");
      return true;
    }

    @Override
    public LaneView view(Session session) {
      call("view");
      Set<Integer> free = new TreeSet<>();
      for (int lane = 0; lane < LANES; lane++) {
        if (!mine.contains(lane)) {
          free.add(lane);
        }
      }
      return new LaneView(true, Set.copyOf(mine), 1, free, LANES);
    }

    @Override
    public Set<Integer> acquire(Session session, Set<Integer> lanes) {
      mine.addAll(lanes);
      return lanes;
    }

    @Override
    public void release(Session session, Set<Integer> lanes) {
      mine.removeAll(lanes);
    }

    @Override
    public long oldestUnpublishedMillis() {
      return 0;
    }

    @Override
    public Tally tally(int most) {
      return new Tally(0, 0, 0);
    }

    @Override
    public void leave(Session session) {}

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private final class Reader implements OutboxReader {
    private final Set<Object> returned = new HashSet<>();

    @Override
    public List<OutboxRow> warmUp(int maxRows, long maxBytes) {
      call("warmUp");
      return List.copyOf(rows);
    }

    @Override
    public Backlog assign(Session session, Set<Integer> lanes) {
      return Backlog.NONE;
    }

    @Override
    public void renewed(Session session) {}

    @Override
    public void revoke(Set<Integer> lanes) {}

    @Override
    public ReadResult read(int maxRows, long maxBytes) {
      call("read");
      List<OutboxRow> page =
          rows.stream()
              .filter(row -> !settled.contains(row.rowId()) && !parked.contains(row.rowId()))
              .filter(row -> returned.add(row.rowId()))
              .toList();
      return new ReadResult(page, false);
    }

    @Override
    public ReadResult readHeld(Collection<EventKey> keys, int maxRows, long maxBytes) {
      return new ReadResult(List.of(), false);
    }

    @Override
    public List<RowLook> look(List<RowRef> asked, long maxBytes) {
      return asked.stream().map(this::look).toList();
    }

    private RowLook look(RowRef asked) {
      EventState state =
          settled.contains(asked.rowId())
              ? EventState.PUBLISHED
              : parked.contains(asked.rowId()) ? EventState.PARKED : EventState.PENDING;
      return rows.stream()
          .filter(row -> row.ref().equals(asked))
          .map(row -> new RowLook(asked, row, state))
          .findFirst()
          .orElse(new RowLook(asked, null, EventState.GONE));
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
      closed.incrementAndGet();
    }
  }

  private final class Store implements OutboxStore {
    @Override
    public void warmUp(List<OutboxRow> warm) {
      call("warmUp store");
    }

    @Override
    public Settled settle(Session session, Settlement settlement) {
      call("settle");
      settlement.published().forEach(row -> settled.add(row.rowId()));
      settlement.failed().forEach(failed -> parked.add(failed.row().rowId()));
      return new Settled(false, 1);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
