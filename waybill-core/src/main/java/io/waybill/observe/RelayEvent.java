package io.waybill.observe;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link RelayListener} is told. No event carries a payload. Times are elapsed times;
 * destinations are names as in {@link io.waybill.message.Destination#name()}.
 */
public sealed interface RelayEvent {

  /**
   * The relay's threads run.
   *
   * @param relay name of the relay
   */
  record Started(String relay) implements RelayEvent {}

  /**
   * The relay's threads and connections have ended: after a stop, or because one of its parts
   * failed in a way that leaves open what it still knows. What it had in flight is published again
   * by the next owners of its lanes, after its lease.
   *
   * @param relay name of the relay
   * @param failure what ended it, one sentence for an operator; null after a stop
   */
  record Ended(String relay, @Nullable String failure) implements RelayEvent {}

  /**
   * The relay does not run, and is started as soon as the reason is gone.
   *
   * @param reason one sentence for an operator
   */
  record Waiting(String reason) implements RelayEvent {}

  /**
   * The relay became a member of the outbox.
   *
   * @param relay name of the relay
   * @param fence fence of its session
   */
  record Joined(String relay, long fence) implements RelayEvent {}

  /**
   * The relay ended its membership by itself, its work settled.
   *
   * @param relay name of the relay
   */
  record Left(String relay) implements RelayEvent {}

  /**
   * The relay was replaced: its session is gone, what it had in flight is published again by the
   * new owners. It joins anew.
   *
   * @param relay name of the relay
   * @param lostRows rows in flight or unsettled at that moment
   */
  record Fenced(String relay, int lostRows) implements RelayEvent {}

  /**
   * The database does not stand where the relay joined: another server answers, or one that was set
   * back. {@link Fenced} follows.
   *
   * @param relay name of the relay
   * @param reason one sentence for an operator
   */
  record SessionLost(String relay, String reason) implements RelayEvent {}

  /**
   * The relay looked who owns which lane. Told at each look, whether or not anything changed.
   *
   * @param owned lanes of this relay
   * @param lanes lanes of the outbox
   * @param sessions living relays, this one included
   */
  record LanesViewed(int owned, int lanes, int sessions) implements RelayEvent {}

  /**
   * The lanes of this relay changed.
   *
   * @param owned lanes it owns now
   */
  record LanesChanged(int owned) implements RelayEvent {}

  /**
   * A read returned. Told for empty reads as well: they show that the database answers.
   *
   * @param rows rows returned
   * @param bytes their payload bytes
   * @param micros duration of the read in microseconds
   */
  record Read(int rows, long bytes, long micros) implements RelayEvent {}

  /**
   * A read returned events of one key whose order the table does not tell: their order values are
   * equal, and their ids do not grow.
   *
   * @param pairs how many times one came after another
   */
  record OrderedByChance(int pairs) implements RelayEvent {}

  /**
   * An event is published: confirmed by the broker and marked in the database.
   *
   * @param eventId event id
   * @param eventType event type
   * @param traceparent W3C trace context of the event, or null
   * @param destination where it went
   * @param creationToReadMicros from the row's creation to its read, microseconds, database clock
   * @param readToConfirmMicros from the read to the broker's confirmation, microseconds
   * @param confirmToMarkMicros from the confirmation to the settled mark, microseconds
   */
  record Published(
      String eventId,
      String eventType,
      @Nullable String traceparent,
      String destination,
      long creationToReadMicros,
      long readToConfirmMicros,
      long confirmToMarkMicros)
      implements RelayEvent {}

  /**
   * An attempt failed and will be repeated.
   *
   * @param failure which event, where, and why
   * @param definite true if the broker refused it, false if the outcome is unknown
   * @param delayMillis time until the next attempt, milliseconds
   */
  record Retried(Failure failure, boolean definite, long delayMillis) implements RelayEvent {}

  /**
   * An event is parked; its key waits for an operator.
   *
   * @param failure which event, where, and why
   */
  record Parked(Failure failure) implements RelayEvent {}

  /**
   * An event is dead; its key goes on.
   *
   * @param failure which event, where, and why
   * @param deadLettered whether a copy was confirmed at a dead-letter destination
   */
  record Dead(Failure failure, boolean deadLettered) implements RelayEvent {}

  /**
   * Rows were put behind their blocked key or paused destination.
   *
   * @param rows number of rows
   */
  record Held(int rows) implements RelayEvent {}

  /**
   * A destination's circuit breaker changed, or stays open for another reason than before.
   *
   * @param destination the destination; {@code exchange/*} for those that share a breaker because
   *     too many have one of their own
   * @param state its state
   * @param reason why: the class of the last failure, or one sentence for an operator
   */
  record BreakerChanged(String destination, BreakerState state, String reason)
      implements RelayEvent {}

  /**
   * A database call failed; it is repeated after a pause if the failure is transient.
   *
   * @param operation what was tried: join, renew, view, read, settle, ...
   * @param reason one sentence for an operator, without data and secrets
   * @param transientFailure whether trying again can help
   */
  record StoreFailed(String operation, String reason, boolean transientFailure)
      implements RelayEvent {}

  /**
   * A database call that failed last time has succeeded.
   *
   * @param operation as in {@link StoreFailed}
   */
  record StoreRecovered(String operation) implements RelayEvent {}

  /**
   * What became of an event has not been written for a minute, since the database does not let go
   * of its row; it is tried again, and nothing else waits for it. Told once a minute.
   *
   * @param eventId event id; empty if it is no single event's change
   * @param reason one sentence for an operator
   * @param waitedMillis time since the first try, milliseconds
   */
  record Unsettled(String eventId, String reason, long waitedMillis) implements RelayEvent {}

  /**
   * More keys are blocked than are kept at hand: of the others the relay keeps little, and finds
   * their events in the database when what blocks them is gone. Told again as they double.
   *
   * @param atHand most keys at hand
   * @param others number of the others
   * @param bytes what those take, bytes
   */
  record ManyKeysBlocked(int atHand, int others, long bytes) implements RelayEvent {}

  /**
   * The broker takes no messages.
   *
   * @param reason one sentence for an operator
   */
  record PublisherUnavailable(String reason) implements RelayEvent {}

  /** The broker takes messages again. */
  record PublisherAvailable() implements RelayEvent {}

  /**
   * Where the relay stands, told about once a second while it runs.
   *
   * @param inFlightRows rows sent and not yet confirmed
   * @param inFlightBytes bytes of all rows in memory
   * @param unsettledRows rows confirmed and not yet marked
   * @param lanesOwned lanes of this relay
   * @param blockedKeys keys that wait behind a failed or parked event
   * @param restingBytes memory of keys that wait for something and have no event in memory, beyond
   *     the first of them, bytes
   * @param oldestUnpublishedMillis age of the oldest event of the outbox that waits to be
   *     published, milliseconds; 0 if none waits. What the relay has in memory is told at once, the
   *     rest as the database said in the last 15 s
   */
  record Gauges(
      int inFlightRows,
      long inFlightBytes,
      int unsettledRows,
      int lanesOwned,
      int blockedKeys,
      long restingBytes,
      long oldestUnpublishedMillis)
      implements RelayEvent {
    /**
     * The same, with an event that waits elsewhere.
     *
     * @param millis its age
     * @return changed copy
     */
    public Gauges orOlder(long millis) {
      return new Gauges(
          inFlightRows,
          inFlightBytes,
          unsettledRows,
          lanesOwned,
          blockedKeys,
          restingBytes,
          Math.max(oldestUnpublishedMillis, millis));
    }
  }

  /**
   * Events of the whole outbox that do not flow, told about every half minute while the database
   * answers.
   *
   * @param parked events that wait for an operator
   * @param dead events given up
   * @param held events behind a blocked key or a paused destination
   * @param most where counting stops: a number that reaches it may be larger
   */
  record Backlog(long parked, long dead, long held, long most) implements RelayEvent {}

  /**
   * A failed event.
   *
   * @param eventId event id
   * @param eventType event type
   * @param traceparent W3C trace context of the event, or null
   * @param destination where it was to go; empty if no route was found
   * @param attempts definite rejections so far
   * @param reason short machine-readable class, for example {@code record-too-large}
   * @param keyed whether it has a key, and with it events that wait behind it
   */
  record Failure(
      String eventId,
      String eventType,
      @Nullable String traceparent,
      String destination,
      int attempts,
      String reason,
      boolean keyed) {}

  /** State of a destination's circuit breaker. */
  enum BreakerState {
    /** Messages flow. */
    CLOSED,
    /** One message at a time tries whether the destination is back. */
    PROBING,
    /** Nothing is sent; the destination's events wait and keep their attempts. */
    OPEN,
    /** An operator paused the destination. */
    PAUSED
  }
}
