package io.waybill.proof.sim.inbox;

import io.waybill.handler.UnknownTypes;
import io.waybill.proof.sim.seed.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What has become of each event for each consumer, and the promises about it. */
final class InboxLedger {
  /** One event, one consumer. */
  static final class Entry {
    final InboxMessage message;
    int effects;
    int letters;
    int tries;
    // How often the process died while it handled this and nothing else.
    int crashesAlone;
    // Starts alone that have not ended, as far as another process can see, though theirs lives:
    // the database did not take the end, or the lane left before it.
    int unnoted;
    // Transactions of it alone that an error, which its handler kept to itself, or a statement
    // rolled back.
    int vanished;
    // How often a statement committed what there was of its effect, its handler not having
    // returned.
    int parts;
    boolean processed;
    boolean deferred;
    // It was given up, and the table did not take that: its letter goes out all the same.
    boolean offTheRecord;
    final boolean ignored;
    // It is for another consumer.
    final boolean foreign;

    Entry(InboxMessage message, boolean ignored, boolean foreign) {
      this.message = message;
      this.ignored = ignored;
      this.foreign = foreign;
    }

    boolean settled() {
      return effects > 0 || letters > 0 || ignored;
    }

    boolean isDeadAndApplied() {
      return effects > 0 && letters > 0 && !offTheRecord;
    }
  }

  /** What the database says of an event, and how many letters are out. */
  record State(int effects, int letters, boolean processed, boolean deferred) {}

  private record Key(String consumer, int number) {}

  private final InboxSwarm swarm;
  private final Map<Key, Entry> entries = new HashMap<>();

  InboxLedger(InboxSwarm swarm) {
    this.swarm = swarm;
  }

  Map<Entry, State> states() {
    Map<Entry, State> states = new HashMap<>();
    for (Entry e : entries.values()) {
      states.put(e, new State(e.effects, e.letters, e.processed, e.deferred));
    }
    return states;
  }

  /**
   * What has happened since has not. Dead letters that are out stay there, and nothing tells of
   * them.
   */
  void restore(Map<Entry, State> states, BiConsumer<Entry, State> lost) {
    for (Entry entry : entries.values()) {
      State state = states.getOrDefault(entry, new State(0, 0, false, false));
      lost.accept(entry, state);
      entry.offTheRecord |= entry.letters > state.letters;
      entry.effects = state.effects;
      entry.processed = state.processed;
      entry.deferred = state.deferred;
    }
  }

  /** Starts whose ends are lost. */
  void opened(String consumer, InboxMessage message, int starts) {
    entry(consumer, message).unnoted += starts;
  }

  Entry entry(String consumer, InboxMessage message) {
    return entries.computeIfAbsent(
        new Key(consumer, message.number), k -> entry(message, message.isForAnother(consumer)));
  }

  /** Whoever has a copy of its own passes over what is for another. */
  private Entry entry(InboxMessage message, boolean foreign) {
    return new Entry(message, foreign ? !swarm.alone : isIgnored(message), foreign);
  }

  private boolean isIgnored(InboxMessage message) {
    return message.kind == InboxMessage.Kind.UNKNOWN_TYPE
        && swarm.unknownTypes == UnknownTypes.IGNORE;
  }

  /** An effect has been committed. */
  void applied(String consumer, InboxMessage message) {
    Entry entry = entry(consumer, message);
    entry.effects++;
    if (entry.foreign) {
      throw new Violation("what is for another", consumer + " applied " + message);
    }
    if (entry.effects > 1) {
      throw new Violation("every effect once", consumer + " applied again: " + message);
    }
    if (entry.processed) {
      throw new Violation("dead or applied", consumer + " applied a dead event: " + message);
    }
    checkOutcome(consumer, entry);
    InboxMessage original = message.original;
    if (original != null) {
      Entry first = entry(consumer, original);
      if (first.effects > 0 && !first.offTheRecord) {
        throw new Violation(
            "every effect once", consumer + " applied " + message + " and original");
      }
    }
    checkBefore(consumer, message);
  }

  /**
   * A statement of a handler has committed a part of an effect.
   *
   * @param own whether it is the event's own handler that ran it
   * @return how often that has happened to the event
   */
  int applyPart(String consumer, InboxMessage message, boolean own) {
    Entry entry = entry(consumer, message);
    entry.parts++;
    if (!own && swarm.statements.seen()) {
      throw new Violation(
          "a statement that commits concerns its own event",
          consumer + " applied a part of " + message);
    }
    return entry.parts;
  }

  private static void checkOutcome(String consumer, Entry entry) {
    if (entry.isDeadAndApplied()) {
      throw new Violation("dead or applied", consumer + ": " + entry.message + " is both");
    }
  }

  private void checkBefore(String consumer, InboxMessage message) {
    for (InboxMessage m = message.before; m != null; m = m.before) {
      if (!entry(consumer, m).settled()) {
        throw new Violation("order of a key", consumer + " applied " + message + " before " + m);
      }
    }
  }

  /** A letter has been stored. */
  void letter(String consumer, InboxMessage message) {
    Entry entry = entry(consumer, message);
    entry.letters++;
    checkOutcome(consumer, entry);
  }

  /** An event has been noted as processed. */
  void noted(String consumer, InboxMessage message) {
    Entry entry = entry(consumer, message);
    entry.processed = true;
    if (!entry.settled()) {
      throw new Violation(
          "noted only with effect or letter", consumer + " noted " + message + " for nothing");
    }
  }

  /** An event has been deferred, or behind another one. */
  void deferred(String consumer, InboxMessage message) {
    Entry entry = entry(consumer, message);
    entry.deferred = true;
    if (entry.foreign && entry.ignored) {
      throw new Violation("what is for another", consumer + " deferred " + message);
    }
  }

  /** A deferred event has been removed. */
  void removed(String consumer, InboxMessage message) {
    if (!entry(consumer, message).settled()) {
      throw new Violation(
          "nothing is lost", consumer + " removed " + message + " from its deferred events");
    }
  }

  /** An acknowledgement has been asked for. */
  void acknowledged(String consumer, InboxMessage message) {
    Entry entry = entry(consumer, message);
    boolean letter = message.kind == InboxMessage.Kind.UNDECODABLE && entry.letters > 0;
    if (!entry.processed && !entry.deferred && !entry.ignored && !letter) {
      throw new Violation("acknowledged after the commit", consumer + " acknowledged " + message);
    }
  }

  /** It has been there for long enough, whatever is wrong with others. */
  void checkDone(String consumer, InboxMessage message) {
    if (!entry(consumer, message).settled()) {
      throw new Violation("other keys go on", consumer + " has not done with " + message);
    }
  }

  /** Why a dead event had to die, or that it had not to. */
  @Nullable String verdict(Entry entry, String reason) {
    InboxMessage.Kind kind = entry.message.kind;
    if (reason.equals("killed-the-process")) {
      int limit = swarm.settings.alone().limit();
      return entry.crashesAlone + entry.unnoted >= limit ? null : "killed nothing alone";
    }
    if (reason.equals("redriven-for-another")) {
      return entry.foreign && swarm.alone ? null : "is its own, or another has a copy";
    }
    boolean gaveUp = reason.equals("attempts-exhausted") || reason.equals("permanent-failure");
    if (gaveUp && entry.vanished > 0) {
      return null;
    }
    boolean mayDie =
        switch (kind) {
          case FINE, SLOW, KILLER -> false;
          case FLAKY, HANGING -> reason.equals("attempts-exhausted");
          default -> true;
        };
    return mayDie ? null : "had not failed";
  }
}
