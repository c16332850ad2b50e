package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.sql.SqlStates;
import io.waybill.store.DedupeKey;
import io.waybill.store.RefusedCommitException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the transaction in which handlers run is still the one that noted their events. A
 * statement of a handler can commit it, and an error that a handler keeps to itself can roll it
 * back. Used by one thread.
 */
final class HandlerDeadline {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerDeadline.class);

  private final InboxConnection connection;
  private final InboxParts parts;
  private final InboxSession session;
  private final OpenNotes notes;
  private final DedupeKeys dedupeKeys;
  private final boolean seesStatements;
  private final List<DedupeKey> noted = new ArrayList<>();
  // Noted, and their handlers have not returned.
  private final Set<String> waiting = new LinkedHashSet<>();
  // Marked as such.
  private final Set<String> open = new LinkedHashSet<>();
  private boolean guarded;
  private @Nullable String mark;
  // While their handler ran the marked one ended, and another one began.
  private List<String> endedBy = List.of();

  HandlerDeadline(
      InboxConnection connection,
      InboxParts parts,
      OpenNotes notes,
      DedupeKeys dedupeKeys,
      boolean seesStatements) {
    this.connection = connection;
    this.parts = parts;
    this.session = parts.session();
    this.notes = notes;
    this.dedupeKeys = dedupeKeys;
    this.seesStatements = seesStatements;
  }

  /** An event was noted; its handler comes next. */
  void noted(DedupeKey event) {
    noted.add(event);
    waiting.add(event.eventId());
  }

  /**
   * Called before a handler gets the connection. Open notes tell as well as a savepoint whether
   * this is still the transaction that began.
   */
  void guard() throws SQLException {
    if (guarded) {
      return;
    }
    guarded = true;
    if (!seesStatements && session.commitsImplicitly() && !waiting.isEmpty()) {
      open();
      mark = "";
    } else {
      session.guard(connection.plain());
    }
  }

  /** Once it may have ended, nobody can tell any more what was in it. */
  void before(String sql) throws SQLException {
    if (mark == null && session.mayEnd(sql)) {
      if (session.isAborted(connection.plain(), guarded)) {
        throw new SQLException(
            "The transaction has ended before this statement", session.abortedState());
      }
      open();
      mark = session.mark(connection.plain());
    }
  }

  private void open() throws SQLException {
    if (!waiting.isEmpty()) {
      notes.open(waiting);
      open.addAll(waiting);
    }
  }

  /** Whether a handler has run a statement that may have ended the transaction. */
  boolean suspects() {
    return mark != null && seesStatements;
  }

  /** The handler of these has returned; true if the transaction has ended by now. */
  boolean handled(List<DedupeKey> events) throws SQLException {
    List<String> ids = events.stream().map(DedupeKey::eventId).toList();
    ids.forEach(waiting::remove);
    String known = mark;
    if (known == null || !seesStatements) {
      return false;
    }
    if (endedBy.isEmpty()) {
      if (session.hasEnded(connection.plain(), known)) {
        endedBy = ids;
      } else {
        settle(ids);
        mark = session.mark(connection.plain());
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

  /** These are not handled after all; returns those of them that are still this transaction's. */
  List<DedupeKey> takeBack(List<DedupeKey> events) throws SQLException {
    events.forEach(event -> waiting.remove(event.eventId()));
    noted.removeAll(events);
    Set<String> others = takenOver(events);
    return events.stream().filter(event -> !others.contains(event.eventId())).toList();
  }

  /** Those whose open notes were committed, and met by another transaction, whose they are now. */
  private Set<String> takenOver(List<DedupeKey> events) throws SQLException {
    Set<String> others = new HashSet<>(open);
    others.retainAll(events.stream().map(DedupeKey::eventId).toList());
    Set<String> mine = notes.own(others);
    others.removeAll(mine);
    settle(mine);
    open.removeAll(others);
    return others;
  }

  /**
   * Refuses a commit that would not bring about all that the transaction was begun for.
   *
   * @throws RefusedCommitException if a handler has ended it
   */
  void requireWhole() throws SQLException {
    if (!isWhole()) {
      throw new RefusedCommitException(isTakenOver() ? takenOver() : endedByHandler());
    }
  }

  private boolean isWhole() throws SQLException {
    if (mark == null) {
      return !session.isAborted(connection.plain(), guarded) || isCommittedByHandler();
    }
    // PostgreSQL's answer: to ask for the savepoint would not tell more than the notes do.
    boolean whole = !session.isAborted(connection.plain(), false) && settle(Set.copyOf(open));
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
        && !session.isAborted(connection.plain(), false)
        && dedupeKeys.knows(noted);
  }

  /**
   * With the notes committed by a statement of a handler, a rollback would lose the effects since,
   * of events whose handlers are not at fault too: nobody would make them again. An open note among
   * them is another transaction's: this one had taken it over, and was rolled back.
   */
  private boolean isCommittedByHandler() throws SQLException {
    if (!session.commitsImplicitly() || noted.isEmpty() || !dedupeKeys.knows(noted)) {
      return false;
    }
    List<String> ids = noted.stream().map(DedupeKey::eventId).toList();
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
        session.abortedState());
  }
}
