package io.waybill.proof.sim.relay;

import io.waybill.internal.store.SeenLocks;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.Session;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The locks of sessions, each on a connection of its relay: it ends early, late, or not at all
 * while nobody tells the server that the relay is gone, and with the server in any case.
 */
final class SimLocks {
  private static final long TAKEN_BACK_NANOS = SeenLocks.TAKEN_BACK_WITHIN.toNanos();

  private final World world;
  // The session whose lock a relay wants, and those that are held.
  private final Map<SimRelay, Session> wanted = new LinkedHashMap<>();
  private final Map<Long, SimRelay> held = new TreeMap<>();
  private final Map<Long, Long> heldSince = new HashMap<>();
  private final Map<Long, Long> freeSince = new HashMap<>();
  // The server's life in which the lock of a session was last held.
  private final Map<Long, Integer> heldIn = new HashMap<>();
  private final Map<String, SeenLocks> seen = new HashMap<>();

  SimLocks(World world) {
    this.world = world;
  }

  void hold(SimRelay relay, Session session) {
    Session before = wanted.put(relay, session);
    if (before != null) {
      free(before.fence());
    }
    takeAfter(world.dice.micros(500, 20_000), relay, session);
  }

  private void takeAfter(long delay, SimRelay relay, Session session) {
    world.time.after(delay, () -> take(relay, session));
  }

  private void take(SimRelay relay, Session session) {
    if (!relay.runs() || !session.equals(wanted.get(relay)) || held.get(session.fence()) == relay) {
      return;
    }
    if (relay.paused() || !world.database.up()) {
      takeAfter(world.dice.millis(10, 60), relay, session);
    } else if (sharesName() && !held.isEmpty()) {
      takeAfter(world.dice.millis(150, 5_000), relay, session);
    } else if (session.history().equals(world.database.history())) {
      world.seen.trace.line(() -> relay.name + " holds the lock of session " + session.fence());
      held.put(session.fence(), relay);
      heldSince.put(session.fence(), world.time.now());
      heldIn.put(session.fence(), world.database.crashes());
    }
  }

  /** Planted relays have one lock for all sessions. */
  private boolean sharesName() {
    return !world.mutation.keeps(Rule.NAMES_LOCKS_BY_SESSION);
  }

  void letGo(SimRelay relay) {
    Session session = wanted.remove(relay);
    if (session != null) {
      free(session.fence());
    }
  }

  private void free(long fence) {
    if (held.remove(fence) == null) {
      return;
    }
    world.seen.trace.line(() -> "the lock of session " + fence + " ends");
    long heldFor = world.time.now() - heldSince.getOrDefault(fence, 0L);
    if (heldFor >= SeenLocks.BETWEEN_LOOKS.toNanos()) {
      freeSince.put(fence, world.time.now());
    } else {
      // One that was held for a moment can be free at each look, and its session be taken over.
      world.disturb();
    }
  }

  /** Fault: the connection with the lock ends. It is taken back in time, as a rule. */
  void endConnection(SimRelay relay) {
    Session session = wanted.get(relay);
    if (session == null || held.get(session.fence()) != relay) {
      return;
    }
    world.seen.fault(Fault.LOCK_ENDED);
    free(session.fence());
    boolean late = world.dice.chance(0.3);
    if (late) {
      world.disturb();
    } else {
      world.seen.rare(RareState.LOCK_TAKEN_BACK);
    }
    takeAfter(late ? world.dice.millis(300, 4_000) : world.dice.millis(1, 300), relay, session);
  }

  /** A process died: the server knows soon, or not before it hears nothing for long. */
  void died(SimRelay relay) {
    Session session = wanted.remove(relay);
    if (session != null && world.dice.chance(0.8)) {
      world.time.after(world.dice.micros(100, 20_000), () -> free(session.fence()));
    }
  }

  /** The server has ended, and all locks with it. */
  void serverEnded() {
    List.copyOf(held.keySet()).forEach(this::free);
    wanted.forEach((relay, session) -> takeAfter(world.dice.millis(1, 1_000), relay, session));
  }

  /** Other sessions that have ended, as the looking relay sees it. */
  List<Long> ended(Session looker, Iterable<Long> sessions) {
    Map<Long, Boolean> locked = new TreeMap<>();
    for (long fence : sessions) {
      if (fence != looker.fence()) {
        locked.put(fence, sharesName() ? !held.isEmpty() : held.containsKey(fence));
      }
    }
    boolean forgets = world.mutation.keeps(Rule.FORGETS_LOCKS_OF_OTHER_SERVERS);
    SeenLocks.Place place = new SeenLocks.Place(forgets ? world.database.crashes() + 1 : 1, 0);
    long now = world.time.now();
    // A planted relay believes the first look.
    long began = now + (world.mutation.keeps(Rule.WAITS_FOR_LOCKS) ? 0 : TAKEN_BACK_NANOS);
    return seen.computeIfAbsent(looker.relay(), key -> new SeenLocks())
        .ended(place, locked, began, now);
  }

  /** Nobody is found dead whose lock was held just now, never, or before the server began. */
  void checkEnded(long fence, Session by) {
    world.seen.rare(RareState.TAKE_OVER_BY_LOCK);
    Integer life = heldIn.get(fence);
    if (life == null) {
      throw new Violation("a lock of one's own", "session " + fence + ", by " + by);
    }
    if (life != world.database.crashes()) {
      throw new Violation("no lock of a former server", "session " + fence + ", by " + by);
    }
    long free = world.time.now() - freeSince.getOrDefault(fence, 0L);
    if (held.containsKey(fence) || free < TAKEN_BACK_NANOS) {
      throw new Violation("time to take a lock back", "session " + fence + ", by " + by);
    }
  }
}
