package io.waybill.observe;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event that an {@link InboxListener} receives. No event carries a payload. Times are elapsed
 * times.
 */
public sealed interface InboxEvent {
  /**
   * Identifies an event.
   *
   * @param eventId event id; empty for a message that is no event
   * @param eventType event type; empty for a message that is no event
   * @param source topic or queue
   * @param traceId as {@link io.waybill.message.ReceivedEvent#traceId()} says, or null
   */
  record About(String eventId, String eventType, String source, @Nullable String traceId) {}

  /** An {@code InboxEvent} about one event. */
  sealed interface OfEvent extends InboxEvent {
    /**
     * Identifies the event.
     *
     * @return the event
     */
    About about();
  }

  /**
   * The inbox has started.
   *
   * @param inbox its name
   */
  record Started(String inbox) implements InboxEvent {}

  /**
   * The inbox has stopped by itself: no handler is running.
   *
   * @param inbox its name
   */
  record Stopped(String inbox) implements InboxEvent {}

  /**
   * An event has been handled, and the transaction is committed.
   *
   * @param about which event
   * @param handlerMicros duration of its transaction, the handler included, in microseconds; for
   *     several events, divided by their number
   * @param waitMicros time between its delivery and the end of the transaction, microseconds
   */
  record Handled(About about, long handlerMicros, long waitMicros) implements OfEvent {}

  /**
   * A copy of a processed event was dropped.
   *
   * @param about which event
   * @param age time since the first copy was processed, by the database's clock
   */
  record Duplicate(About about, Duration age) implements OfEvent {}

  /**
   * An event was acknowledged unseen: its type has no handler, and the policy says so.
   *
   * @param about which event
   */
  record Ignored(About about) implements OfEvent {}

  /**
   * An event was acknowledged unseen: an operator sent it again for another consumer. If no inbox
   * of that name reads its source, the event is not applied.
   *
   * @param about which event
   * @param consumer consumer for which it was sent again
   */
  record PassedOver(About about, String consumer) implements OfEvent {}

  /**
   * A handler failed temporarily and is called again, while the event's key waits.
   *
   * @param about which event
   * @param failure class and message of the failure
   * @param delayMillis time until then, milliseconds
   */
  record Retried(About about, String failure, long delayMillis) implements OfEvent {}

  /**
   * An event was in progress when a process died; it is handled again while the inbox handles
   * nothing else. This finds the event that killed the process and completes the others.
   *
   * @param about which event
   * @param starts how often it was in progress when a process died
   * @param delayMillis time until then, milliseconds
   */
  record Isolated(About about, int starts, long delayMillis) implements OfEvent {}

  /**
   * An event was put into the table of deferred events, or stays there for a later try.
   *
   * @param about which event
   * @param attempts attempts that have failed; 0 if it only waits behind another one of its key
   * @param failure class and message of the last failure, empty if there is none
   * @param delayMillis time until the next attempt, milliseconds
   */
  record Deferred(About about, int attempts, String failure, long delayMillis) implements OfEvent {}

  /**
   * An event is dead: its dead letter is confirmed, and it counts as processed.
   *
   * @param about which event
   * @param reason short machine-readable class
   * @param failure class and message of the last failure
   */
  record DeadLettered(About about, String reason, String failure) implements OfEvent {}

  /**
   * A dead letter was not confirmed: the original stays, its key waits, and the dead letter is sent
   * again.
   *
   * @param about which event
   * @param reason why it was not confirmed
   * @param delayMillis time until it is sent again, milliseconds
   */
  record DeadLetterFailed(About about, String reason, long delayMillis) implements OfEvent {}

  /**
   * A dead letter without the body of its original is confirmed, since the broker rejects it with
   * the body. Only the original topic still has the body, for as long as it keeps it.
   *
   * @param about which event
   * @param place position of the original, as {@code orders-3@15}
   * @param bytes length of its body
   * @param reason why the broker rejected the dead letter with the body
   */
  record DeadLetterWithoutBody(About about, String place, int bytes, String reason)
      implements OfEvent {}

  /**
   * A message has been unfinished for twice the handler's time limit, and its key waits. If it is
   * still with the broker, on Kafka its partition stops once its window is full of later messages.
   * If it is in the table of deferred events, only its key waits. Emitted for the longest of each
   * lane and of the table.
   *
   * @param place where it is: its lane and offset, or the table of deferred events
   * @param about which event
   * @param reason one sentence for an operator, without data
   * @param time how long that has been the case
   */
  record MessageStuck(String place, About about, String reason, Duration time) implements OfEvent {}

  /**
   * The database refused values of an event, for example because they are too large. Other events
   * are not affected. The event stays where it is and its key waits. An event that can't be
   * deferred gets the attempts that it would have had as a deferred event.
   *
   * @param about which event
   * @param reason one sentence for an operator, without data
   * @param delayMillis time until it is tried again, milliseconds; deferred events of its key come
   *     first
   */
  record Refused(About about, String reason, long delayMillis) implements OfEvent {}

  /**
   * An event without a handler has stopped a lane, as the policy says. The lane stays stopped until
   * it is assigned again.
   *
   * @param lane the lane
   * @param about which event
   * @param reason one sentence for an operator
   */
  record LaneStopped(String lane, About about, String reason) implements OfEvent {}

  /**
   * Lanes have left.
   *
   * @param lanes the lanes
   * @param lost whether they had already left
   * @param running number of their events that were being handled
   */
  record Revoked(Set<String> lanes, boolean lost, int running) implements InboxEvent {}

  /**
   * The database failed; nothing is handled until a try succeeds.
   *
   * @param reason one sentence for an operator, without data and secrets
   * @param transientFailure whether trying again can help without anything being fixed
   * @param delayMillis time until the next try, milliseconds
   */
  record StoreFailed(String reason, boolean transientFailure, long delayMillis)
      implements InboxEvent {}

  /** The database answers again. */
  record StoreRecovered() implements InboxEvent {}

  /**
   * The database is a different server than before, or was set back: it may lack the most recent
   * commits and acknowledged events.
   *
   * @param from server, and point of its history, before the change
   * @param to server and point now; the same server if it was set back
   * @param readAgain positions by lane from which the inbox reads again; events that the database
   *     has are not applied again
   * @param remembered number of acknowledged events, 20,000 at most, that this process remembers
   * @param lost ids of remembered events that are not in the database, the last one first
   * @param again whether the lost events are redelivered
   */
  record DatabaseChanged(
      String from,
      String to,
      Map<String, Long> readAgain,
      int remembered,
      List<String> lost,
      boolean again)
      implements InboxEvent {}

  /**
   * The broker delivers nothing.
   *
   * @param reason one sentence for an operator
   */
  record SubscriberUnavailable(String reason) implements InboxEvent {}

  /**
   * The broker keeps messages, and so may deliver them again, for longer than the inbox remembers
   * processed events: a copy that arrives after that is applied again. Emitted once, after the
   * broker has answered.
   *
   * @param source topic or queue
   * @param retention how long it keeps messages at most; {@link
   *     java.time.temporal.ChronoUnit#FOREVER} if without end
   * @param window how long processed events are remembered
   */
  record WindowTooShort(String source, Duration retention, Duration window) implements InboxEvent {}

  /** The broker delivers. */
  record SubscriberAvailable() implements InboxEvent {}

  /**
   * A handler did not end in time and ignored its interruption, and its thread is abandoned. The
   * thread is replaced while fewer than two for each worker are abandoned.
   *
   * @param thread name of the abandoned thread
   * @param eventType type of the event that it handles
   */
  record HandlerStuck(String thread, String eventType) implements InboxEvent {}

  /**
   * The number of threads abandoned in handlers that do not return. Emitted about once a second.
   *
   * @param stuck abandoned threads that are still alive, each possibly with its connection; never
   *     more than two for each worker
   * @param workersMissing workers that were not replaced, since the largest number of threads is
   *     abandoned
   */
  record Threads(int stuck, int workersMissing) implements InboxEvent {}

  /**
   * Records of events processed long ago were deleted.
   *
   * @param rows rows deleted
   */
  record Purged(int rows) implements InboxEvent {}

  /**
   * How far lanes are behind their ends. Emitted about once a second where the broker provides it.
   *
   * @param lanes messages not yet delivered by lane
   */
  record Lag(Map<String, Long> lanes) implements InboxEvent {}

  /**
   * How long the oldest message of each lane has been in memory since its delivery; zero for a lane
   * without messages. Emitted about once a second.
   *
   * @param lanes ages by lane
   */
  record Open(Map<String, Duration> lanes) implements InboxEvent {}

  /**
   * The number of events in the table of deferred events, due or not. Emitted about every 15
   * seconds.
   *
   * @param events their number, for the consumer in all its processes
   */
  record Waiting(long events) implements InboxEvent {}

  /**
   * The current load. Emitted about once a second.
   *
   * @param events deliveries in memory
   * @param bytes memory that they take, bytes
   * @param running transactions in progress
   * @param lanes lanes assigned
   * @param lanesHeld lanes that are paused to bound the memory
   * @param lanesStopped lanes stopped by an event without a handler
   */
  record Gauges(int events, long bytes, int running, int lanes, int lanesHeld, int lanesStopped)
      implements InboxEvent {}
}
