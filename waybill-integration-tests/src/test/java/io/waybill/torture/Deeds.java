package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people did to the rows of events, and what that excuses. One thread writes, any may ask. */
final class Deeds {
  // A minute, and the longest freeze of a relay.
  private static final long NOTICED_MILLIS = 90_000;

  private final Map<String, Deed> deeds = new ConcurrentHashMap<>();

  /**
   * What became of an event.
   *
   * @param hand what was done last
   * @param written hashes of what was written into it
   * @param doneMillis when the database said that it was done, 0 if it did not
   */
  record Deed(Hand hand, Set<String> written, long doneMillis) {
    private boolean takesAway() {
      return hand == Hand.REMOVE || hand == Hand.MARK;
    }
  }

  /** Something that was begun, and what was known before. */
  record Attempt(String eventId, Deed begun, @Nullable Deed before) {}

  /** What was done last to an event, or null. */
  @Nullable Hand hand(String eventId) {
    Deed deed = deeds.get(eventId);
    return deed == null ? null : deed.hand();
  }

  boolean has(String eventId) {
    return deeds.containsKey(eventId);
  }

  /** In the end the event is removed, unless something else is done to it. */
  void plan(String eventId) {
    deeds.put(eventId, new Deed(Hand.REMOVE, Set.of(), 0));
  }

  /** Counts as done from now on, since its reply may be lost; with the hash of what is written. */
  Attempt begin(String eventId, Hand hand, @Nullable String hash) {
    Deed before = deeds.get(eventId);
    Set<String> written = new HashSet<>(before == null ? Set.of() : before.written());
    if (hash != null) {
      written.add(hash);
    }
    Deed begun = new Deed(hand, written, 0);
    deeds.put(eventId, begun);
    return new Attempt(eventId, begun, before);
  }

  /** It was done, and perhaps committed. */
  void done(Attempt attempt, boolean committed) {
    long now = committed ? System.currentTimeMillis() : 0;
    deeds.put(attempt.eventId(), new Deed(attempt.begun().hand(), attempt.begun().written(), now));
  }

  /** There was nothing to do it to. */
  void undo(Attempt attempt) {
    if (attempt.before() == null) {
      deeds.remove(attempt.eventId());
    } else {
      deeds.put(attempt.eventId(), attempt.before());
    }
  }

  /** Events that need not arrive: somebody removed them or said that they are published. */
  Set<String> excused() {
    return events(Deed::takesAway);
  }

  /** Events of which somebody said that they are not published: they are published again. */
  Set<String> again() {
    return events(deed -> deed.hand() == Hand.AGAIN);
  }

  private Set<String> events(Predicate<Deed> which) {
    return deeds.entrySet().stream()
        .filter(deed -> which.test(deed.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /**
   * Events that were sent although they had been taken away long before.
   *
   * @param unreadMillis how long a copy may lie at the broker before it counts as delivered
   */
  List<String> findings(List<Copy> delivered, long unreadMillis) {
    return delivered.stream()
        .filter(
            copy -> {
              Deed deed = deeds.get(copy.eventId());
              return deed != null
                  && deed.takesAway()
                  && deed.doneMillis() > 0
                  && copy.atMillis() > deed.doneMillis() + NOTICED_MILLIS + unreadMillis;
            })
        .map(copy -> "sent long after somebody took it away: " + copy)
        .toList();
  }

  /** A copy with what somebody wrote into its row counts as unchanged. */
  Copy asWritten(Copy copy, Map<String, Copy> ledger) {
    Deed deed = deeds.get(copy.eventId());
    Copy original = ledger.get(copy.eventId());
    if (deed == null || original == null || !deed.written().contains(copy.sha256())) {
      return copy;
    }
    return new Copy(
        copy.eventId(), copy.key(), copy.sequence(), original.sha256(), copy.atMillis());
  }
}
