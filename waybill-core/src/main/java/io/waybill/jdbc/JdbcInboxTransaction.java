package io.waybill.jdbc;

import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import io.waybill.store.RefusedDataException;
import io.waybill.store.Sight;
import io.waybill.store.Sighting;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transaction of an inbox. */
final class JdbcInboxTransaction implements InboxTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcInboxTransaction.class);

  private static final int MEBIBYTE = 1 << 20;

  private final InboxConnection connection;
  private final InboxParts parts;
  private final Sightings sightings;
  private final Deferrals deferrals;
  private final Connection handlers;
  private final TransactionEnd end;
  private final List<Sighting> noted = new ArrayList<>();
  private boolean guarded;
  private boolean closed;

  JdbcInboxTransaction(InboxConnection connection, InboxParts parts, TransactionEnd end) {
    this.connection = connection;
    this.parts = parts;
    this.end = end;
    this.sightings = new Sightings(connection, parts);
    this.deferrals = new Deferrals(connection, parts);
    this.handlers = HandlerConnection.of(connection.plain());
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
            "Could not %s: the database does not take its values (SQLState %s, error %d)"
                .formatted(what, e.getSQLState(), e.getErrorCode()),
            e)
        : new StoreException("Could not " + what, e, SqlStates.isTransient(e));
  }

  @Override
  public Connection connection() {
    if (!guarded) {
      guarded = true;
      call(
          "guard a transaction",
          () -> {
            parts.sql().guard(connection.plain());
            return true;
          });
    }
    return handlers;
  }

  @Override
  public List<Sight> sight(List<Sighting> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("There must be at least one event");
    }
    List<Sight> sights =
        call(
            "see whether events were processed",
            () ->
                events.size() == 1
                    ? List.of(sightings.one(events.get(0), false))
                    : sightings.all(events));
    for (int i = 0; i < sights.size(); i++) {
      note(events.get(i), sights.get(i));
    }
    return sights;
  }

  private void note(Sighting event, Sight sight) {
    if (sight instanceof Sight.Fresh) {
      noted.add(event);
    }
  }

  @Override
  public void takeBack(List<Sighting> events) {
    call(
        "take back that events were seen",
        () -> {
          sightings.takeBack(events);
          events.forEach(noted::remove);
          return true;
        });
  }

  @Override
  public Sight sight(DeferredEvent event, String owner) {
    Sight sight =
        call(
            "see whether a deferred event was processed",
            () ->
                deferrals.hold(event, owner)
                    ? sightings.one(event.sighting(), true)
                    : new Sight.Lost());
    note(event.sighting(), sight);
    return sight;
  }

  @Override
  public Sight noteDead(Sighting event) {
    Sight sight = call("note that an event is dead", () -> sightings.one(event, true));
    note(event, sight);
    return sight;
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
  public boolean postpone(DeferredEvent event, String owner) {
    return call("postpone an event", () -> deferrals.postpone(event, owner));
  }

  @Override
  public void forget(DeferredEvent event) {
    call(
        "forget a deferred event",
        () -> {
          deferrals.forget(event);
          return true;
        });
  }

  @Override
  public int started(String eventId) {
    return call(
        "note a start",
        () -> {
          note(parts.sql().start(), eventId);
          PreparedStatement statement = prepared(parts.sql().openStarts(), eventId);
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getInt(1);
          }
        });
  }

  @Override
  public void ended(String eventId) {
    call("note the end of a start", () -> note(parts.sql().end(), eventId));
  }

  @Override
  public void forgetStarts(String eventId) {
    call("forget the starts of an event", () -> note(parts.sql().forgetStarts(), eventId));
  }

  private int note(String sql, String eventId) throws SQLException {
    return prepared(sql, eventId).executeUpdate();
  }

  private PreparedStatement prepared(String sql, String eventId) throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    statement.setString(1, parts.consumer());
    statement.setString(2, eventId);
    return statement;
  }

  @Override
  public void commit() {
    try {
      if (parts.sql().isAborted(connection.plain(), guarded) && !isCommittedByHandler()) {
        throw new RefusedCommitException(
            new SQLException(
                "an error has ended the transaction, and the handler did not pass it on",
                parts.sql().abortedState()));
      }
      end.commit();
    } catch (SQLException e) {
      if (SqlStates.isTransient(e)) {
        throw new StoreException("Could not commit", e, true);
      }
      throw new RefusedCommitException(e);
    }
  }

  /**
   * With the notes committed by a statement of a handler, a rollback would lose the effects since,
   * of events whose handlers are not at fault too: nobody would make them again.
   */
  private boolean isCommittedByHandler() throws SQLException {
    if (!parts.sql().commitsImplicitly() || noted.isEmpty() || !sightings.knows(noted)) {
      return false;
    }
    LOG.warn(
        "A handler of consumer {} ran a statement that commits by itself, as those that define or"
            + " empty tables do here; event {} and {} others were in the transaction. What was done"
            + " since is committed now; if the process had died in between, it would be lost. Move"
            + " such statements out of handlers",
        parts.consumer(),
        noted.get(0).eventId(),
        noted.size() - 1);
    return true;
  }

  @Override
  public void rollback() {
    end.rollback();
  }

  @Override
  public void abort() {
    connection.cut();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      end.close();
    }
  }
}
