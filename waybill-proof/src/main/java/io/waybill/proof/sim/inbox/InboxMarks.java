package io.waybill.proof.sim.inbox;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which events of a transaction are noted though their handlers have not returned. As the real
 * store does, it marks them before a statement that may commit the notes alone, and takes the marks
 * away when the handlers have returned.
 */
final class InboxMarks {
  private final InboxTables tables;
  private final InboxSwarm.Statements statements;
  private final Set<InboxTables.Id> waiting = new LinkedHashSet<>();
  // Marked, as far as this transaction knows.
  private final Set<InboxTables.Id> open = new LinkedHashSet<>();
  // Written and removed since the database's transaction began.
  private final Set<InboxTables.Id> written = new HashSet<>();
  private final Set<InboxTables.Id> removed = new HashSet<>();
  private boolean marked;
  // The database's transaction has ended since they were written, and another one began.
  private boolean ended;

  InboxMarks(InboxTables tables) {
    this.tables = tables;
    this.statements = tables.world.swarm.statements;
  }

  void noted(InboxTables.Id id) {
    waiting.add(id);
  }

  /** Where statements can't be seen, all are marked beforehand. */
  void beforeHandlers() {
    if (!statements.seen() && !waiting.isEmpty()) {
      mark();
    }
  }

  void beforeStatement() {
    if (statements.seen()) {
      mark();
    }
  }

  private void mark() {
    if (!marked && tables.world.mutation.marksBeforeStatements()) {
      marked = true;
      written.addAll(waiting);
      removed.removeAll(waiting);
      open.addAll(waiting);
    }
  }

  boolean marked() {
    return marked;
  }

  boolean ended() {
    return ended;
  }

  Set<InboxTables.Id> open() {
    return open;
  }

  /** Whether a mark is there, whichever transaction has written it. */
  boolean isThere(InboxTables.Id id) {
    return written.contains(id) || (tables.marks.containsKey(id) && !removed.contains(id));
  }

  /** Whether it is this one's: that of another is back after a rollback. */
  private boolean isMine(InboxTables.Id id) {
    return written.contains(id) || (tables.marks.get(id) == this && !removed.contains(id));
  }

  void remove(InboxTables.Id id) {
    written.remove(id);
    removed.add(id);
  }

  /** Handlers have returned; tells whether the transaction is another one since. */
  boolean handled(Collection<InboxTables.Id> ids) {
    waiting.removeAll(ids);
    if (!marked || !statements.seen()) {
      return false;
    }
    if (!ended) {
      settle(ids);
    }
    return ended;
  }

  /** Whether all those among them that were open were still this transaction's. */
  boolean settle(Collection<InboxTables.Id> ids) {
    List<InboxTables.Id> mine = ids.stream().filter(open::contains).distinct().toList();
    boolean all = mine.stream().allMatch(this::isMine);
    mine.stream().filter(this::isMine).forEach(this::remove);
    mine.forEach(open::remove);
    return all;
  }

  /** Those whose notes another transaction has taken over; the others are settled. */
  Set<InboxTables.Id> takenOver(Collection<InboxTables.Id> ids) {
    waiting.removeAll(ids);
    Set<InboxTables.Id> others = new HashSet<>(open);
    others.retainAll(Set.copyOf(ids));
    List<InboxTables.Id> mine = others.stream().filter(this::isMine).toList();
    settle(others);
    others.removeAll(mine);
    return others;
  }

  /** The database's transaction is committed. */
  void commit() {
    tables.marks.keySet().removeAll(removed);
    written.forEach(id -> tables.marks.put(id, this));
    rollback();
  }

  /** It is rolled back. */
  void rollback() {
    removed.clear();
    written.clear();
    ended = true;
  }
}
