package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.sql.SqlStates;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import io.waybill.store.RefusedDataException;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The transaction of an inbox. */
public final class JdbcInboxTransaction implements InboxTransaction {
  private static final int MEBIBYTE = 1 << 20;

  private final InboxConnection connection;
  private final DedupeKeys dedupeKeys;
  private final Deferrals deferrals;
  private final Starts starts;
  private final HandlerDeadline watch;
  private final Connection handlers;
  private final InboxSession session;
  private final TransactionEnd end;
  private boolean closed;

  /**
   * A transaction that has begun.
   *
   * @param connection its connection
   * @param parts what the inbox consists of
   * @param end how it ends
   * @param seesStatements whether handlers have no other way to the database than {@link
   *     #connection}
   */
  public JdbcInboxTransaction(
      InboxConnection connection, InboxParts parts, TransactionEnd end, boolean seesStatements) {
    OpenNotes notes = new OpenNotes(connection, parts);
    this.connection = connection;
    this.session = parts.session();
    this.end = end;
    this.dedupeKeys = new DedupeKeys(connection, parts, notes);
    this.deferrals = new Deferrals(connection, parts);
    this.starts = new Starts(connection, parts);
    this.watch = new HandlerDeadline(connection, parts, notes, dedupeKeys, seesStatements);
    this.handlers = HandlerConnection.of(connection.plain(), watch::before);
  }

  /** Work on the connection. */
  private interface Work<T> {
    T run() throws SQLException;
  }

  private static <T> T call(String what, Work<T> work) {
    try {
      return work.run();
    } catch (SQLException e) {
      throw failure(what, e, SqlStates.isRefusedData(e));
    }
  }

  private static RuntimeException failure(String what, SQLException e, boolean refused) {
    if (SqlStates.IN_FAILED_TRANSACTION.equals(e.getSQLState())) {
      return new RefusedCommitException(e);
    }
    return refused
        ? new RefusedDataException(
            "Could not %s: the database refuses its values (SQLState %s, error %d)"
                .formatted(what, e.getSQLState(), e.getErrorCode()),
            e)
        : new StoreException("Could not " + what, e, SqlStates.isTransient(e));
  }

  @Override
  public Connection connection() {
    call(
        "guard a transaction",
        () -> {
          watch.guard();
          return true;
        });
    return handlers;
  }

  @Override
  public boolean handled(List<DedupeKey> events) {
    return call("check whether a handler has ended the transaction", () -> watch.handled(events));
  }

  @Override
  public List<DedupeResult> markSeen(List<DedupeKey> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("There must be at least one event");
    }
    List<DedupeResult> dedupeResults =
        call(
            "check whether events were processed",
            () ->
                events.size() == 1
                    ? List.of(dedupeKeys.one(events.get(0), false))
                    : dedupeKeys.all(events));
    for (int i = 0; i < dedupeResults.size(); i++) {
      note(events.get(i), dedupeResults.get(i));
    }
    return dedupeResults;
  }

  private void note(DedupeKey event, DedupeResult dedupe) {
    if (dedupe instanceof DedupeResult.Fresh) {
      watch.noted(event);
    }
  }

  @Override
  public void takeBack(List<DedupeKey> events) {
    call(
        "revert that events were seen",
        () -> {
          dedupeKeys.takeBack(watch.takeBack(events));
          return true;
        });
  }

  @Override
  public DedupeResult markSeen(DeferredEvent event, String owner) {
    DedupeResult dedupe =
        call(
            "check whether a deferred event was processed",
            () ->
                deferrals.hold(event, owner)
                    ? dedupeKeys.one(event.dedupeKey(), true)
                    : new DedupeResult.Lost());
    note(event.dedupeKey(), dedupe);
    return dedupe;
  }

  @Override
  public DedupeResult noteDead(DedupeKey event) {
    DedupeResult dedupe = call("record that an event is dead", () -> dedupeKeys.one(event, true));
    note(event, dedupe);
    return dedupe;
  }

  @Override
  public boolean defer(DeferredEvent event) {
    try {
      return deferrals.defer(event);
    } catch (SQLException e) {
      throw failure("defer an event", e, SqlStates.isRefusedData(e) || isCutFor(event, e));
    }
  }

  /**
   * MySQL and MariaDB may cut the connection of a packet that is too large without a word. If it
   * was lost for another reason, other events find out.
   */
  private static boolean isCutFor(DeferredEvent event, SQLException e) {
    byte[] body = event.body();
    return body != null && body.length > MEBIBYTE && SqlStates.isConnectionLost(e);
  }

  @Override
  public boolean deferAgain(DeferredEvent event, String owner) {
    return call("defer an event again", () -> deferrals.deferAgain(event, owner));
  }

  @Override
  public void forget(DeferredEvent event) {
    call(
        "remove a deferred event",
        () -> {
          deferrals.forget(event);
          return true;
        });
  }

  @Override
  public Map<String, Integer> openStarts(List<String> eventIds) {
    return call("count starts", () -> starts.open(eventIds));
  }

  @Override
  public void started(List<String> eventIds) {
    call("record starts", () -> starts.begun(eventIds));
  }

  @Override
  public void ended(List<String> eventIds) {
    call("record the ends of starts", () -> starts.ended(eventIds));
  }

  @Override
  public void forgetStarts(List<String> eventIds) {
    call("remove the starts of events", () -> starts.forget(eventIds));
  }

  @Override
  public void commit() {
    try {
      watch.requireWhole();
      end.commit();
    } catch (SQLException e) {
      if (SqlStates.isTransient(e)) {
        throw new StoreException("Could not commit", e, true);
      }
      throw new RefusedCommitException(e);
    }
  }

  @Override
  public void rollback() {
    end.rollback();
    if (watch.suspects()) {
      // Who knows what the statement has done to the session: tables that it locked stay locked.
      connection.cut();
    }
  }

  @Override
  public void abort() {
    connection.cut();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (watch.suspects()) {
        connection.leaveAutoCommit(session);
      }
      end.close();
    }
  }
}
