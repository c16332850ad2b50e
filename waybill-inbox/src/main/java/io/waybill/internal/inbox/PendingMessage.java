package io.waybill.internal.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.DeadLetterForm;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.inbox.attempt.Origin;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.inbox.attempt.Task;
import io.waybill.message.Header;
import io.waybill.message.ReceivedEvent;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message in memory, from its arrival until it is acknowledged, given back or dropped. */
final class PendingMessage {
  // Objects, references and map entries around one delivery.
  private static final int OVERHEAD_BYTES = 600;

  /** Where it is. */
  enum Place {
    /** In its line. */
    QUEUED,
    /** With a worker. */
    WORKING,
    /** Waits for a time; its line waits for it. */
    TIMER,
    /** Waits for its dead letter; its line waits for it. */
    DEAD_LETTER
  }

  /** What a worker is to do with it next. */
  enum Todo {
    HANDLE,
    DEFER,
    BURY
  }

  final @Nullable Delivery delivery;
  final @Nullable DeferredEvent deferred;
  final @Nullable Task task;
  final InboxEvent.About about;
  final Plan plan;
  final int bytes;
  final long since;
  final @Nullable Lane lane;
  final KeyQueue line;
  Place place = Place.QUEUED;
  Todo todo = Todo.HANDLE;
  int tries;
  // Those that have failed since it could have been deferred, or was.
  int attempts;
  // How often the database has refused what is to be written of it.
  int refusals;
  // Whether it goes back to its table only because the database has refused it.
  boolean leaves;
  boolean suspect;
  // A start of it is on record whose end is not, though the process lives.
  boolean open;
  // Starts without an end from before: it is handled while nothing else is.
  int openStarts;
  // It has transactions of its own.
  boolean alone;
  // While it waits for a time: the number of its timer.
  long timer;
  // What is written when it is deferred.
  @Nullable DeferredEvent deferral;
  String deadReason = "";
  String error = "";
  int letterTries;
  // That of its next letter: a broker may refuse the usual one for its size.
  DeadLetterForm letterForm = DeadLetterForm.JSON;
  String rejection = "";
  // Why it can't be finished, and since when; empty if nothing is known to keep it.
  String hindrance = "";
  long hinderedSince;
  // While it waits for a time: whether its letter is sent then.
  boolean letterWaits;
  // While a dead letter of it is under way: its send.
  long sendId;

  private PendingMessage(
      @Nullable Delivery delivery,
      @Nullable DeferredEvent deferred,
      Meaning meaning,
      @Nullable Lane lane,
      KeyQueue line,
      long since) {
    this.delivery = delivery;
    this.deferred = deferred;
    this.task = meaning.task;
    this.about = meaning.about;
    this.plan = meaning.plan;
    this.lane = lane;
    this.line = line;
    this.since = since;
    this.bytes = delivery == null ? 0 : bytes(delivery);
    this.attempts = deferred == null ? 0 : deferred.attempts();
  }

  /** What a message says, if it says something. */
  record Meaning(@Nullable Task task, InboxEvent.About about, Plan plan) {
    static Meaning of(Delivery delivery, Decoded decoded, Plan plan) {
      ReceivedEvent event = event(decoded);
      if (event == null) {
        return new Meaning(null, new InboxEvent.About("", "", delivery.source(), null), plan);
      }
      DedupeKey dedupeKey =
          new DedupeKey(dedupeId(event), event.type(), delivery.source(), delivery.key());
      return new Meaning(
          new Task(dedupeKey, event, plan, delivery, null), about(dedupeKey, event), plan);
    }

    static Meaning of(DeferredEvent deferred, Decoded decoded, Plan plan) {
      ReceivedEvent event = event(decoded);
      DedupeKey dedupeKey = deferred.dedupeKey();
      return new Meaning(
          new Task(dedupeKey, event, plan, null, deferred), about(dedupeKey, event), plan);
    }

    private static @Nullable ReceivedEvent event(Decoded decoded) {
      return decoded instanceof Decoded.Event event ? event.event() : null;
    }

    private static InboxEvent.About about(DedupeKey dedupeKey, @Nullable ReceivedEvent event) {
      return new InboxEvent.About(
          dedupeKey.eventId(),
          dedupeKey.eventType(),
          dedupeKey.source(),
          event == null ? null : event.traceId());
    }

    /**
     * What an operator sent again is another event than the one that was given up. No id of a
     * producer has a blank.
     */
    private static String dedupeId(ReceivedEvent event) {
      return event.redriven() == 0 ? event.id() : event.id() + " " + event.redriven();
    }
  }

  static PendingMessage of(
      Delivery delivery, Meaning meaning, Lane lane, KeyQueue line, long since) {
    PendingMessage message = new PendingMessage(delivery, null, meaning, lane, line, since);
    message.suspect = delivery.redelivered() && meaning.plan instanceof Plan.Handle;
    return message;
  }

  static PendingMessage of(DeferredEvent deferred, Meaning meaning, KeyQueue line, long since) {
    PendingMessage message = new PendingMessage(null, deferred, meaning, null, line, since);
    boolean handled = !message.isGivenUp() && meaning.plan instanceof Plan.Handle;
    message.suspect = deferred.redelivered() && handled;
    return message;
  }

  /** What it was told of a start of it, if those are noted. */
  void left(boolean start) {
    open = suspect && start;
  }

  /** Its place is in its line. */
  void queued() {
    place = Place.QUEUED;
  }

  /** It waits for a time; this timer ends that. */
  void waits(long number) {
    place = Place.TIMER;
    timer = number;
  }

  /** No timer ends its waiting any more. */
  void waited() {
    timer = 0;
  }

  void giveUp(String reason, String failure) {
    deadReason = reason;
    error = failure;
  }

  /** Its next work is to be written into the table of deferred events. */
  void defer(int failedAttempts, long delayMillis, String failure, @Nullable String dead) {
    deferral = task().put(failedAttempts, delayMillis, failure, dead);
    todo = Todo.DEFER;
  }

  /** Its dead letter goes out. */
  void sent(long letter) {
    place = Place.DEAD_LETTER;
    letterWaits = false;
    sendId = letter;
  }

  boolean isHandledAlone() {
    return openStarts > 0 && todo == Todo.HANDLE;
  }

  void hindered(String why, long now) {
    if (hindrance.isEmpty()) {
      hinderedSince = now;
    }
    hindrance = why;
  }

  Task task() {
    return Objects.requireNonNull(task, "task");
  }

  /** Whether it is on record that it is given up: it waits only for its letter. */
  boolean isGivenUp() {
    return deferred != null && deferred.deadReason() != null;
  }

  /** Whether its lane has left: what becomes of it is somebody else's business. */
  boolean gone() {
    return lane != null && lane.gone;
  }

  DeadLetterEncoder.Original original() {
    ReceivedEvent event = task == null ? null : task.event();
    if (delivery != null) {
      return new DeadLetterEncoder.Original(
          delivery.source(),
          delivery.key(),
          delivery.body(),
          delivery.headers(),
          delivery.timestampMicros(),
          Origin.of(delivery),
          event);
    }
    DeferredEvent from = Objects.requireNonNull(deferred, "deferred");
    return new DeadLetterEncoder.Original(
        from.dedupeKey().source(),
        from.dedupeKey().key(),
        from.body(),
        Origin.without(from.headers()),
        from.timestampMicros(),
        Origin.in(from.headers()),
        event);
  }

  private static int bytes(Delivery delivery) {
    byte[] body = delivery.body();
    int size = OVERHEAD_BYTES + (body == null ? 0 : body.length);
    for (Header header : delivery.headers().list()) {
      size += header.name().length() + header.value().length();
    }
    return size;
  }
}
