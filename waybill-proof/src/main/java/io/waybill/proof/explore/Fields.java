package io.waybill.proof.explore;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The fields of the engine's classes, and what the numbers in them mean. */
final class Fields {
  /** What a {@code long} is. */
  enum Meaning {
    /** A number like any other. */
    PLAIN,
    /** A time that is waited for: all that have come are alike. */
    DUE,
    /** A time in the past: all that are long ago are alike. */
    PAST,
    /** The number of a send. */
    SEND,
    /** The number of a timer. */
    TIMER,
    /** The number of a settlement. */
    SETTLEMENT,
    /** A number of definite answers: whether there were any since. */
    ANSWERS,
    /** Counts on from the numbers above, or is only told to listeners. */
    NOTHING
  }

  record Known(Field field, Meaning meaning) {
    Object of(Object owner) {
      try {
        return field.get(owner);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("no access to " + field, e);
      }
    }

    long number(Object owner) {
      try {
        return field.getLong(owner);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("no access to " + field, e);
      }
    }
  }

  private static final Map<String, Meaning> LONGS =
      Map.ofEntries(
          Map.entry("SettlementScheduler.id", Meaning.NOTHING),
          // So few rows wait here that settlements of any length take them all.
          Map.entry("SettlementScheduler.begunAt", Meaning.NOTHING),
          Map.entry("Late.since", Meaning.PAST),
          Map.entry("Late.at", Meaning.DUE),
          Map.entry("Late.tellAt", Meaning.NOTHING),
          Map.entry("Looks.maxAge", Meaning.PLAIN),
          // Nobody changes rows by hand here: when the engine looks again makes no difference.
          Map.entry("Looks.nextRound", Meaning.NOTHING),
          Map.entry("Entry.seenNanos", Meaning.NOTHING),
          Map.entry("RowRef.createdAtMicros", Meaning.PLAIN),
          Map.entry("Look.maxBytes", Meaning.PLAIN),
          Map.entry("EngineState.now", Meaning.NOTHING),
          Map.entry("EngineState.leaseUntil", Meaning.DUE),
          Map.entry("EngineState.quietAt", Meaning.DUE),
          Map.entry("EngineState.sendNeedsNanos", Meaning.PLAIN),
          Map.entry("ReadScheduler.controlAt", Meaning.DUE),
          Map.entry("ReadScheduler.controlInterval", Meaning.PLAIN),
          Map.entry("PollSchedule.first", Meaning.PAST),
          Map.entry("PollSchedule.lastRows", Meaning.PAST),
          Map.entry("PollSchedule.lastRead", Meaning.PAST),
          Map.entry("PollSchedule.nextRead", Meaning.DUE),
          Map.entry("LaneMembership.renewAt", Meaning.DUE),
          Map.entry("LaneMembership.viewAt", Meaning.DUE),
          Map.entry("LaneMembership.joinAt", Meaning.DUE),
          Map.entry("LaneMembership.oftenUntil", Meaning.DUE),
          Map.entry("LaneMembership.handOverAt", Meaning.DUE),
          Map.entry("Channel.retryAt", Meaning.DUE),
          Map.entry("Channel.pauseNanos", Meaning.PLAIN),
          Map.entry("Breaker.pauseNanos", Meaning.PLAIN),
          Map.entry("Breaker.reopensAt", Meaning.DUE),
          Map.entry("Breaker.refusesSince", Meaning.PAST),
          Map.entry("KeyQueue.refusedSince", Meaning.PAST),
          Map.entry("Breaker.answersAtFailure", Meaning.ANSWERS),
          Map.entry("Destinations.answers", Meaning.NOTHING),
          // Follows from the breakers'.
          Map.entry("Destinations.nextDue", Meaning.NOTHING),
          Map.entry("RetryTimers.sequence", Meaning.NOTHING),
          Map.entry("Timer.due", Meaning.DUE),
          Map.entry("Timer.sequence", Meaning.TIMER),
          Map.entry("KeyQueue.timer", Meaning.TIMER),
          Map.entry("KeyQueue.held", Meaning.PLAIN),
          Map.entry("KeyQueue.newest", Meaning.PLAIN),
          Map.entry("KeyQueue.newestUnsettled", Meaning.PLAIN),
          Map.entry("RestingLane.firstMicros", Meaning.PLAIN),
          Map.entry("SettleBuffer.since", Meaning.PAST),
          // A note changes no row's standing: when the engine notes one, and since when it says
          // that the row waits, makes no difference.
          Map.entry("Notes.nextRound", Meaning.NOTHING),
          Map.entry("Noted.at", Meaning.NOTHING),
          Map.entry("Breaker.since", Meaning.NOTHING),
          Map.entry("Entry.unconfirmedSince", Meaning.NOTHING),
          Map.entry("EngineState.publisherDownSince", Meaning.NOTHING),
          Map.entry("EngineState.databaseAheadNanos", Meaning.NOTHING),
          // Follows from the timers'.
          Map.entry("KeyQueue.timerDue", Meaning.NOTHING),
          Map.entry("Entry.readNanos", Meaning.NOTHING),
          Map.entry("Entry.confirmedNanos", Meaning.NOTHING),
          Map.entry("Entry.requestId", Meaning.PLAIN),
          Map.entry("Sender.nextSendId", Meaning.NOTHING),
          Map.entry("Budget.bytes", Meaning.PLAIN),
          Map.entry("Budget.maxBytes", Meaning.PLAIN),
          Map.entry("FailedRow.delayMillis", Meaning.PLAIN),
          Map.entry("HeldKey.rows", Meaning.PLAIN),
          Map.entry("LaneView.quietMillis", Meaning.PLAIN),
          Map.entry("Session.fence", Meaning.PLAIN),
          Map.entry("Session.joinedMicros", Meaning.PLAIN),
          Map.entry("Session.renewals", Meaning.NOTHING),
          Map.entry("Settle.id", Meaning.SETTLEMENT),
          Map.entry("Read.maxBytes", Meaning.PLAIN),
          Map.entry("Read.watchNanos", Meaning.PLAIN),
          Map.entry("Read.pauseNanos", Meaning.PLAIN),
          Map.entry("ReadHeld.maxBytes", Meaning.PLAIN));

  /** What tables are to show of rows that wait and of destinations: nothing depends on it. */
  private static final Set<String> SHOWN =
      Set.of("Settlement.noted", "SettleBuffer.noted", "Notes.noted", "RelayReport.failing");

  private static final Map<Class<?>, List<Known>> KNOWN = new ConcurrentHashMap<>();

  private Fields() {}

  static List<Known> of(Class<?> type) {
    return KNOWN.computeIfAbsent(type, Fields::find);
  }

  static Known named(Class<?> type, String name) {
    return of(type).stream()
        .filter(known -> known.field().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no field " + name + " in " + type));
  }

  private static List<Known> find(Class<?> type) {
    List<Known> known = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !SHOWN.contains(name(field))) {
        field.setAccessible(true);
        known.add(new Known(field, meaning(field)));
      }
    }
    return known;
  }

  private static String name(Field field) {
    return field.getDeclaringClass().getSimpleName() + "." + field.getName();
  }

  /** A field that nobody has thought about must not be compared wrongly. */
  private static Meaning meaning(Field field) {
    if (field.getType() != long.class) {
      return Meaning.PLAIN;
    }
    String name = name(field);
    Meaning meaning = LONGS.get(name);
    if (meaning == null) {
      throw new IllegalStateException("what does " + name + " mean? Say it in " + Fields.class);
    }
    return meaning;
  }
}
