package io.waybill.internal.jdbc.window;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where cold starts begin: every row up to an id that a position sees is published, held, dead or
 * blocked, and of these only a blocked one can wait to be read again: somebody sets it back. So
 * blocked rows below the floor are remembered and looked up. It spares a cold start the kept rows.
 */
final class Floor {
  // Ids to pass over in one statement, which bounds its time.
  private static final long STRIDE = 1_000_000;
  // Blocked rows to remember: the floor stays below any more.
  private static final int MOST_BLOCKED = 100_000;

  private final ReaderStatements statements;
  private @Nullable Position position;
  private long id;
  private List<Long> blocked = List.of();

  Floor(ReaderStatements statements) {
    this.statements = statements;
  }

  /**
   * What is between two ids.
   *
   * @param firstOpen first row that is in no side table, or the highest number without one
   * @param blocked failed rows that are not dead, in order
   */
  record Stretch(long firstOpen, List<Long> blocked) {}

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
    long after = known == null ? lowestId - 1 : known(known);
    List<Long> passed = known == null ? new ArrayList<>() : upTo(after, blocked);
    long first = Long.MAX_VALUE;
    while (first == Long.MAX_VALUE && after < target.high()) {
      long until = Math.min(target.high(), after + STRIDE);
      int most = MOST_BLOCKED - passed.size() + 1;
      Stretch stretch = statements.stretch(after, until, most);
      boolean full = stretch.blocked().size() == most;
      first =
          full
              ? Math.min(stretch.firstOpen(), stretch.blocked().get(most - 1))
              : stretch.firstOpen();
      if (first != Long.MAX_VALUE) {
        after = first - 1;
      } else {
        after = until == target.high() ? until : statements.nextId(until) - 1;
      }
      passed.addAll(upTo(after, stretch.blocked()));
    }
    id = Math.min(after, target.high());
    blocked = passed;
    position = target;
    return id;
  }

  /**
   * Below the known floor may lie late commits, which its position does not see, and rows set back.
   */
  private long known(Position known) {
    long after = Math.min(id, known.start(statements));
    if (blocked.isEmpty()) {
      return after;
    }
    Stretch now = statements.passed(blocked);
    blocked = now.blocked();
    return Math.min(after, now.firstOpen() - 1);
  }

  private static List<Long> upTo(long last, List<Long> ids) {
    return ids.stream().filter(id -> id <= last).collect(Collectors.toCollection(ArrayList::new));
  }

  void reconnected() {
    Position known = position;
    position = known == null ? null : known.afterReconnect();
  }

  void forget() {
    position = null;
    id = 0;
    blocked = List.of();
  }
}
