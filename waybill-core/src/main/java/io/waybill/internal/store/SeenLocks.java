package io.waybill.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one relay has seen of the locks of the others' sessions. A session has ended if its lock was
 * seen, and has then been free for half a second, all on one connection: its owner had that long to
 * take the lock back. The looks in between are at most two seconds apart. A lock that was never
 * seen says nothing: the relay may have none, or have it on another server. So does a look on
 * another connection, since its server may have started anew. Not thread-safe.
 */
public final class SeenLocks {
  /** The time that an owner has to take its lock back. */
  public static final Duration TAKEN_BACK_WITHIN = Duration.ofMillis(500);

  /** Between looks that are further apart, a lock may have been taken back and have ended again. */
  public static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

  /**
   * The server's end of a connection.
   *
   * @param opened how many connections there were before, and this one
   * @param number the server's number of it: a proxy may change it unnoticed
   */
  public record Place(int opened, long number) {}

  private static final class Seen {
    long lockedAt;
    long freeSince;
    boolean free;
  }

  private final Map<Long, Seen> seen = new HashMap<>();
  private Place place = new Place(0, 0);
  private long lastLook;

  /** Nothing has been seen yet. */
  public SeenLocks() {}

  /**
   * Takes a look in.
   *
   * @param where where the database was looked at
   * @param locked each other session by its fence, and whether its lock is held
   * @param began when the look began, in nanoseconds
   * @param ended when its answer was there
   * @return fences of sessions that have ended
   */
  public List<Long> ended(Place where, Map<Long, Boolean> locked, long began, long ended) {
    if (!where.equals(place)) {
      place = where;
      seen.clear();
    }
    seen.keySet().retainAll(locked.keySet());
    if (began - lastLook > BETWEEN_LOOKS.toNanos()) {
      seen.values().forEach(known -> known.free = false);
    }
    lastLook = ended;
    List<Long> over = new ArrayList<>();
    locked.forEach(
        (fence, held) -> {
          if (held) {
            Seen known = seen.computeIfAbsent(fence, key -> new Seen());
            known.lockedAt = began;
            known.free = false;
            return;
          }
          Seen known = seen.get(fence);
          if (known != null && isOver(known, began, ended)) {
            over.add(fence);
          }
        });
    return over;
  }

  private static boolean isOver(Seen known, long began, long ended) {
    if (!known.free) {
      known.free = true;
      known.freeSince = ended;
    }
    return began - known.freeSince >= TAKEN_BACK_WITHIN.toNanos();
  }

  /**
   * How long the lock of a session has not been seen.
   *
   * @param fence fence of a session that has ended
   * @param now in nanoseconds
   * @return nanoseconds
   */
  public long silentNanos(long fence, long now) {
    Seen known = seen.get(fence);
    return known == null ? 0 : now - known.lockedAt;
  }
}
