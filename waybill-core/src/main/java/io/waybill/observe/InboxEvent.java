package io.waybill.observe;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an {@link InboxListener} is told. No event carries a payload. Times are elapsed times. */
public sealed interface InboxEvent {
  /**
   * Which event something is about.
   *
   * @param eventId event id; empty for a message that is no event
   * @param eventType event type; empty for a message that is no event
   * @param source topic or queue
   * @param traceId as {@link io.waybill.message.ReceivedEvent#traceId()} says, or null
   */
  record About(String eventId, String eventType, String source, @Nullable String traceId) {}

  /** Something about one event. */
  sealed interface OfEvent extends InboxEvent {
    /**
     * Which event.
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
   * The inbox has stopped by itself: nothing is being handled.
   *
   * @param inbox its name
   */
  record Stopped(String inbox) implements InboxEvent {}

  /**
   * An event has been handled, and the transaction is committed.
   *
   * @param about which event
   * @param handlerMicros duration of its transaction, the handler included, in microseconds; that
   *     of several events is divided by them
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
   * An event was acknowledged unseen: it is of a type without handler and the policy says so.
   *
   * @param about which event
   */
  record Ignored(About about) implements OfEvent {}

  /**
   * An event was acknowledged unseen: an operator sent it again for another consumer. If no inbox
   * of that name reads its source, nobody applies it.
   *
   * @param about which event
   * @param consumer for whom it was sent again
   */
  record PassedOver(About about, String consumer) implements OfEvent {}

  /**
   * A handler failed in a way that may pass, and is called again while the event's key waits.
   *
   * @param about which event
   * @param failure class and message of the failure
   * @param delayMillis time until then, milliseconds
   */
  record Retried(About about, String failure, long delayMillis) implements OfEvent {}

  /**
   * An event was under way when a process died, so it is handled while the inbox handles nothing
   * else: the one that killed the process is found that way, and the others are done with.
   *
   * @param about which event
   * @param starts how often it was under way when a process died
   * @param delayMillis time until then, milliseconds
   */
  record Isolated(About about, int starts, long delayMillis) implements OfEvent {}

  /**
   * An event was put into the table of deferred events, or stays there for another time.
   *
   * @param about which event
   * @param attempts attempts that have failed; 0 if it only waits behind another one of its key
   * @param failure class and message of the last failure, empty if there is none
   * @param delayMillis time until the next attempt, milliseconds
   */
  record Deferred(About about, int attempts, String failure, long delayMillis) implements OfEvent {}

  /**
   * An event was given up: its dead letter is confirmed, and it counts as processed.
   *
   * @param about which event
   * @param reason short machine-readable class
   * @param failure class and message of the last failure
   */
  record DeadLettered(About about, String reason, String failure) implements OfEvent {}

  /**
   * A dead letter was not confirmed: the original stays, its key waits, and the letter is sent
   * again.
   *
   * @param about which event
   * @param reason why it was not confirmed
   * @param delayMillis time until it is sent again, milliseconds
   */
  record DeadLetterFailed(About about, String reason, long delayMillis) implements OfEvent {}

  /**
   * A dead letter is confirmed that has not the body of its original: the broker rejects it with
   * the body. The body lies in its topic alone, for as long as that keeps it.
   *
   * @param about which event
   * @param place where the original lies, as {@code orders-3@15}
   * @param bytes length of its body
   * @param reason why the letter was rejected that had it
   */
  record LetterWithoutBody(About about, String place, int bytes, String reason)
      implements OfEvent {}

  /**
   * A message can't be finished for twice the handler's time limit: its key waits. If it is still
   * with the broker, on Kafka its partition stops once its window is full of what came after it; if
   * it lies in the table of deferred events, nothing but its key waits. Told of each lane's and of
   * the table's longest.
   *
   * @param place where it is: its lane and offset, or the table of deferred events
   * @param about which event
   * @param reason one sentence for an operator, without data
   * @param time since when that is so
   */
  record MessageStuck(String place, About about, String reason, Duration time) implements OfEvent {}

  /**
   * The database refused values of an event, which are too large for it, say. Other events do not
   * suffer from that. The event stays where it is and its key waits; one that can't be put off has
   * the attempts that it would have had then.
   *
   * @param about which event
   * @param reason one sentence for an operator, without data
   * @param delayMillis time until it is tried again, milliseconds; deferred events of its key go
   *     before that
   */
  record Refused(About about, String reason, long delayMillis) implements OfEvent {}

  /**
   * A lane was stopped by an event without handler, as the policy says; it stays stopped until the
   * lane is assigned anew.
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
   * @param lost whether they were gone already
   * @param running events of theirs that were being handled
   */
  record Revoked(Set<String> lanes, boolean lost, int running) implements InboxEvent {}

  /**
   * The database failed; nothing is handled until a try succeeds.
   *
   * @param reason one sentence for an operator, without data and secrets
   * @param transientFailure whether trying again can help without anybody mending anything
   * @param delayMillis time until the next try, milliseconds
   */
  record StoreFailed(String reason, boolean transientFailure, long delayMillis)
      implements InboxEvent {}

  /** The database answers again. */
  record StoreRecovered() implements InboxEvent {}

  /**
   * The database is another server than before, or was set back: it may lack what was committed and
   * acknowledged last.
   *
   * @param from on which server, and point of its history, the inbox stood
   * @param to on which it stands now; the same if that was set back
   * @param readAgain positions by lane from which is read again; without effect for what the
   *     database has
   * @param remembered number of acknowledged events, 20,000 at most, that this process remembers
   * @param lost ids of those of them that are not in the database, the last one first
   * @param again whether what is lost comes again
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
   * The broker keeps messages, and so may deliver them again, for longer than what was processed is
   * remembered: a copy that comes after that is applied again. Told once, after the broker was
   * reached and has answered.
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
   * A handler did not end in time and did not heed its interruption; its thread is left behind. It
   * is replaced as long as fewer than two for each worker are.
   *
   * @param thread name of the thread that was left behind
   * @param eventType type of the event that it handles
   */
  record HandlerStuck(String thread, String eventType) implements InboxEvent {}

  /**
   * How many threads were left behind in handlers that do not come back. Told about once a second.
   *
   * @param stuck threads that are left behind and still alive, each maybe with its connection;
   *     never more than two for each worker
   * @param workersMissing workers that were not replaced, for as many as may be are left behind
   */
  record Threads(int stuck, int workersMissing) implements InboxEvent {}

  /**
   * Events processed long ago were forgotten.
   *
   * @param rows rows deleted
   */
  record Swept(int rows) implements InboxEvent {}

  /**
   * How far lanes are behind their ends. Told about once a second where the broker says it.
   *
   * @param lanes messages not yet delivered by lane
   */
  record Lag(Map<String, Long> lanes) implements InboxEvent {}

  /**
   * How long the oldest message of each lane is in memory: from its delivery, and zero where
   * nothing is. Told about once a second.
   *
   * @param lanes ages by lane
   */
  record Open(Map<String, Duration> lanes) implements InboxEvent {}

  /**
   * How many events wait in the table of deferred events, due or not. Told about every 15 seconds.
   *
   * @param events their number, for the consumer with all its processes
   */
  record Waiting(long events) implements InboxEvent {}

  /**
   * How much is going on. Told about once a second.
   *
   * @param events deliveries in memory
   * @param bytes what they cost
   * @param running transactions under way
   * @param lanes lanes assigned
   * @param lanesHeld lanes that deliver nothing for now, to bound the memory
   * @param lanesStopped lanes stopped by an event without handler
   */
  record Gauges(int events, long bytes, int running, int lanes, int lanesHeld, int lanesStopped)
      implements InboxEvent {}
}
