package io.waybill.proof.sim.relay;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.policy.FailurePolicy;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries out settlements, and refuses to believe what is not true. */
final class SimSettling {
  private static final Set<String> OPERATOR = Set.of("operator", "skipped", "buried");

  /** A minute, but for what a settlement takes. */
  private static final long NOTED_AGAIN = World.seconds(59);

  private static final Set<String> REFUSED = Set.of("mark-refused", "note-refused");

  private static final int ANSWERS_PER_REFUSED = 4;
  private static final int MOST_REFUSALS = 3;
  // Where memory is scarce, a relay reads nothing for as long as a row that goes back is refused.
  private static final int HELD_PER_REFUSED = 32;

  private final SimDatabase database;
  private final SimSessions sessions;
  private final SimRequests requests;
  private final Observations seen;
  private final Mutation mutation;
  private final Swarm swarm;
  // How often, by the numbers of requests.
  private final Map<Long, Integer> answersRefused = new HashMap<>();
  // Numbers of events.
  private final Set<Integer> heldRefused = new HashSet<>();
  private boolean healed;

  SimSettling(World.Tables tables, Observations seen, Mutation mutation, Swarm swarm) {
    this.database = tables.database();
    this.sessions = tables.sessions();
    this.requests = tables.requests();
    this.seen = seen;
    this.mutation = mutation;
    this.swarm = swarm;
  }

  /** Whether the settlement changes a row that refuses or is locked. */
  Input.@Nullable Refused refused(Effect.Settle settle) {
    if (!sessions.alive(settle.session())) {
      return null;
    }
    Settlement settlement = settle.settlement();
    List<OutboxRow> changed = new ArrayList<>(settlement.published());
    changed.addAll(settlement.recovered());
    settlement.failed().forEach(failed -> changed.add(failed.row()));
    for (OutboxRow row : changed) {
      SimRow sim = find(row);
      if (sim.life != SimRow.Life.COMMITTED) {
        continue;
      }
      if (sim.refusesChanges) {
        seen.rare(RareState.SETTLEMENT_REFUSED);
        return new Input.Refused(settle, false, "a trigger says no");
      }
      if (database.clock() < sim.lockedUntil) {
        return locked(settle);
      }
    }
    for (OutboxRow row : settlement.held()) {
      SimRow sim = find(row);
      // To hold a row removes the record of its failure, which the same transaction has locked.
      if (sim.failure != null && database.clock() < sim.lockedUntil) {
        return locked(settle);
      }
    }
    for (HandledRequest answer : settlement.handled()) {
      long kind = answer.requestId() % ANSWERS_PER_REFUSED;
      if (kind > 1 || !isRefused(answer)) {
        continue;
      }
      boolean locked = kind == 1;
      if (!locked) {
        requests.refused(answer, settlement);
      }
      seen.rare(locked ? RareState.ANSWER_LOCKED : RareState.ANSWER_REFUSED);
      return new Input.Refused(settle, locked, "the audit says no");
    }
    for (OutboxRow row : settlement.held()) {
      if (isRefused(find(row))) {
        seen.rare(RareState.HELD_REFUSED);
        return new Input.Refused(settle, false, "the table of held rows says no");
      }
    }
    return null;
  }

  private Input.Refused locked(Effect.Settle settle) {
    seen.rare(RareState.SETTLEMENT_LOCKED);
    return new Input.Refused(settle, true, "locked");
  }

  /** From now on the database refuses neither answers to operators nor rows that go back. */
  void heal() {
    healed = true;
  }

  /** None is refused for good: an operator would wait for ever. */
  private boolean isRefused(HandledRequest answer) {
    return !healed
        && swarm.people.refusing() > 0
        && answersRefused.merge(answer.requestId(), 1, Integer::sum) <= MOST_REFUSALS;
  }

  private boolean isRefused(SimRow held) {
    return !healed
        && swarm.people.refusing() > 0
        && held.number % HELD_PER_REFUSED == 0
        && heldRefused.add(held.number);
  }

  Settled settle(Session session, Settlement settlement) {
    if (mutation.keeps(Rule.FENCES_SETTLEMENTS) && !sessions.alive(session)) {
      seen.rare(RareState.FENCED_MARK);
      return new Settled(true, 0);
    }
    if (sessions.alive(session) && !sessions.holds(session)) {
      throw new Violation("one history", session + " settles in " + database.history());
    }
    checkDisjoint(settlement);
    for (OutboxRow row : settlement.published()) {
      SimRow sim = find(row);
      if (!sim.setBack && (sim.failure != null || sim.held)) {
        throw new Violation("state machine", "published, not recovered: " + sim);
      }
      publish(sim, row, session);
    }
    settlement.recovered().forEach(row -> publish(find(row), row, session));
    settlement.failed().forEach(row -> fail(row, session));
    settlement.held().forEach(this::hold);
    settlement.setAside().forEach(row -> fail(row, session));
    settlement.forgotten().forEach(this::forget);
    settlement.noted().forEach(row -> note(row, session));
    settlement.handled().forEach(requests::handled);
    database.flush();
    return new Settled(false, settlement.size());
  }

  private SimRow find(OutboxRow row) {
    return database.event(row.eventId());
  }

  private static void checkDisjoint(Settlement settlement) {
    Set<Object> ids = new HashSet<>();
    for (List<OutboxRow> rows :
        List.of(
            settlement.published(),
            settlement.recovered(),
            settlement.held(),
            settlement.setAside().stream().map(FailedRow::row).toList(),
            settlement.failed().stream().map(FailedRow::row).toList())) {
      for (OutboxRow row : rows) {
        if (!ids.add(row.rowId())) {
          throw new Violation("state machine", "a settlement names twice row " + row.rowId());
        }
      }
    }
  }

  /** Nothing is recorded of a row that a person has removed or marked. */
  private static boolean isPeoples(SimRow row) {
    return row.life == SimRow.Life.REMOVED || row.markedByHand;
  }

  private void forget(RowRef ref) {
    SimRow row = database.row(ref);
    seen.rare(RareState.FORGOTTEN);
    // The table's own word stays.
    row.failure = row.isGivenUpByHand() ? row.failure : null;
    row.held = false;
    database.changed(row);
  }

  private void publish(SimRow row, OutboxRow as, Session session) {
    if (isPeoples(row)) {
      return;
    }
    if (!row.published) {
      show(row, as);
      row.note = null;
    }
    if (row.published && row.publishedBy != session.joinedMicros()) {
      throw new Violation("one owner", row + " marked by " + row.publishedBy + " and " + session);
    }
    if (!row.published) {
      seen.published(row, session);
      if (database.isAboveGap(row)) {
        seen.rare(RareState.PUBLISHED_ABOVE_A_GAP);
      }
    }
    row.published = true;
    row.publishedBy = session.joinedMicros();
    row.failure = null;
    row.held = false;
    database.changed(row);
  }

  /** The column of attempts never says more than there were sends of this row. */
  private static void show(SimRow row, OutboxRow as) {
    if (as.sends() > row.vain) {
      throw new Violation(
          "attempts shown", as.sends() + " of " + row.vain + " sends in vain: " + row);
    }
    row.shownSends = Math.max(row.shownSends, as.sends());
  }

  /** Why it waits is shown of a row that waits, first of its key, and of no other. */
  private void note(FailedRow noted, Session session) {
    SimRow row = find(noted.row());
    if (isPeoples(row) || row.isGivenUpByHand()) {
      return;
    }
    if (row.published || row.in(RowState.PARKED) || row.in(RowState.DEAD)) {
      throw new Violation("a note changes nothing", "noted after: " + row);
    }
    show(row, noted.row());
    boolean again = noted.equals(row.note);
    row.note = noted;
    seen.rare(row.held ? RareState.NOTED_AND_HELD : RareState.NOTED);
    long before = seen.noted(row);
    boolean alone = swarm.refusal != null && swarm.refusal.alone();
    if (alone && !again && before > 0 && seen.now() - before < NOTED_AGAIN) {
      throw new Violation("one note per key and minute", row + " by " + session);
    }
    database.changed(row);
  }

  private void hold(OutboxRow held) {
    SimRow row = find(held);
    if (isPeoples(row)) {
      return;
    }
    show(row, held);
    if (row.published || (row.in(RowState.PARKED) && !row.retryAsked)) {
      throw new Violation("state machine", "held after: " + row);
    }
    seen.trace.line(() -> "held " + row);
    seen.rare(RareState.HELD);
    row.held = true;
    row.wasHeld = true;
    // The table of held rows has no place for what was unknown about them.
    row.unknownTo = 0;
    row.failure = null;
    database.recorded(row);
  }

  private void fail(FailedRow failed, Session session) {
    SimRow row = find(failed.row());
    if (isPeoples(row)) {
      return;
    }
    seen.trace.line(() -> failed.state() + " by " + session.fence() + " " + row);
    if (row.published) {
      throw new Violation("state machine", failed.state() + " after: " + row);
    }
    if (failed.attempts() > row.rejections + (row.unmappable ? swarm.retries.attemptLimit() : 0)) {
      throw new Violation(
          "attempts", failed.attempts() + " of " + row.rejections + " rejections: " + row);
    }
    if (failed.state() != RowState.RETRY) {
      checkGivenUp(failed, row, session);
    }
    if (failed.state() == RowState.DEAD
        && sessions.unquietNanos(row.lane) > 0
        && !swarm.clockJumps) {
      throw new Violation("given up when it is quiet", row + " by " + session);
    }
    if (failed.state() == RowState.DEAD && row.in(RowState.PARKED)) {
      seen.rare(RareState.PARKED_THEN_SKIPPED);
    }
    show(row, failed.row());
    row.note = null;
    row.held = false;
    row.failure = failed;
    row.wasParked |= failed.state() == RowState.PARKED;
    row.failedAt = database.clock();
    row.retryAt = database.clock() + failed.delayMillis() * Dice.MS;
    if (failed.state() != RowState.RETRY) {
      seen.revivals.ended(row);
    }
    if (failed.state() == RowState.DEAD) {
      // Its key has passed it, so nothing that may come of it later is out of order.
      row.everDead = true;
      row.unknownTo = 0;
    }
    database.recorded(row);
  }

  private void checkGivenUp(FailedRow failed, SimRow row, Session session) {
    if (row.refusesChanges && REFUSED.contains(failed.reason())) {
      seen.rare(RareState.SET_ASIDE);
      return;
    }
    boolean operator = OPERATOR.contains(failed.reason());
    if (operator ? !row.operated : row.rejections == 0 && !row.unmappable) {
      throw new Violation("nothing given up without a reason", failed.reason() + " " + row);
    }
    if (row.unmappable) {
      seen.rare(RareState.UNROUTABLE_GIVEN_UP);
    }
    if (failed.state() == RowState.PARKED) {
      boolean buries = policy(row) instanceof FailurePolicy.Bury;
      seen.rare(
          buries && failed.unknownOutcome() ? RareState.PARKED_AFTER_UNKNOWN : RareState.PARKED);
      return;
    }
    if (operator) {
      return;
    }
    if (row.unknownTo == session.joinedMicros()) {
      throw new Violation("never past an unknown outcome", row.toString());
    }
    if (!(policy(row) instanceof FailurePolicy.Bury bury)) {
      throw new Violation("policy", "dead, but to be parked: " + row);
    } else if (bury.deadLetter() != null && !row.deadLettered) {
      throw new Violation("dead letter before dead", row.toString());
    }
    seen.rare(RareState.DEAD);
  }

  private FailurePolicy policy(SimRow row) {
    return swarm.policyOf(row.unmappable ? "" : row.destination);
  }
}
