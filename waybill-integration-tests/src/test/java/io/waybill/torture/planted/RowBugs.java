package io.waybill.torture.planted;

import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What can be wrong with rows that are read and marked. */
final class RowBugs {
  private RowBugs() {}

  /** A settlement that failed counts as done. */
  static final class SettlementErrorSwallowed extends Behaviour {
    @Override
    Settled settled(Supplier<Settled> settle, Settlement settlement) {
      try {
        return settle.get();
      } catch (StoreException e) {
        return new Settled(false, settlement.size());
      }
    }
  }

  /** After any error of the database the rows at hand count as processed before. */
  static final class DuplicateOnAnySqlError extends Behaviour {
    private boolean failed;

    @Override
    ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
      try {
        ReadResult result = read.get();
        if (!failed || result.rows().isEmpty()) {
          return result;
        }
        markPublished.accept(result.rows());
        failed = false;
        return new ReadResult(List.of(), result.more());
      } catch (StoreException e) {
        failed = true;
        throw e;
      }
    }
  }

  /** The thread that reads ends after a while, and nobody notices: it rests for ever. */
  static final class LineEndsSilently extends Behaviour {
    private static final int READS = 200;
    private int reads;

    @Override
    ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
      reads++;
      while (reads > READS && !Thread.currentThread().isInterrupted()) {
        LockSupport.park();
      }
      return read.get();
    }
  }

  /** A row is what it was when it was read, whatever people did to it since. */
  static final class BelievesItsMemory extends Behaviour {
    private final Map<Object, OutboxRow> known = new ConcurrentHashMap<>();

    @Override
    ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
      ReadResult result = read.get();
      result.rows().forEach(row -> known.put(row.rowId(), row));
      return result;
    }

    @Override
    List<RowLook> looked(List<RowLook> looks) {
      return looks.stream()
          .map(
              look -> {
                OutboxRow row = known.get(look.ref().rowId());
                return row == null ? look : new RowLook(look.ref(), row, EventState.PENDING);
              })
          .toList();
    }
  }

  /** What was read of one server is not read again of the one that took its place. */
  static final class RemembersTheOldServer extends Behaviour {
    private final Set<Object> read = new HashSet<>();
    private final Set<Object> skipped = new HashSet<>();
    private String history = "";

    @Override
    void assigned(Session session) {
      if (!history.isEmpty() && !history.equals(session.history())) {
        skipped.addAll(read);
      }
      history = session.history();
    }

    @Override
    ReadResult read(Supplier<ReadResult> source, Consumer<List<OutboxRow>> markPublished) {
      ReadResult result = without(skipped, source.get());
      result.rows().forEach(row -> read.add(row.rowId()));
      return result;
    }
  }

  /** A row that was given up is not read again, whatever people do. */
  static final class DeadStaysDead extends Behaviour {
    private final Set<Object> dead = ConcurrentHashMap.newKeySet();

    @Override
    Settled settled(Supplier<Settled> settle, Settlement settlement) {
      settlement.failed().stream()
          .filter(failed -> failed.state() == RowState.DEAD)
          .forEach(failed -> dead.add(failed.row().rowId()));
      return settle.get();
    }

    @Override
    ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
      return without(dead, read.get());
    }
  }

  private static ReadResult without(Set<Object> rowIds, ReadResult result) {
    List<OutboxRow> rows =
        result.rows().stream().filter(row -> !rowIds.contains(row.rowId())).toList();
    return new ReadResult(rows, result.more());
  }

  /** Rows are read in no order. */
  static final class ReadsWithoutOrder extends Behaviour {
    @Override
    ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
      ReadResult result = read.get();
      List<OutboxRow> rows = new ArrayList<>(result.rows());
      Collections.reverse(rows);
      return new ReadResult(rows, result.more());
    }
  }

  /** Only rows above the highest one that was read before are read. */
  static final class PositionCursor extends Behaviour {
    private long position;

    @Override
    ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
      ReadResult result = read.get();
      long from = position;
      List<OutboxRow> rows =
          result.rows().stream().filter(row -> ((Number) row.rowId()).longValue() > from).toList();
      rows.forEach(row -> position = Math.max(position, ((Number) row.rowId()).longValue()));
      return new ReadResult(rows, result.more());
    }
  }
}
