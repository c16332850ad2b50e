package io.waybill.internal.inbox.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.encode.Decoded;
import io.waybill.encode.Decoder;
import io.waybill.handler.Registration;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.message.Headers;
import io.waybill.store.DeferredEvent;
import io.waybill.store.Sight;
import io.waybill.store.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The steps of an attempt, one row for each way they can go. */
public class HandlingTransactionTest {
  private static final Answer OK = new Answer.Ok();
  private static final Answer FAILED = new Answer.StoreFailed("gone", true);
  private static final Failure BROKEN = new Failure(true, "broken");
  private static final Sight SEEN = new Sight.Seen(Duration.ofSeconds(9));
  private static final Work.Mark NO_MARK = Work.Mark.NONE;
  private static final Work.Mark SUSPECT = new Work.Mark(List.of("e"), false, false, 3);
  private static final Work.Mark ALONE = new Work.Mark(List.of("e"), false, true, 3);
  private static final Answer NEVER_STARTED = new Answer.Starts(Map.of());
  private static final Plan HANDLE =
      new Plan.Handle(new Registration("t", 1, 1, (events, connection) -> {}));

  private static final Plan BATCH =
      new Plan.Handle(new Registration("t", 1, 9, (events, connection) -> {}));

  private final List<String> steps = new ArrayList<>();

  private static Task task(String id, Plan plan, @Nullable DeferredEvent deferred) {
    Decoded decoded =
        new Decoder()
            .decode(
                "q",
                null,
                null,
                Headers.of(Map.of("waybill-event-id", id, "waybill-event-type", "t")),
                0);
    Sighting sighting = new Sighting(id, "t", "q", null);
    var delivery =
        new io.waybill.broker.Delivery("q", "q", 0, null, null, Headers.NONE, 0, false, 0, "token");
    return new Task(
        sighting,
        ((Decoded.Event) decoded).event(),
        plan,
        deferred == null ? delivery : null,
        deferred);
  }

  public static DeferredEvent deferred(@Nullable String deadReason) {
    return new DeferredEvent(
        new Sighting("e", "t", "q", null),
        new byte[] {1},
        Headers.NONE,
        0,
        2,
        0,
        "broken",
        deadReason,
        false);
  }

  private static Work handle(Work.Mark mark, Task... tasks) {
    return new Work.Handle(1, List.of(tasks), mark);
  }

  public static Task deferredTask() {
    return task("e", HANDLE, deferred(null));
  }

  private static Work retry(Work.Mark mark, DeferredEvent event) {
    return new Work.Retry(1, task("e", HANDLE, event), mark);
  }

  /** Answers each step with the next answer, OK after the last. */
  private Outcome run(Work work, Answer... answers) {
    HandlingTransaction attempt = new HandlingTransaction(work);
    Step step = attempt.first();
    for (int i = 0; !(step instanceof Step.End); i++) {
      steps.add(step.getClass().getSimpleName());
      step = attempt.next(i < answers.length ? answers[i] : OK);
    }
    return ((Step.End) step).outcome();
  }

  private static Answer sights(Sight... sights) {
    return new Answer.Sights(List.of(sights));
  }

  private static List<Fate> fates(Outcome outcome) {
    return ((Outcome.Done) outcome).fates();
  }

  @Test
  void firstSightAndEffectShareATransaction() {
    Outcome outcome = run(handle(NO_MARK, task("e", HANDLE, null)), OK, sights(new Sight.Fresh()));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Handled(0));
  }

  @Test
  void aDuplicateIsNotHandled() {
    Outcome outcome = run(handle(NO_MARK, task("e", HANDLE, null)), OK, sights(SEEN));

    assertThat(steps).containsExactly("Begin", "Look", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Duplicate(Duration.ofSeconds(9)));
  }

  @Test
  void anEventGoesBehindADeferredOneOfItsKey() {
    Outcome outcome = run(handle(NO_MARK, task("e", HANDLE, null)), OK, sights(new Sight.Behind()));

    assertThat(steps).containsExactly("Begin", "Look", "Defer", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.WentBehind());
  }

  @Test
  void aDeferredEventIsNeverForgottenWithoutAPlanForIt() {
    Plan passOver = new Plan.PassOver("another");
    Work work = new Work.Retry(1, task("e", passOver, deferred(null)), NO_MARK);

    assertThatIllegalStateException()
        .isThrownBy(() -> run(work, OK, sights(new Sight.Fresh())))
        .withMessageContaining("PassOver");
  }

  @Test
  void aBatchHandlesOnlyWhatIsFresh() {
    Outcome outcome =
        run(
            handle(
                NO_MARK,
                task("a", BATCH, null),
                task("b", BATCH, null),
                task("c", BATCH, null),
                task("d", BATCH, null)),
            OK,
            sights(SEEN, new Sight.Fresh(), new Sight.Behind(), new Sight.Fresh()),
            OK,
            new Answer.Handled(8, true));

    assertThat(steps).containsExactly("Begin", "Look", "Defer", "Handle", "Commit");
    assertThat(fates(outcome))
        .containsExactly(
            new Fate.Duplicate(Duration.ofSeconds(9)),
            new Fate.Handled(4),
            new Fate.WentBehind(),
            new Fate.Handled(4));
  }

  private static Work shared(String... ids) {
    return handle(NO_MARK, Stream.of(ids).map(id -> task(id, HANDLE, null)).toArray(Task[]::new));
  }

  @Test
  void deliveriesThatShareATransactionAreLookedAtTogetherAndHandledOneByOne() {
    Outcome outcome =
        run(
            shared("a", "b", "c"),
            OK,
            sights(new Sight.Fresh(), SEEN, new Sight.Fresh()),
            new Answer.Handled(7, false),
            new Answer.Handled(5, true));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Handle", "Commit");
    assertThat(fates(outcome))
        .containsExactly(
            new Fate.Handled(7), new Fate.Duplicate(Duration.ofSeconds(9)), new Fate.Handled(5));
  }

  @Test
  void whenOneOfThemFailsNothingOfAnyIsLeft() {
    Sight fresh = new Sight.Fresh();
    Outcome outcome =
        run(
            shared("a", "b", "c"),
            OK,
            sights(fresh, fresh, fresh),
            new Answer.Handled(7, false),
            new Answer.Threw(BROKEN));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Handle", "Rollback");
    assertThat(outcome).isEqualTo(new Outcome.Failed(BROKEN, false));
  }

  @Test
  void whenTheirTimeIsOverTheOthersAndTheirCopiesAreTakenBack() {
    Sight fresh = new Sight.Fresh();
    Outcome outcome =
        run(
            shared("a", "b", "b", "c", "a"),
            OK,
            sights(fresh, fresh, new Sight.Seen(Duration.ZERO), fresh, SEEN),
            new Answer.Handled(7, true));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "TakeBack", "Commit");
    assertThat(fates(outcome))
        .containsExactly(
            new Fate.Handled(7),
            new Fate.Unhandled(),
            new Fate.Unhandled(),
            new Fate.Unhandled(),
            new Fate.Duplicate(Duration.ofSeconds(9)));
  }

  @Test
  void aFailedHandlerLeavesNothing() {
    Outcome outcome =
        run(
            handle(NO_MARK, task("e", HANDLE, null)),
            OK,
            sights(new Sight.Fresh()),
            new Answer.Threw(BROKEN));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Rollback");
    assertThat(outcome).isEqualTo(new Outcome.Failed(BROKEN, false));
  }

  @Test
  void anUnansweredCommitIsNoSuccess() {
    Outcome outcome =
        run(handle(NO_MARK, task("e", HANDLE, null)), OK, sights(new Sight.Fresh()), OK, FAILED);

    assertThat(outcome).isEqualTo(new Outcome.StoreDown("gone", true, false));
  }

  @Test
  void whatIsToBeDeadIsNotNotedBeforeItsLetter() {
    Outcome outcome =
        run(
            handle(NO_MARK, task("e", new Plan.Bury("unknown-type", "no handler"), null)),
            OK,
            sights(new Sight.Fresh()));

    assertThat(steps).containsExactly("Begin", "Look", "Rollback");
    assertThat(fates(outcome)).containsExactly(new Fate.ToBury("unknown-type", "no handler"));
  }

  @Test
  void aSuspectsStartIsCommittedBeforeItsHandler() {
    run(
        handle(SUSPECT, task("e", HANDLE, null)),
        OK,
        NEVER_STARTED,
        OK,
        OK,
        OK,
        sights(new Sight.Fresh()));

    assertThat(steps)
        .containsExactly(
            "Begin",
            "LookAtStarts",
            "Started",
            "Commit",
            "Begin",
            "Look",
            "Handle",
            "ForgetStarts",
            "Commit");
  }

  @Test
  void aSuspectThatFailedIsNotedAsEnded() {
    Outcome outcome =
        run(
            handle(SUSPECT, task("e", HANDLE, null)),
            OK,
            NEVER_STARTED,
            OK,
            OK,
            OK,
            sights(new Sight.Fresh()),
            new Answer.Threw(BROKEN));

    assertThat(steps).endsWith("Handle", "Rollback", "Begin", "Ended", "Commit");
    assertThat(outcome).isEqualTo(new Outcome.Failed(BROKEN, false));
  }

  @Test
  void anEndThatCouldNotBeNotedIsNotedLater() {
    Outcome outcome =
        run(
            handle(SUSPECT, task("e", HANDLE, null)),
            OK,
            NEVER_STARTED,
            OK,
            OK,
            OK,
            sights(new Sight.Fresh()),
            new Answer.Threw(BROKEN),
            OK,
            FAILED);
    assertThat(outcome).isEqualTo(new Outcome.Failed(BROKEN, true));

    steps.clear();
    run(handle(new Work.Mark(List.of("e"), true, false, 3), task("e", HANDLE, null)));
    assertThat(steps).startsWith("Begin", "Ended", "LookAtStarts", "Started", "Commit");
  }

  @Test
  void anOutageDuringASuspectsTransactionIsNotedAsItsEnd() {
    Outcome outcome =
        run(handle(SUSPECT, task("e", HANDLE, null)), OK, NEVER_STARTED, OK, OK, OK, FAILED);

    assertThat(steps).endsWith("Look", "Rollback", "Begin", "Ended", "Commit");
    assertThat(outcome).isEqualTo(new Outcome.StoreDown("gone", true, false));
  }

  @Test
  void whatWasUnderWayWhenTheProcessDiedIsHandledOnlyAlone() {
    Work.Mark both = new Work.Mark(List.of("e", "f"), false, false, 3);
    Work work = handle(both, task("e", HANDLE, null), task("f", HANDLE, null));
    Outcome outcome = run(work, OK, new Answer.Starts(Map.of("f", 4)));

    assertThat(steps).as("no start is noted").containsExactly("Begin", "LookAtStarts", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Unhandled(), new Fate.MustBeAlone(4));
  }

  @Test
  void theStartThatMadeItASuspectDoesNotCount() {
    run(
        handle(ALONE, task("e", HANDLE, null)),
        OK,
        new Answer.Starts(Map.of("e", 3)),
        OK,
        OK,
        OK,
        sights(new Sight.Fresh()));

    assertThat(steps).contains("Started", "Handle");
  }

  @Test
  void whatKilledTheProcessThreeTimesAloneIsNotHandledAgain() {
    Work work = handle(ALONE, task("e", HANDLE, null));
    Outcome outcome = run(work, OK, new Answer.Starts(Map.of("e", 4)));

    assertThat(steps).containsExactly("Begin", "LookAtStarts", "Commit");
    assertThat(fates(outcome))
        .singleElement()
        .isInstanceOfSatisfying(
            Fate.ToBury.class, dead -> assertThat(dead.reason()).isEqualTo("killed-the-process"));
  }

  @Test
  public void aDeferredEventIsRemovedWithItsEffect() {
    Outcome outcome = run(retry(NO_MARK, deferred(null)), OK, sights(new Sight.Fresh()));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Handle", "Forget", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Handled(0));
  }

  @Test
  public void aDeferredEventWhoseClaimIsLostIsLeftAlone() {
    Outcome outcome = run(retry(NO_MARK, deferred(null)), OK, sights(new Sight.Lost()));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Rollback");
    assertThat(fates(outcome)).containsExactly(new Fate.Lost());
  }

  @Test
  void aSuspectWhoseClaimIsLostIsNotedAsEnded() {
    Outcome outcome =
        run(
            retry(SUSPECT, deferred(null)),
            OK,
            NEVER_STARTED,
            OK,
            OK,
            OK,
            sights(new Sight.Lost()));

    assertThat(steps).endsWith("LookAgain", "Rollback", "Begin", "Ended", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Lost());
  }

  @Test
  void theEndOfASuspectWhoseClaimIsLostIsNotedLaterIfItCouldNotBe() {
    Answer[] answers = {
      OK, NEVER_STARTED, OK, OK, OK, sights(new Sight.Lost()), OK, OK, OK, FAILED
    };
    Outcome outcome = run(retry(SUSPECT, deferred(null)), answers);

    assertThat(steps).endsWith("Ended", "Commit", "Rollback");
    assertThat(outcome).isEqualTo(new Outcome.StoreDown("gone", true, true));
  }

  @Test
  public void aDeferredEventThatWasProcessedMeanwhileIsRemoved() {
    Outcome outcome = run(retry(NO_MARK, deferred(null)), OK, sights(SEEN));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Forget", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Duplicate(Duration.ofSeconds(9)));
  }

  @Test
  void aDeferredEventThatIsGivenUpWaitsOnlyForItsLetter() {
    Outcome outcome =
        run(retry(NO_MARK, deferred("permanent-failure")), OK, sights(new Sight.Fresh()));

    assertThat(steps).doesNotContain("Handle");
    assertThat(fates(outcome)).containsExactly(new Fate.ToBury("permanent-failure", "broken"));
  }

  @Test
  void whatIsGivenUpStaysSoThoughThisVersionWouldStopItsLane() {
    Plan halt = new Plan.Halt("no handler");
    Outcome outcome =
        run(
            new Work.Retry(1, task("e", halt, deferred("unknown-type")), NO_MARK),
            OK,
            sights(new Sight.Fresh()));

    assertThat(fates(outcome)).containsExactly(new Fate.ToBury("unknown-type", "broken"));
  }

  @Test
  void theDeadAreNotedThoughTheirKeyWaits() {
    Outcome outcome =
        run(new Work.Bury(1, task("e", HANDLE, null), NO_MARK), OK, sights(new Sight.Fresh()));

    assertThat(steps).containsExactly("Begin", "NoteDead", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Buried());
  }

  @Test
  void theDeadAreNotedAndRemovedTogether() {
    Outcome outcome =
        run(
            new Work.Bury(1, task("e", HANDLE, deferred(null)), SUSPECT),
            OK,
            sights(new Sight.Fresh()));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Forget", "ForgetStarts", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Buried());
  }
}
