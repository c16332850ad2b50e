package io.waybill.internal.jdbc.window;

import org.jspecify.annotations.Nullable;

/**
 * Where cold starts begin: every row up to an id that a position sees is published or in a side
 * table, and no such row ever waits to be read again. It spares a cold start the kept rows.
 */
final class Floor {
  // Ids to pass over in one statement, which bounds its time.
  private static final long STRIDE = 1_000_000;

  private final ReaderStatements statements;
  private @Nullable Position position;
  private long id;

  Floor(ReaderStatements statements) {
    this.statements = statements;
  }

  /**
   * Moves the floor up as far as it goes.
   *
   * @param target position of the cold start
   * @param lowestId lowest id in the table, 0 if it is empty
   * @return id after which the cold start has to read
   */
  long raise(Position target, long lowestId) {
    // A sequence that went back gives ids below the floor to new rows.
    Position known = position != null && position.high() > target.high() ? null : position;
    // Rows that the known position does not see may lie below the floor: late commits.
    long after = known == null ? lowestId - 1 : Math.min(id, known.start(statements));
    long first = Long.MAX_VALUE;
    while (first == Long.MAX_VALUE && after < target.high()) {
      long until = Math.min(target.high(), after + STRIDE);
      first = statements.firstOpen(after, until);
      if (first != Long.MAX_VALUE) {
        after = first - 1;
      } else {
        after = until == target.high() ? until : statements.nextId(until) - 1;
      }
    }
    id = Math.min(after, target.high());
    position = target;
    return id;
  }

  void reconnected() {
    Position known = position;
    position = known == null ? null : known.afterReconnect();
  }

  void forget() {
    position = null;
    id = 0;
  }
}
