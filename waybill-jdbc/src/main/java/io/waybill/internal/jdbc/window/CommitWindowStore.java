package io.waybill.internal.jdbc.window;

import io.waybill.database.OnPublished;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.FailureGroups;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.PostgresDialect;
import io.waybill.internal.jdbc.kernel.Refusals;
import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.RowRef;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import io.waybill.store.StoreException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settles rows, each settlement in one statement on one connection. */
public final class CommitWindowStore implements OutboxStore {
  private final Database database;
  private final String publishedOnly;
  private final String everything;
  private final History history;

  public CommitWindowStore(
      Database database, PostgresWrites writes, OnPublished onPublished, History history) {
    boolean keep = onPublished == OnPublished.KEEP;
    this.database = database;
    this.publishedOnly = writes.published(keep);
    this.everything = writes.settle(keep);
    this.history = history;
  }

  @Override
  public void warmUp(List<OutboxRow> rows) {
    history.name();
    settled(Session.NONE, Settlement.published(rows));
  }

  @Override
  public Settled settle(Session session, Settlement settlement) {
    // Elsewhere ids may be given out again: what was confirmed are other rows than those there.
    history.require(session);
    // The own table has no columns for why rows wait.
    Settlement changes = settlement.withoutNotes();
    if (changes.size() == 0 && settlement.size() > 0) {
      return new Settled(false, 0);
    }
    try {
      return settled(session, changes);
    } catch (StoreException e) {
      throw Refusals.of(e, new PostgresDialect());
    }
  }

  private Settled settled(Session session, Settlement settlement) {
    if (settlement.published().size() == settlement.size()) {
      return database.call(
          "settle published rows",
          publishedOnly,
          statement -> {
            statement.setLong(1, session.fence());
            List<OutboxRow> rows = sorted(settlement.published());
            statement.setString(2, ids(rows));
            statement.setString(3, times(rows));
            return settled(statement);
          });
    }
    return database.call(
        "settle rows",
        everything,
        statement -> {
          Parameters parameters = new Parameters(statement);
          parameters.number(session.fence());
          List<OutboxRow> recovered = sorted(settlement.recovered());
          List<OutboxRow> done = new ArrayList<>(settlement.published());
          done.addAll(recovered);
          done = sorted(done);
          parameters.literal(ids(done));
          parameters.literal(times(done));
          List<RowRef> unrecorded = new ArrayList<>(settlement.forgotten());
          recovered.forEach(row -> unrecorded.add(row.ref()));
          unrecorded.sort(Comparator.comparingLong(row -> (Long) row.rowId()));
          parameters.literal(Literals.numbers(unrecorded, row -> (Long) row.rowId()));
          parameters.literal(Literals.numbers(unrecorded, RowRef::createdAtMicros));
          bindFailed(parameters, failed(settlement));
          bindHeld(parameters, settlement.held());
          bindHandled(parameters, settlement.handled());
          return settled(statement);
        });
  }

  private static List<FailedRow> failed(Settlement settlement) {
    List<FailedRow> failed = new ArrayList<>(settlement.failed());
    failed.addAll(settlement.setAside());
    return failed;
  }

  private static void bindFailed(Parameters parameters, List<FailedRow> failed)
      throws SQLException {
    parameters.literal(Literals.numbers(failed, f -> (Long) f.row().rowId()));
    parameters.literal(Literals.numbers(failed, f -> f.row().createdAtMicros()));
    parameters.literal(Literals.numbers(failed, f -> f.row().lane()));
    parameters.texts(failed, f -> type(f.row()));
    parameters.texts(failed, f -> id(f.row()));
    parameters.texts(failed, f -> f.state().name());
    parameters.literal(Literals.numbers(failed, FailedRow::attempts));
    parameters.flags(failed, FailedRow::unknownOutcome);
    parameters.literal(Literals.numbers(failed, FailedRow::delayMillis));
    parameters.texts(failed, FailedRow::reason);
    parameters.texts(failed, FailedRow::detail);
    parameters.texts(failed, FailedRow::destination);
    parameters.texts(failed, FailureGroups::of);
  }

  private static void bindHeld(Parameters parameters, List<OutboxRow> held) throws SQLException {
    parameters.literal(ids(held));
    parameters.literal(times(held));
    parameters.literal(Literals.numbers(held, OutboxRow::lane));
    parameters.texts(held, row -> HeldKey.nameOf(row).aggregateType());
    parameters.texts(held, row -> HeldKey.nameOf(row).aggregateId());
  }

  private static void bindHandled(Parameters parameters, List<HandledRequest> handled)
      throws SQLException {
    parameters.literal(Literals.numbers(handled, HandledRequest::requestId));
    parameters.flags(handled, HandledRequest::done);
    parameters.texts(handled, HandledRequest::note);
  }

  private static Settled settled(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      return new Settled(!result.getBoolean(1), result.getInt(2));
    }
  }

  /** So that two statements never wait for each other in a circle. */
  private static List<OutboxRow> sorted(List<OutboxRow> rows) {
    List<OutboxRow> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingLong(row -> (Long) row.rowId()));
    return sorted;
  }

  private static String ids(List<OutboxRow> rows) {
    return Literals.numbers(rows, row -> (Long) row.rowId());
  }

  private static String times(List<OutboxRow> rows) {
    return Literals.numbers(rows, OutboxRow::createdAtMicros);
  }

  private static @Nullable String type(OutboxRow row) {
    EventKey key = row.key();
    return key == null ? null : key.aggregateType();
  }

  private static @Nullable String id(OutboxRow row) {
    EventKey key = row.key();
    return key == null ? null : key.aggregateId();
  }

  @Override
  public void close() {
    database.close();
  }
}
