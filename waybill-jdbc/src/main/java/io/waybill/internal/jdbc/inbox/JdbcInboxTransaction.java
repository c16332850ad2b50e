package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.sql.SqlStates;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import io.waybill.store.RefusedDataException;
import io.waybill.store.Sight;
import io.waybill.store.Sighting;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transaction of an inbox. */
public final class JdbcInboxTransaction implements InboxTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcInboxTransaction.class);

  private static final int MEBIBYTE = 1 << 20;

  private final InboxConnection connection;
  private final InboxParts parts;
  private final Sightings sightings;
  private final Deferrals deferrals;
  private final Connection handlers;
  private final TransactionEnd end;
  private final OpenNotes notes;
  private final Starts starts;
  private final boolean seesStatements;
  private final List<Sighting> noted = new ArrayList<>();
  // Noted, and their handlers have not returned.
  private final Set<String> waiting = new LinkedHashSet<>();
  // Marked as such.
  private final Set<String> open = new LinkedHashSet<>();
  private boolean guarded;
  private @Nullable String mark;
  // While their handler ran the marked one ended, and another one began.
  private List<String> endedBy = List.of();
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
    this.connection = connection;
    this.parts = parts;
    this.end = end;
    this.seesStatements = seesStatements;
    this.notes = new OpenNotes(connection, parts);
    this.starts = new Starts(connection, parts);
    this.sightings = new Sightings(connection, parts, notes);
    this.deferrals = new Deferrals(connection, parts);
    this.handlers = HandlerConnection.of(connection.plain(), this::before);
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
    if (!guarded) {
      guarded = true;
      call(
          "guard a transaction",
          () -> {
            guard();
            return true;
          });
    }
    return handlers;
  }

  /** Open notes tell as well as a savepoint whether this is still the transaction that began. */
  private void guard() throws SQLException {
    if (!seesStatements && parts.sql().commitsImplicitly() && !waiting.isEmpty()) {
      open();
      mark = "";
    } else {
      parts.sql().guard(connection.plain());
    }
  }

  /** Once it may have ended, nobody can tell any more what was in it. */
  private void before(String sql) throws SQLException {
    if (mark == null && parts.sql().mayEnd(sql)) {
      if (parts.sql().isAborted(connection.plain(), guarded)) {
        throw new SQLException(
            "The transaction has ended before this statement", parts.sql().abortedState());
      }
      mark();
    }
  }

  private void mark() throws SQLException {
    open();
    mark = parts.sql().mark(connection.plain());
  }

  private void open() throws SQLException {
    if (!waiting.isEmpty()) {
      notes.open(waiting);
      open.addAll(waiting);
    }
  }

  @Override
  public boolean handled(List<Sighting> events) {
    List<String> ids = events.stream().map(Sighting::eventId).toList();
    ids.forEach(waiting::remove);
    String known = mark;
    if (known == null || !seesStatements) {
      return false;
    }
    return call("check whether a handler has ended the transaction", () -> isEndedBy(ids, known));
  }

  private boolean isEndedBy(List<String> ids, String known) throws SQLException {
    if (endedBy.isEmpty()) {
      if (parts.sql().hasEnded(connection.plain(), known)) {
        endedBy = ids;
      } else {
        settle(ids);
        mark = parts.sql().mark(connection.plain());
      }
    }
    return !endedBy.isEmpty();
  }

  /** Whether all those among them that were open were still this transaction's. */
  private boolean settle(Collection<String> ids) throws SQLException {
    List<String> mine = ids.stream().filter(open::contains).distinct().toList();
    mine.forEach(open::remove);
    return notes.close(mine);
  }

  /** Those whose open notes were committed, and met by another transaction, whose they are now. */
  private Set<String> takenOver(List<Sighting> events) throws SQLException {
    Set<String> others = new HashSet<>(open);
    others.retainAll(events.stream().map(Sighting::eventId).toList());
    Set<String> mine = notes.own(others);
    others.removeAll(mine);
    settle(mine);
    open.removeAll(others);
    return others;
  }

  @Override
  public List<Sight> sight(List<Sighting> events) {
    if (events.isEmpty()) {
      throw new IllegalArgumentException("There must be at least one event");
    }
    List<Sight> sights =
        call(
            "check whether events were processed",
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
      waiting.add(event.eventId());
    }
  }

  @Override
  public void takeBack(List<Sighting> events) {
    call(
        "revert that events were seen",
        () -> {
          events.forEach(event -> waiting.remove(event.eventId()));
          noted.removeAll(events);
          Set<String> others = takenOver(events);
          sightings.takeBack(
              events.stream().filter(event -> !others.contains(event.eventId())).toList());
          return true;
        });
  }

  @Override
  public Sight sight(DeferredEvent event, String owner) {
    Sight sight =
        call(
            "check whether a deferred event was processed",
            () ->
                deferrals.hold(event, owner)
                    ? sightings.one(event.sighting(), true)
                    : new Sight.Lost());
    note(event.sighting(), sight);
    return sight;
  }

  @Override
  public Sight noteDead(Sighting event) {
    Sight sight = call("record that an event is dead", () -> sightings.one(event, true));
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
      if (!isWhole()) {
        throw new RefusedCommitException(isTakenOver() ? takenOver() : endedByHandler());
      }
      end.commit();
    } catch (SQLException e) {
      if (SqlStates.isTransient(e)) {
        throw new StoreException("Could not commit", e, true);
      }
      throw new RefusedCommitException(e);
    }
  }

  private static SQLException takenOver() {
    return new SQLException(
        "another process has taken over the events, whose records a statement of the handler had"
            + " committed",
        SqlStates.SERIALIZATION_FAILURE);
  }

  private SQLException endedByHandler() {
    return new SQLException(
        "an error or a statement of the handler has ended the transaction, and the handler did not"
            + " rethrow it",
        parts.sql().abortedState());
  }

  /** Whether a commit brings about all that the transaction was begun for. */
  private boolean isWhole() throws SQLException {
    if (mark == null) {
      return !parts.sql().isAborted(connection.plain(), guarded) || isCommittedByHandler();
    }
    // PostgreSQL's answer: to ask for the savepoint would not tell more than the notes do.
    boolean whole = !parts.sql().isAborted(connection.plain(), false) && settle(Set.copyOf(open));
    if (whole && !endedBy.isEmpty()) {
      warnOfCommit(endedBy);
    }
    return whole;
  }

  /**
   * Whether the notes are there, and the marks are not this transaction's any more. Another process
   * handles the events, so this failure alone must not make dead letters of them.
   */
  private boolean isTakenOver() throws SQLException {
    return mark != null
        && !noted.isEmpty()
        && !parts.sql().isAborted(connection.plain(), false)
        && sightings.knows(noted);
  }

  /**
   * With the notes committed by a statement of a handler, a rollback would lose the effects since,
   * of events whose handlers are not at fault too: nobody would make them again. An open note among
   * them is another transaction's: this one had taken it over, and was rolled back.
   */
  private boolean isCommittedByHandler() throws SQLException {
    if (!parts.sql().commitsImplicitly() || noted.isEmpty() || !sightings.knows(noted)) {
      return false;
    }
    List<String> ids = noted.stream().map(Sighting::eventId).toList();
    if (!notes.among(ids).isEmpty()) {
      return false;
    }
    warnOfCommit(ids);
    return true;
  }

  private void warnOfCommit(List<String> eventIds) {
    LOG.warn(
        "A handler of consumer {}, for one of events {}, ran a statement that commits, such as"
            + " those that define or empty tables on MySQL and MariaDB. Later changes are committed"
            + " now; if the process had died in between, the handler would be called again, and its"
            + " earlier changes would be made twice. Move such statements out of handlers",
        parts.consumer(),
        eventIds);
  }

  @Override
  public void rollback() {
    end.rollback();
    if (mark != null && seesStatements) {
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
      if (mark != null && seesStatements) {
        connection.leaveAutoCommit(parts.sql());
      }
      end.close();
    }
  }
}
