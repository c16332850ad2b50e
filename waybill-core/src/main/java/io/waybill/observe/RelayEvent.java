package io.waybill.observe;

import org.jspecify.annotations.Nullable;

/**
 * An event that a {@link RelayListener} receives. No event carries a payload. Times are elapsed
 * times; destinations are names as in {@link io.waybill.message.Destination#name()}.
 */
public sealed interface RelayEvent {

  /**
   * The relay's threads run.
   *
   * @param relay name of the relay
   */
  record Started(String relay) implements RelayEvent {}

  /**
   * The relay's threads and connections have ended: after a stop, or after a failure of one of its
   * parts that leaves its state in doubt. The next owners of its lanes publish its events in flight
   * again, after its lease.
   *
   * @param relay name of the relay
   * @param failure the failure that ended it, one sentence for an operator; null after a stop
   */
  record Ended(String relay, @Nullable String failure) implements RelayEvent {}

  /**
   * The relay is not running, and is started as soon as the reason is gone.
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
   * The relay ended its membership by itself, with its work settled.
   *
   * @param relay name of the relay
   */
  record Left(String relay) implements RelayEvent {}

  /**
   * The relay was replaced: its session is gone, and the new owners publish its events in flight
   * again. The relay joins again.
   *
   * @param relay name of the relay
   * @param lostRows rows in flight or unsettled at that moment
   */
  record Fenced(String relay, int lostRows) implements RelayEvent {}

  /**
   * The database is not where the relay joined: a different server answers, or the server was set
   * back. {@link Fenced} follows.
   *
   * @param relay name of the relay
   * @param reason one sentence for an operator
   */
  record SessionLost(String relay, String reason) implements RelayEvent {}

  /**
   * The relay found another one dead and fenced it: its lanes go to the relays that live.
   *
   * @param relay name of the dead relay
   * @param fence fence of its session
   * @param lanes number of lanes that it owned
   * @param sessionEnded true if the database had ended its session, false if its lease had ended
   * @param silentMillis time since it was last seen alive, milliseconds
   */
  record TakenOver(String relay, long fence, int lanes, boolean sessionEnded, long silentMillis)
      implements RelayEvent {}

  /**
   * The relay looked up the owners of the lanes. Emitted at each look, whether or not anything
   * changed.
   *
   * @param owned lanes of this relay
   * @param lanes lanes of the outbox
   * @param sessions living relays, this one included, without those that are about to leave
   */
  record LanesViewed(int owned, int lanes, int sessions) implements RelayEvent {}

  /**
   * The lanes of this relay changed.
   *
   * @param owned lanes it owns now
   */
  record LanesChanged(int owned) implements RelayEvent {}

  /**
   * A read returned. Emitted for empty reads as well: they show that the database answers.
   *
   * @param rows rows returned
   * @param bytes their payload bytes
   * @param micros duration of the read in microseconds
   */
  record Read(int rows, long bytes, long micros) implements RelayEvent {}

  /**
   * A read returned events of one key whose order the table does not determine: their order values
   * are equal, and their ids do not grow.
   *
   * @param pairs number of such pairs
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
   * An event is dead; its key continues.
   *
   * @param failure which event, where, and why
   * @param deadLettered whether a copy was confirmed at a dead-letter destination
   */
  record Dead(Failure failure, boolean deadLettered) implements RelayEvent {}

  /**
   * Rows were held behind their blocked key or paused destination.
   *
   * @param rows number of rows
   */
  record Held(int rows) implements RelayEvent {}

  /**
   * A destination's circuit breaker changed, or stays open for a new reason.
   *
   * @param destination the destination; {@code exchange/*} for destinations that share a breaker
   *     because too many have a separate one
   * @param state its state
   * @param reason why: the class of the last failure, or one sentence for an operator
   */
  record BreakerChanged(String destination, BreakerState state, String reason)
      implements RelayEvent {}

  /**
   * A database call failed; the relay repeats it after a pause if the failure is transient.
   *
   * @param operation the call: join, renew, view, read, settle, ...
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
   * The result of an event could not be written for a minute, since its row is locked in the
   * database. The relay tries again, and nothing else waits for it. Emitted once a minute.
   *
   * @param eventId event id; empty if it is no single event's change
   * @param reason one sentence for an operator
   * @param waitedMillis time since the first try, milliseconds
   */
  record Unsettled(String eventId, String reason, long waitedMillis) implements RelayEvent {}

  /**
   * More keys are blocked than the relay keeps in full. It keeps little of the others, and finds
   * their events in the database when they are unblocked. Emitted again each time their number
   * doubles.
   *
   * @param atHand most keys kept in full
   * @param others number of the others
   * @param bytes memory that those take, bytes
   */
  record ManyKeysBlocked(int atHand, int others, long bytes) implements RelayEvent {}

  /**
   * The broker accepts no messages.
   *
   * @param reason one sentence for an operator
   */
  record PublisherUnavailable(String reason) implements RelayEvent {}

  /** The broker accepts messages. */
  record PublisherAvailable() implements RelayEvent {}

  /**
   * The state of the relay, emitted about once a second while it runs.
   *
   * @param inFlightRows rows sent and not yet confirmed
   * @param inFlightBytes bytes of all rows in memory
   * @param unsettledRows rows confirmed and not yet marked
   * @param lanesOwned lanes of this relay
   * @param blockedKeys keys that wait behind a failed or parked event
   * @param restingBytes memory of waiting keys without an event in memory, beyond the first of
   *     them, bytes
   * @param oldestUnpublishedMillis age of the oldest event of the outbox that waits to be
   *     published, milliseconds; 0 if none waits. Events in the relay's memory count immediately,
   *     the rest as the database reported within the last 15 s
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
     * The same, including an event that waits elsewhere.
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
   * Events of the whole outbox that do not flow, emitted about every half minute while the database
   * answers.
   *
   * @param parked events that wait for an operator
   * @param dead dead events
   * @param held events behind a blocked key or a paused destination
   * @param most number at which counting stops: a number that reaches it may be larger
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
   * @param keyed whether it has a key; the events of that key wait behind it
   */
  record Failure(
      String eventId,
      String eventType,
      @Nullable String traceparent,
      String destination,
      int attempts,
      String reason,
      boolean keyed) {}

  /** The state of a destination's circuit breaker. */
  enum BreakerState {
    /** Messages flow. */
    CLOSED,
    /** One message at a time tests whether the destination is back. */
    PROBING,
    /** Nothing is sent; the destination's events wait without using up attempts. */
    OPEN,
    /** An operator paused the destination. */
    PAUSED
  }
}
