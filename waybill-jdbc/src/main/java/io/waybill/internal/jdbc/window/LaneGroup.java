package io.waybill.internal.jdbc.window;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lanes that are read together because the same rows of theirs have been returned: those that the
 * position's snapshot sees and whose time has come by the horizon.
 */
final class LaneGroup {
  // Looking first costs another round trip when there are rows, so it must be unlikely.
  private static final int QUIET = 4;

  private final Set<Integer> lanes;
  private String literal;
  private @Nullable Position seen;
  private long horizonMicros;
  private @Nullable Scan scan;
  private @Nullable DueScan dueScan;
  private int emptyWindows;
  private @Nullable Header still;

  LaneGroup(Collection<Integer> lanes) {
    this.lanes = new TreeSet<>(lanes);
    this.literal = Literals.numbers(this.lanes);
  }

  Set<Integer> lanes() {
    return lanes;
  }

  /** The lanes as an array literal. */
  String literal() {
    return literal;
  }

  void remove(Collection<Integer> gone) {
    if (lanes.removeAll(gone)) {
      literal = Literals.numbers(lanes);
    }
  }

  /** Takes over the lanes of a group that has reached the same position and horizon. */
  void absorb(LaneGroup other) {
    lanes.addAll(other.lanes);
    literal = Literals.numbers(lanes);
  }

  @Nullable Position seen() {
    return seen;
  }

  Position position() {
    Position known = seen;
    if (known == null) {
      throw new IllegalStateException("The lanes " + literal + " have not been read yet");
    }
    return known;
  }

  void reach(Position position) {
    seen = position;
    scan = null;
  }

  long horizonMicros() {
    return horizonMicros;
  }

  void horizon(long micros) {
    horizonMicros = micros;
    dueScan = null;
  }

  @Nullable Scan scan() {
    return scan;
  }

  void scan(Scan next) {
    scan = next;
  }

  @Nullable DueScan dueScan() {
    return dueScan;
  }

  void dueScan(DueScan next) {
    dueScan = next;
  }

  /** Whether the last windows were empty, so that the next one probably is. */
  boolean quiet() {
    return emptyWindows >= QUIET;
  }

  void found(boolean rows) {
    emptyWindows = rows ? 0 : Math.min(QUIET, emptyWindows + 1);
  }

  /** The last look, if it saw what the one before had seen: nothing happens in the database. */
  @Nullable Header still() {
    return still;
  }

  void still(@Nullable Header header) {
    still = header;
  }

  /** Whether nothing is being scanned, so that the group stands exactly at its position. */
  boolean settled() {
    return seen != null && scan == null && dueScan == null;
  }

  boolean scanning() {
    return seen == null || scan != null || dueScan != null;
  }

  /** Ids may have been given out again: looks further back. */
  void reconnected() {
    still = null;
    if (seen != null) {
      seen = seen.afterReconnect();
    }
  }

  /** Forgets what has been returned: ids or snapshots of before mean nothing. */
  void forget() {
    still = null;
    seen = null;
    scan = null;
    dueScan = null;
  }
}
