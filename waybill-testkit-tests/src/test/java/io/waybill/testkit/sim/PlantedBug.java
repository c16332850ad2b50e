package io.waybill.testkit.sim;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import io.waybill.relay.Effect;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.Input;
import io.waybill.store.Backlog;
import io.waybill.store.OperatorRequest.Standing;
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
import java.util.function.Supplier;

/** Mistakes that outboxes are known for, each as a change of the world around the engine. */
@SuppressWarnings("ImmutableEnumChecker") // a supplier without state
enum PlantedBug {
  NO_FENCE(
      () ->
          new Mutation() {
            @Override
            boolean checksFence() {
              return false;
            }
          }),
  MARK_BEFORE_CONFIRM(MarkBeforeConfirm::new),
  INSERT_CLAIM_THEN_SKIP(ClaimThenSkip::new),
  IGNORE_THE_RETURN(
      () ->
          new Mutation() {
            @Override
            boolean heedsReturns() {
              return false;
            }
          }),
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
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.Unknown unknown
                  ? new Confirmation.Rejected(unknown.sendId(), unknown.reason(), unknown.detail())
                  : told;
            }
          }),
  ATTEMPTS_SPENT_ON_DESTINATIONS_THAT_REFUSE(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.Refused refused
                  ? new Confirmation.Rejected(refused.sendId(), refused.reason(), refused.detail())
                  : told;
            }
          }),
  ATTEMPTS_SPENT_ON_A_FULL_BUFFER(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.NotSent left
                  ? new Confirmation.Rejected(left.sendId(), left.reason(), left.detail())
                  : told;
            }
          }),
  FULL_BUFFER_TAKEN_FOR_A_REFUSAL(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.NotSent left
                  ? new Confirmation.Refused(left.sendId(), left.reason(), left.detail(), false)
                  : told;
            }
          }),
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
              return settings.breakers(1_000_000);
            }
          }),
  COPY_OF_A_REFUSED_MESSAGE_FORGOTTEN(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.Refused refused
                  ? new Confirmation.Refused(
                      refused.sendId(), refused.reason(), refused.detail(), false)
                  : told;
            }
          }),
  SKIP_PAST_UNKNOWN(SkipPastUnknown::new),
  ASYNCHRONOUS_CLAIM(
      () ->
          new Mutation() {
            @Override
            boolean flushesReads() {
              return false;
            }
          }),
  DUPLICATE_ON_ANY_SQL_ERROR(
      () ->
          new Mutation() {
            @Override
            boolean readFailureIsDuplicate() {
              return true;
            }
          }),
  RETENTION_OF_UNPUBLISHED_ROWS(
      () ->
          new Mutation() {
            @Override
            void housekeeping(World world) {
              for (SimRow row : world.database.rows()) {
                if (row.waits() && world.time.now() - row.visibleAt > World.seconds(2)) {
                  row.published = true;
                  world.database.changed(row);
                }
              }
            }
          }),
  WHOLE_BATCH_ACCEPTED_AFTER_A_GAP(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.Unknown unknown
                      && unknown.reason().equals("publisher-restarted")
                  ? new Confirmation.Confirmed(unknown.sendId())
                  : told;
            }
          }),
  NACK_TAKEN_FOR_ACK(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.NotConfirmed failure
                      && !(failure instanceof Confirmation.Unknown)
                  ? new Confirmation.Confirmed(failure.sendId())
                  : told;
            }
          }),
  FENCED_RELAY_READS_ON(
      () ->
          new Mutation() {
            @Override
            boolean fencesReads() {
              return false;
            }
          }),
  KEY_GOES_ON_BEFORE_ITS_FAILURE_IS_KNOWN(
      () ->
          new Mutation() {
            @Override
            boolean holdsKeysOfFailures() {
              return false;
            }
          }),
  SETTLEMENT_ERROR_SWALLOWED(
      () ->
          new Mutation() {
            @Override
            boolean swallowsSettleErrors() {
              return true;
            }
          }),
  TIME_OUT_TAKEN_FOR_SUCCESS(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return told instanceof Confirmation.Unknown unknown
                  ? new Confirmation.Confirmed(unknown.sendId())
                  : told;
            }
          }),
  DEAD_LETTER_NOT_AWAITED(
      () ->
          new Mutation() {
            @Override
            Confirmation outcome(World world, SimSend send, Confirmation told) {
              return send.deadLetter ? new Confirmation.Confirmed(told.sendId()) : told;
            }
          }),
  CONFIRMATION_OF_ANOTHER_MESSAGE(
      () ->
          new Mutation() {
            @Override
            boolean confirmsByMessage() {
              return false;
            }
          }),
  RENEWAL_REVIVES_AN_ENDED_SESSION(
      () ->
          new Mutation() {
            @Override
            boolean knowsEndedSessions() {
              return false;
            }
          }),
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
  BACKLOG_READ_AS_FAR_AS_ITS_FIRST_PAGE(
      () ->
          new Mutation() {
            @Override
            boolean pagesBacklogs() {
              return false;
            }
          }),
  DELAYED_EVENT_PUBLISHED_EARLY(
      () ->
          new Mutation() {
            @Override
            boolean waitsForDelays() {
              return false;
            }
          }),
  READS_WITHOUT_BOUNDS(
      () ->
          new Mutation() {
            @Override
            boolean boundsReads() {
              return false;
            }
          }),
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
  RENEWALS_NOT_COUNTED(
      () ->
          new Mutation() {
            @Override
            boolean countsRenewals() {
              return false;
            }
          }),
  STATE_INHERITED_BY_NUMBER(
      () ->
          new Mutation() {
            @Override
            boolean tellsNumbersApart() {
              return false;
            }
          }),
  LOCKED_ROWS_SKIPPED(LockedRowsSkipped::new),
  PARKED_ROWS_NEVER_LOOKED_AT(
      () ->
          new Mutation() {
            @Override
            RowLook look(RowLook look, OutboxRow row) {
              return new RowLook(look.ref(), row, Standing.PARKED);
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
  RETENTION_OF_PARKED_ROWS(
      () ->
          new Mutation() {
            @Override
            void housekeeping(World world) {
              for (SimRow row : world.database.rows()) {
                if (row.in(RowState.PARKED)
                    && world.time.now() - row.visibleAt > World.seconds(2)) {
                  row.published = true;
                  world.database.changed(row);
                }
              }
            }
          });

  private final Supplier<Mutation> mutation;

  PlantedBug(Supplier<Mutation> mutation) {
    this.mutation = mutation;
  }

  Mutation plant() {
    return mutation.get();
  }

  /** Of keys that are unblocked together the held rows of one are read. */
  private static Effect firstKeyAlone(Effect effect) {
    return effect instanceof Effect.ReadHeld held
        ? new Effect.ReadHeld(
            held.session(), held.keys().subList(0, 1), held.maxRows(), held.maxBytes())
        : effect;
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

  /** What anybody has read counts as processed. */
  private static final class ClaimThenSkip extends Mutation {
    private final Set<Long> claimed = new HashSet<>();

    @Override
    boolean readable(SimRow row, long lastReturned) {
      return !claimed.contains(row.id);
    }

    @Override
    void returned(World world, List<SimRow> rows) {
      rows.forEach(row -> claimed.add(row.id));
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
