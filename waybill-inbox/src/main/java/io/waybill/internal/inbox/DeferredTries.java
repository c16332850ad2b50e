package io.waybill.internal.inbox;

import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What failed of deferred events while they go back to their table and come again: their letters,
 * or what was to be written of them. Bounded: the one that failed the longest ago is forgotten
 * first.
 */
final class DeferredTries {
  // One that does not come again here is with another process, or done with by it: after so many of
  // its pauses, and so long, nobody waits for it here.
  private static final int PAUSES = 3;
  private static final long SLACK_NANOS = Duration.ofMinutes(1).toNanos();

  /** Why one failed the last time; times are monotonic, in nanoseconds. */
  private record Failed(
      int times, InboxEvent.About about, String reason, long since, long expected) {}

  private final int most;
  private final Map<String, Failed> failures = new LinkedHashMap<>(16, 0.75f, true);

  DeferredTries(int most) {
    this.most = most;
  }

  /** How often it has failed. */
  int times(String eventId) {
    Failed failed = failures.get(eventId);
    return failed == null ? 0 : failed.times;
  }

  /**
   * One has failed again.
   *
   * @param now monotonic time in nanoseconds
   * @param pauseMillis when it comes again
   */
  void failed(InboxEvent.About about, String reason, long now, long pauseMillis) {
    Failed former = failures.get(about.eventId());
    long expected = now + PAUSES * pauseMillis * Timers.MILLI + SLACK_NANOS;
    failures.put(
        about.eventId(),
        former == null
            ? new Failed(1, about, reason, now, expected)
            : new Failed(former.times + 1, about, reason, former.since, expected));
    if (failures.size() > most) {
      failures.remove(failures.keySet().iterator().next());
    }
  }

  void forget(String eventId) {
    failures.remove(eventId);
  }

  /** The one that has been failing for the longest time. */
  Optional<InboxEvent.MessageStuck> stuck(long now) {
    return failures.values().stream()
        .filter(failed -> now - failed.expected <= 0)
        .min((one, other) -> Long.compare(one.since - other.since, 0))
        .map(
            failed ->
                new InboxEvent.MessageStuck(
                    "the table of deferred events",
                    failed.about,
                    failed.reason,
                    Duration.ofNanos(now - failed.since)));
  }
}
