package io.waybill.policy;

import io.waybill.handler.Registration;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Bounds, retries and intervals of one inbox.
 *
 * @param workers largest number of concurrent transactions, at least 1
 * @param maxEvents number of deliveries in memory above which the inbox requests no more, at least
 *     1
 * @param maxBytes bytes of deliveries in memory above which the inbox requests no more
 * @param quickRetries how often and after which pauses a delivery is tried again in place, while
 *     its key waits; the limit counts all tries
 * @param retries how often and after which pauses an event that failed in place is tried; the limit
 *     counts the tries in place as one
 * @param storeBackoff pauses while the database fails
 * @param deadLetterBackoff pauses between tries of a dead letter that was not confirmed
 * @param deferred how deferred events are fetched
 * @param shared how deliveries that are handled singly share transactions
 * @param alone how events that were in progress when a process died are handled
 */
public record InboxSettings(
    int workers,
    int maxEvents,
    long maxBytes,
    RetryPolicy quickRetries,
    RetryPolicy retries,
    Backoff storeBackoff,
    Backoff deadLetterBackoff,
    Deferred deferred,
    Shared shared,
    Alone alone) {
  /** Checks the bounds. */
  public InboxSettings {
    atLeastOne("workers", workers);
    atLeastOne("maxEvents", maxEvents);
    atLeastOne("maxBytes", maxBytes);
    if (retries.attemptLimit() == RetryPolicy.UNLIMITED) {
      throw new IllegalArgumentException(
          "retries must have an attempt limit: without one, an event that keeps failing blocks its"
              + " key permanently");
    }
  }

  /**
   * How deferred events are fetched.
   *
   * @param poll pause between two looks that find nothing to do
   * @param limit most deferred events in memory, at least 1
   * @param claim how long other processes leave a fetched event alone
   */
  public record Deferred(Duration poll, int limit, Duration claim) {
    /** Checks the bounds. */
    public Deferred {
      atLeastOne("deferred limit", limit);
      atLeastOne("deferred poll in ms", poll.toMillis());
      atLeastOne("deferred claim in ms", claim.toMillis());
    }
  }

  /**
   * How deliveries that are handled singly share transactions. A transaction takes as many
   * deliveries as are ready and whose handlers, judging by their earlier durations, stay within the
   * time. If one of them fails, the transaction is rolled back and each is handled in a separate
   * transaction.
   *
   * @param events most deliveries in a transaction, from 1 (no sharing) to {@link
   *     Registration#MAX_BATCH}
   * @param time how long their handlers may take together, more than zero; at twice the time,
   *     handlers not yet called are left to another transaction
   */
  public record Shared(int events, Duration time) {
    /** Checks the bounds. */
    public Shared {
      atLeastOne("shared events", events);
      if (events > Registration.MAX_BATCH) {
        throw new IllegalArgumentException(
            "shared events must be at most " + Registration.MAX_BATCH + ", but is " + events);
      }
      atLeastOne("shared time in us", time.toNanos() / 1000);
    }
  }

  /**
   * How events are handled that were in progress, with their starts recorded, when a process died.
   * Each is handled alone, while the inbox handles nothing else; this finds the event that killed
   * the process.
   *
   * @param limit how often the process may die while it handles one event alone before that event
   *     is dead-lettered, at least 1
   * @param pause by how much the inbox must be older at each further of these tries; if the process
   *     dies at the same age for another reason, that is then not blamed on the event. At least as
   *     long as a handler may take
   */
  public record Alone(int limit, Duration pause) {
    /** Checks the bounds. */
    public Alone {
      atLeastOne("limit of starts alone", limit);
      if (pause.isNegative()) {
        throw new IllegalArgumentException("pause before a start must not be negative: " + pause);
      }
    }
  }

  /**
   * The defaults: 8 workers; 4,000 deliveries or 64 MiB in memory; 3 quick retries after 50, 200
   * and 800 ms; then 10 attempts, from 1 s doubling up to 256 s (up to 5 minutes with more
   * attempts), with full jitter; deferred events looked for every 500 ms and claimed for 5 minutes;
   * up to 20 deliveries in a transaction whose handlers take 5 ms together; 3 deaths of the process
   * with an event that was handled alone: immediately, 30 s and 60 s after the start.
   *
   * @return settings
   */
  public static InboxSettings ofDefaults() {
    return new InboxSettings(
        8,
        4_000,
        64L << 20,
        RetryPolicy.builder()
            .exponential(Duration.ofMillis(50), 4, Duration.ofSeconds(1))
            .attemptLimit(4)
            .build(),
        RetryPolicy.builder()
            .exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(5))
            .attemptLimit(10)
            .build(),
        new Backoff.Exponential(Duration.ofMillis(100), 2, Duration.ofSeconds(5)),
        new Backoff.Exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(1)),
        new Deferred(Duration.ofMillis(500), 64, Duration.ofMinutes(5)),
        new Shared(20, Duration.ofMillis(5)),
        new Alone(3, Duration.ofSeconds(30)));
  }

  /**
   * The same with other workers.
   *
   * @param number at least 1
   * @return changed copy
   */
  public InboxSettings workers(int number) {
    return with(draft -> draft.workers = number);
  }

  /**
   * The same with other bounds on deliveries in memory.
   *
   * @param events at least 1
   * @param bytes at least 1
   * @return changed copy
   */
  public InboxSettings memory(int events, long bytes) {
    return with(
        draft -> {
          draft.maxEvents = events;
          draft.maxBytes = bytes;
        });
  }

  /**
   * The same with other retries.
   *
   * @param inPlace tries in place
   * @param later tries after those
   * @return changed copy
   */
  public InboxSettings retries(RetryPolicy inPlace, RetryPolicy later) {
    return with(
        draft -> {
          draft.quickRetries = inPlace;
          draft.retries = later;
        });
  }

  /**
   * The same with other pauses while the database or the dead letters fail.
   *
   * @param store pauses of the database
   * @param deadLetters pauses of dead letters
   * @return changed copy
   */
  public InboxSettings pauses(Backoff store, Backoff deadLetters) {
    return with(
        draft -> {
          draft.storeBackoff = store;
          draft.deadLetterBackoff = deadLetters;
        });
  }

  /**
   * The same with another way of fetching deferred events.
   *
   * @param how the way
   * @return changed copy
   */
  public InboxSettings deferred(Deferred how) {
    return with(draft -> draft.deferred = how);
  }

  /**
   * The same with another way of sharing transactions.
   *
   * @param how the way
   * @return changed copy
   */
  public InboxSettings shared(Shared how) {
    return with(draft -> draft.shared = how);
  }

  /**
   * The same with another way of handling events that were in progress when a process died.
   *
   * @param how the way
   * @return changed copy
   */
  public InboxSettings alone(Alone how) {
    return with(draft -> draft.alone = how);
  }

  private InboxSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.sealed();
  }

  /** All of it, to be changed before it is made anew. */
  private static final class Draft {
    private int workers;
    private int maxEvents;
    private long maxBytes;
    private RetryPolicy quickRetries;
    private RetryPolicy retries;
    private Backoff storeBackoff;
    private Backoff deadLetterBackoff;
    private Deferred deferred;
    private Shared shared;
    private Alone alone;

    Draft(InboxSettings from) {
      workers = from.workers;
      maxEvents = from.maxEvents;
      maxBytes = from.maxBytes;
      quickRetries = from.quickRetries;
      retries = from.retries;
      storeBackoff = from.storeBackoff;
      deadLetterBackoff = from.deadLetterBackoff;
      deferred = from.deferred;
      shared = from.shared;
      alone = from.alone;
    }

    InboxSettings sealed() {
      return new InboxSettings(
          workers,
          maxEvents,
          maxBytes,
          quickRetries,
          retries,
          storeBackoff,
          deadLetterBackoff,
          deferred,
          shared,
          alone);
    }
  }

  /**
   * The longest time between the first and the last try of an event, without the time that the
   * tries take. A deferred copy may wait that long.
   *
   * @return the sum of the longest pauses
   */
  public Duration longestRetry() {
    return longest(quickRetries).plus(longest(retries));
  }

  private static Duration longest(RetryPolicy policy) {
    if (policy.attemptLimit() == RetryPolicy.UNLIMITED) {
      return Duration.ZERO;
    }
    Duration sum = Duration.ZERO;
    for (int failures = 1; failures < policy.attemptLimit(); failures++) {
      sum = sum.plusMillis(policy.backoff().delayMillis(failures, -1L));
    }
    return sum;
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
    }
  }
}
