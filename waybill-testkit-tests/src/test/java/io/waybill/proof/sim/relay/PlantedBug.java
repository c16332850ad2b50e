package io.waybill.proof.sim.relay;

import io.waybill.broker.Confirmation;
import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.policy.EngineSettings;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowLook;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Mistakes that outboxes are known for, each as a change of the world around the engine. */
@SuppressWarnings("ImmutableEnumChecker") // a supplier without state
enum PlantedBug {
  NO_FENCE(Rule.FENCES_SETTLEMENTS),
  MARK_BEFORE_CONFIRM(MarkBeforeConfirm::new),
  INSERT_CLAIM_THEN_SKIP(ClaimThenSkip::new),
  IGNORE_THE_RETURN(Rule.HEEDS_RETURNS),
  POSITION_CURSOR(
      () ->
          new Mutation() {
            @Override
            boolean readable(SimRow row, long lastReturned) {
              return row.id > lastReturned;
            }
          }),
  LEASE_ON_A_LOCAL_CLOCK(
      () ->
          new Mutation() {
            @Override
            boolean expired(String looker, long until, long databaseClock) {
              long skew = looker.endsWith("1") ? World.seconds(3) : 0;
              return databaseClock + skew - until > 0;
            }
          }),
  ATTEMPTS_SPENT_ON_OUTAGES(
      told -> told instanceof Confirmation.Unknown unknown ? rejected(unknown) : told),
  ATTEMPTS_SPENT_ON_DESTINATIONS_THAT_REFUSE(
      told -> told instanceof Confirmation.Refused refused ? rejected(refused) : told),
  ATTEMPTS_SPENT_ON_A_FULL_BUFFER(
      told -> told instanceof Confirmation.NotSent left ? rejected(left) : told),
  FULL_BUFFER_TAKEN_FOR_A_REFUSAL(
      told ->
          told instanceof Confirmation.NotSent left
              ? new Confirmation.Refused(left.sendId(), left.reason(), left.detail(), false)
              : told),
  BREAKER_SHARED_BY_ALL_DESTINATIONS(
      () ->
          new Mutation() {
            @Override
            Destination destination(Swarm swarm, Destination at) {
              // Where nothing else goes wrong: policies go by destinations, too.
              boolean alone = swarm.refusal != null && swarm.refusal.alone();
              return alone ? Destination.topic("all") : at;
            }
          }),
  BREAKERS_WITHOUT_BOUND(
      () ->
          new Mutation() {
            @Override
            EngineSettings settings(EngineSettings settings) {
              return settings.bounds(1_000_000, settings.maxKeys());
            }
          }),
  COPY_OF_A_REFUSED_MESSAGE_FORGOTTEN(
      told ->
          told instanceof Confirmation.Refused refused
              ? new Confirmation.Refused(
                  refused.sendId(), refused.reason(), refused.detail(), false)
              : told),
  SKIP_PAST_UNKNOWN(SkipPastUnknown::new),
  ASYNCHRONOUS_CLAIM(Rule.FLUSHES_READS),
  DUPLICATE_ON_ANY_SQL_ERROR(Rule.HEEDS_READ_ERRORS),
  RETENTION_OF_UNPUBLISHED_ROWS(() -> new Retention(SimRow::waits)),
  WHOLE_BATCH_ACCEPTED_AFTER_A_GAP(
      told ->
          told instanceof Confirmation.Unknown unknown
                  && unknown.reason().equals("publisher-restarted")
              ? new Confirmation.Confirmed(unknown.sendId())
              : told),
  NACK_TAKEN_FOR_ACK(
      told ->
          told instanceof Confirmation.NotConfirmed failure
                  && !(failure instanceof Confirmation.Unknown)
              ? new Confirmation.Confirmed(failure.sendId())
              : told),
  FENCED_RELAY_READS_ON(Rule.FENCES_READS),
  SESSIONS_WITH_ONE_LOCK_IN_COMMON(Rule.NAMES_LOCKS_BY_SESSION),
  END_OF_A_SESSION_BELIEVED_AT_ONCE(Rule.WAITS_FOR_LOCKS),
  LOCK_OF_A_FORMER_SERVER_BELIEVED(Rule.FORGETS_LOCKS_OF_OTHER_SERVERS),
  LANES_OF_AN_UNLOCKED_SESSION_TAKEN_WITHOUT_FENCE(Rule.FENCES_UNLOCKED_SESSIONS),
  GIVEN_UP_WHILE_A_FORMER_OWNER_SENDS(Rule.TELLS_WHEN_QUIET),
  KEY_GOES_ON_BEFORE_ITS_FAILURE_IS_KNOWN(Rule.HOLDS_KEYS_OF_FAILURES),
  SETTLEMENT_ERROR_SWALLOWED(Rule.HEEDS_SETTLE_ERRORS),
  TIME_OUT_TAKEN_FOR_SUCCESS(
      told ->
          told instanceof Confirmation.Unknown unknown
              ? new Confirmation.Confirmed(unknown.sendId())
              : told),
  DEAD_LETTER_NOT_AWAITED(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return send.deadLetter ? new Confirmation.Confirmed(told.sendId()) : told;
            }
          }),
  CONFIRMATION_OF_ANOTHER_MESSAGE(Rule.CONFIRMS_BY_MESSAGE),
  RENEWAL_REVIVES_AN_ENDED_SESSION(Rule.KNOWS_ENDED_SESSIONS),
  CLOSER_LEFT_ON_THE_CHANNEL_OF_THE_SILENT(Rule.PARTS_WHAT_CLOSED_A_CHANNEL),
  LANES_RELEASED_WITH_SENDS_IN_FLIGHT(EarlyRelease::new),
  HELD_ROWS_DROPPED_AT_TAKE_OVER(
      () ->
          new Mutation() {
            @Override
            Backlog backlog(Backlog left) {
              return new Backlog(left.failed(), List.of());
            }
          }),
  PARKED_KEYS_FORGOTTEN_AT_TAKE_OVER(
      () ->
          new Mutation() {
            @Override
            Backlog backlog(Backlog left) {
              return new Backlog(List.of(), left.held());
            }
          }),
  BACKLOG_READ_AS_FAR_AS_ITS_FIRST_PAGE(Rule.PAGES_BACKLOGS),
  DELAYED_EVENT_PUBLISHED_EARLY(Rule.WAITS_FOR_DELAYS),
  READS_WITHOUT_BOUNDS(Rule.BOUNDS_READS),
  READS_WITHOUT_ORDER(
      () ->
          new Mutation() {
            @Override
            Comparator<SimRow> order() {
              return Comparator.comparing(row -> row.row.eventId());
            }
          }),
  HISTORY_NOT_COMPARED_AT_A_FIRST_SETTLEMENT(
      () ->
          new Mutation() {
            @Override
            boolean comparesHistory(Effect effect, boolean fresh) {
              return !(fresh && effect instanceof Effect.Settle);
            }
          }),
  RENEWALS_NOT_COUNTED(Rule.COUNTS_RENEWALS),
  RENEWALS_NOT_NUMBERED(Rule.NUMBERS_RENEWALS),
  STATE_INHERITED_BY_NUMBER(Rule.KNOWS_REUSED_IDS),
  LOCKED_ROWS_SKIPPED(LockedRowsSkipped::new),
  PARKED_ROWS_NEVER_LOOKED_AT(
      () ->
          new Mutation() {
            @Override
            RowLook look(RowLook look, OutboxRow row) {
              return new RowLook(look.ref(), row, EventState.PARKED);
            }
          }),
  BLOCKED_KEYS_LOST_FROM_SIGHT(
      () ->
          new Mutation() {
            @Override
            List<Effect> effects(SimRelay relay, List<Effect> effects) {
              return effects.stream().map(PlantedBug::firstKeyAlone).toList();
            }
          }),
  REFUSED_BATCH_REPEATED_FOR_EVER(
      () ->
          new Mutation() {
            @Override
            Input refused(Input.Refused refused) {
              return new Input.Failed(refused.effect());
            }
          }),
  RECORDS_DATED_BY_THEIR_CREATION(
      () ->
          new Mutation() {
            @Override
            Destination destination(Swarm swarm, Destination at) {
              return new Destination(
                  at.target(), at.routingKey(), at.partition(), RecordTime.CREATED);
            }
          }),
  RETENTION_OF_PARKED_ROWS(() -> new Retention(row -> row.in(RowState.PARKED))),
  NOTES_AFTER_THE_MARKS(OtherNotes::late),
  SENDS_OF_ROWS_BEHIND_COUNTED(OtherNotes::ofRowsBehind),
  RETRIED_EVENTS_GO_FIRST(RetriedFirst::new),
  CANARY_IGNORED(Rule.AWAITS_CANARIES),
  LATER_EVENTS_OF_A_GROUP_FIRST(Rule.LISTS_GROUPS_IN_ORDER),
  EVENTS_OF_ANOTHER_GROUP_RETRIED(Rule.LISTS_THE_GROUP_ALONE),
  EVENTS_CHANGED_AFTER_THE_PLAN_RETRIED(Rule.LOOKS_AGAIN_BEFORE_ASKING);

  private final Supplier<Mutation> mutation;

  /** The world breaks a rule. */
  PlantedBug(Rule broken) {
    this(() -> new Mutation(broken));
  }

  /** The engine is given another outcome than the broker's. */
  PlantedBug(UnaryOperator<Confirmation> outcome) {
    this(() -> new OtherOutcome(outcome));
  }

  PlantedBug(Supplier<Mutation> mutation) {
    this.mutation = mutation;
  }

  Mutation plant() {
    return mutation.get();
  }

  private static Confirmation rejected(Confirmation.NotConfirmed failure) {
    return new Confirmation.Rejected(failure.sendId(), failure.reason(), failure.detail());
  }

  /** Of keys that are unblocked together the held rows of one are read. */
  private static Effect firstKeyAlone(Effect effect) {
    return effect instanceof Effect.ReadHeld held
        ? new Effect.ReadHeld(
            held.session(), held.keys().subList(0, 1), held.maxRows(), held.maxBytes())
        : effect;
  }

  private static final class OtherOutcome extends Mutation {
    private final UnaryOperator<Confirmation> outcome;

    OtherOutcome(UnaryOperator<Confirmation> outcome) {
      this.outcome = outcome;
    }

    @Override
    Confirmation outcome(World world, SimSend send, Confirmation told) {
      return outcome.apply(told);
    }
  }

  /** Rows are taken for published after two seconds. */
  private static final class Retention extends Mutation {
    private final Predicate<SimRow> rows;

    Retention(Predicate<SimRow> rows) {
      this.rows = rows;
    }

    @Override
    void housekeeping(World world) {
      for (SimRow row : world.database.rows()) {
        if (rows.test(row) && world.time.now() - row.visibleAt > World.seconds(2)) {
          row.published = true;
          world.database.changed(row);
        }
      }
    }
  }

  /** Success is recorded when the message is sent. */
  private static final class MarkBeforeConfirm extends Mutation {
    @Override
    List<Effect> effects(SimRelay relay, List<Effect> effects) {
      World world = relay.world;
      for (Effect effect : effects) {
        if (effect instanceof Effect.Send send) {
          SimRow row = world.database.event(send.message().eventId());
          Session session = Objects.requireNonNull(relay.tenure).session;
          world.settling.settle(session, Settlement.published(List.of(row.row)));
        }
      }
      return effects;
    }
  }

  /** The key goes on after an unknown outcome; the event is left for later. */
  private static final class SkipPastUnknown extends Mutation {
    private final Set<Object> skipped = new HashSet<>();

    @Override
    Confirmation outcome(World world, SimSend send, Confirmation told) {
      if (told instanceof Confirmation.Unknown unknown) {
        skipped.add(send.row.id);
        return new Confirmation.Confirmed(unknown.sendId());
      }
      return told;
    }

    @Override
    List<Effect> effects(SimRelay relay, List<Effect> effects) {
      List<Effect> changed = new ArrayList<>();
      for (Effect effect : effects) {
        changed.add(effect instanceof Effect.Settle settle ? without(settle) : effect);
      }
      return changed;
    }

    private Effect without(Effect.Settle settle) {
      Settlement s = settle.settlement();
      return new Effect.Settle(
          settle.id(),
          settle.session(),
          new Settlement(
              kept(s.published()), kept(s.recovered()), s.failed(), s.held(), s.handled()));
    }

    private List<OutboxRow> kept(List<OutboxRow> rows) {
      return rows.stream().filter(row -> !skipped.contains(row.rowId())).toList();
    }
  }

  /** Lanes are given back as soon as nothing more is sent, and not when nothing is in flight. */
  private static final class EarlyRelease extends Mutation {
    @Override
    List<Effect> effects(SimRelay relay, List<Effect> effects) {
      Tenure tenure = relay.tenure;
      for (Effect effect : effects) {
        if (effect instanceof Effect.Revoke revoke && tenure != null) {
          relay.world.sessions.release(tenure.session, revoke.lanes());
        }
      }
      return effects;
    }
  }

  /** A row that somebody looks at is left for the next read, and those behind it are not. */
  private static final class LockedRowsSkipped extends Mutation {
    private final Set<Long> locked = new HashSet<>();

    @Override
    boolean readable(SimRow row, long lastReturned) {
      return row.id % 7 != 0 || !locked.add(row.id);
    }
  }
}
