package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Delivery;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.RedriveMarks;
import io.waybill.internal.inbox.ReceivedMessage;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Mistakes that inboxes are known for, each as a change of the world around the engine. */
@SuppressWarnings("ImmutableEnumChecker") // a supplier without state
enum InboxPlantedBug {
  CLAIM_IN_ANOTHER_TRANSACTION(
      () ->
          new InboxMutation() {
            @Override
            boolean claimsInTheSameTransaction() {
              return false;
            }
          }),
  ACKNOWLEDGE_BEFORE_COMMIT(AcknowledgeFirst::new),
  DEAD_LETTER_NOT_AWAITED(
      () ->
          new InboxMutation() {
            @Override
            boolean awaitsLetters() {
              return false;
            }
          }),
  DEDUPE_WITHOUT_CONSUMER(
      () ->
          new InboxMutation() {
            @Override
            boolean remembersPerConsumer() {
              return false;
            }
          }),
  RETRY_OVERTAKEN_BY_A_LATER_EVENT(
      () ->
          new InboxMutation() {
            @Override
            boolean waitsBehindDeferred() {
              return false;
            }
          }),
  EVENT_DEFERRED_AGAIN_LOSES_ITS_PLACE(
      () ->
          new InboxMutation() {
            @Override
            boolean keepsPlace() {
              return false;
            }
          }),
  EVERY_DUE_EVENT_IS_HANDED_OUT(
      () ->
          new InboxMutation() {
            @Override
            boolean handsOutHeadsOnly() {
              return false;
            }
          }),
  DEFERRED_EVENT_REMOVED_IN_ANOTHER_TRANSACTION(
      () ->
          new InboxMutation() {
            @Override
            boolean forgetsInTheSameTransaction() {
              return false;
            }
          }),
  SUSPECT_COUNTED_WHEN_IT_FINISHED(
      () ->
          new InboxMutation() {
            @Override
            boolean notesEnds() {
              return false;
            }
          }),
  SUSPECTS_ONE_AT_A_TIME(
      () ->
          new InboxMutation() {
            @Override
            boolean handlesSuspectsTogether() {
              return false;
            }
          }),
  BLAMED_FOR_A_START_BESIDE_OTHERS(DeadLetterAll::new),
  COMMIT_ERROR_SWALLOWED(
      () ->
          new InboxMutation() {
            @Override
            boolean heedsCommitErrors() {
              return false;
            }
          }),
  DEAD_EVENT_NOT_NOTED(
      () ->
          new InboxMutation() {
            @Override
            boolean notesTheDead() {
              return false;
            }
          }),
  LETTER_BEFORE_IT_IS_ON_RECORD(DeadLetterFirst::new),
  GIVEN_UP_FORGOTTEN_WITH_ITS_LETTER(
      () ->
          new InboxMutation() {
            @Override
            boolean keepsReasons() {
              return false;
            }
          }),
  HIGHEST_POSITION_COMMITTED(
      () ->
          new InboxMutation() {
            @Override
            boolean commitsContiguously() {
              return false;
            }
          }),
  ADDED_PARTITION_READ_FROM_ITS_END(
      () ->
          new InboxMutation() {
            @Override
            int beginsAdded(int end) {
              return end;
            }
          }),
  TOPIC_MADE_ANEW_READ_FROM_THE_FORMER_POSITION(
      () ->
          new InboxMutation() {
            @Override
            int beginsAnew(int position) {
              return position;
            }
          }),
  LATE_ACKNOWLEDGEMENT_COUNTED(
      () ->
          new InboxMutation() {
            @Override
            boolean ignoresLateAcknowledgements() {
              return false;
            }
          }),
  LANE_IS_ONE_LINE(
      () ->
          new InboxMutation() {
            @Override
            ReceivedMessage read(Delivery delivery) {
              byte[] key = delivery.lane().getBytes(StandardCharsets.US_ASCII);
              return super.read(ChangedDelivery.copy(delivery, key, delivery.headers()));
            }
          }),
  HUNG_HANDLER_NOT_CUT(
      () ->
          new InboxMutation() {
            @Override
            long handlerLimit() {
              return 10_000 * MS;
            }
          }),
  STUCK_MESSAGE_NOT_TOLD(
      () ->
          new InboxMutation() {
            @Override
            List<InboxEvent.MessageStuck> stuck(List<InboxEvent.MessageStuck> stuck) {
              return List.of();
            }
          }),
  NOT_READ_AGAIN_AFTER_A_FAILOVER(InboxFailoverBug.NotReadAgain::new),
  SERVER_WORKED_ON_BEFORE_LANES_ARE_READ_AGAIN(InboxFailoverBug.StoodFirst::new),
  LANE_KEPT_IN_MEMORY_THOUGH_READ_AGAIN(InboxFailoverBug.LaneKept::new),
  POSITION_NOTED_WITHOUT_ITS_SERVER(InboxFailoverBug.ServerIgnored::new),
  POSITION_NOTED_BEFORE_ITS_COMMIT(InboxFailoverBug.NotedTooFar::new),
  HOLD_IGNORED(
      () ->
          new InboxMutation() {
            @Override
            boolean heedsHolds() {
              return false;
            }
          }),
  UNREACHED_EVENT_STAYS_NOTED(
      () ->
          new InboxMutation() {
            @Override
            boolean takesBack() {
              return false;
            }
          }),
  UNREACHED_EVENT_TAKEN_FOR_HANDLED(
      () ->
          new InboxMutation() {
            @Override
            Outcome outcome(Work work, Outcome outcome) {
              return outcome instanceof Outcome.Done done
                  ? new Outcome.Done(done.fates().stream().map(fate -> handled(fate)).toList())
                  : outcome;
            }
          }),
  SHARED_FAILURE_ACKNOWLEDGED_FOR_ALL(
      () ->
          new InboxMutation() {
            @Override
            Outcome outcome(Work work, Outcome outcome) {
              return outcome instanceof Outcome.Failed
                      && work instanceof Work.Handle handle
                      && handle.tasks().size() > 1
                  ? new Outcome.Done(handle.tasks().stream().map(task -> HANDLED).toList())
                  : outcome;
            }
          }),
  ROLLED_BACK_TRANSACTION_COMMITTED(
      () ->
          new InboxMutation() {
            @Override
            boolean noticesVanished() {
              return false;
            }
          }),
  NOTES_NOT_MARKED_BEFORE_A_STATEMENT(
      () ->
          new InboxMutation() {
            @Override
            boolean marksBeforeStatements() {
              return false;
            }
          }),
  MARKED_NOTE_TAKEN_FOR_SEEN(
      () ->
          new InboxMutation() {
            @Override
            boolean looksForMarks() {
              return false;
            }
          }),
  MARKS_NOT_ASKED_FOR_AT_THE_COMMIT(
      () ->
          new InboxMutation() {
            @Override
            boolean asksForItsMarks() {
              return false;
            }
          }),
  ENDED_TRANSACTION_SHARED_ON(
      () ->
          new InboxMutation() {
            @Override
            boolean stopsAfterStatements() {
              return false;
            }
          }),
  REFUSED_DEFERRAL_TAKEN_FOR_DONE(
      () ->
          new InboxMutation() {
            @Override
            Outcome outcome(Work work, Outcome outcome) {
              return outcome instanceof Outcome.Refused && work instanceof Work.Defer
                  ? new Outcome.Done(List.of(new Fate.Deferred()))
                  : outcome;
            }
          }),
  REFUSED_VALUES_TAKEN_FOR_AN_OUTAGE(
      () ->
          new InboxMutation() {
            @Override
            Outcome outcome(Work work, Outcome outcome) {
              return outcome instanceof Outcome.Refused refused
                  ? new Outcome.StoreDown(refused.reason(), false, refused.open())
                  : outcome;
            }
          }),
  REDRIVEN_EVENT_NAMED_AS_A_PRODUCER_MAY(
      () ->
          new InboxMutation() {
            @Override
            ReceivedMessage read(Delivery delivery) {
              ReceivedMessage read = super.read(delivery);
              return read.decoded() instanceof Decoded.Event event && event.event().redriven() > 0
                  ? ChangedDelivery.renamed(
                      delivery, event.event().id() + "~" + event.event().redriven())
                  : read;
            }
          }),
  COPIED_MARKS_OF_A_REDRIVE_BELIEVED(
      () ->
          new InboxMutation() {
            @Override
            ReceivedMessage read(Delivery delivery) {
              String id = delivery.headers().get("waybill-event-id");
              return id == null || delivery.headers().get(RedriveMarks.TIMES) == null
                  ? super.read(delivery)
                  : super.read(ChangedDelivery.with(delivery, RedriveMarks.EVENT, id));
            }
          }),
  WINDOW_SHORTER_THAN_REDELIVERY(
      () ->
          new InboxMutation() {
            @Override
            long window() {
              return 100 * MS;
            }
          });

  private static final Fate HANDLED = new Fate.Handled(1);

  private final Supplier<InboxMutation> mutation;

  InboxPlantedBug(Supplier<InboxMutation> mutation) {
    this.mutation = mutation;
  }

  InboxMutation plant() {
    return mutation.get();
  }

  private static Fate handled(Fate fate) {
    return fate instanceof Fate.Unhandled ? HANDLED : fate;
  }
}
