package io.waybill.internal.inbox.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.store.DedupeResult;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The steps of an attempt, one row for each way they can go. */
class HandlingTransactionTest extends AttemptRun {
  @Test
  void firstSightAndEffectShareATransaction() {
    Outcome outcome =
        run(handle(NO_MARK, task("e", HANDLE, null)), OK, dedupeResults(new DedupeResult.Fresh()));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Handled(0));
  }

  @Test
  void aDuplicateIsNotHandled() {
    Outcome outcome = run(handle(NO_MARK, task("e", HANDLE, null)), OK, dedupeResults(SEEN));

    assertThat(steps).containsExactly("Begin", "Look", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Duplicate(Duration.ofSeconds(9)));
  }

  @Test
  void anEventGoesBehindADeferredOneOfItsKey() {
    Outcome outcome =
        run(handle(NO_MARK, task("e", HANDLE, null)), OK, dedupeResults(new DedupeResult.Behind()));

    assertThat(steps).containsExactly("Begin", "Look", "Defer", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.DeferredBehind());
  }

  @Test
  void aDeferredEventIsNeverForgottenWithoutAPlanForIt() {
    Plan passOver = new Plan.PassOver("another");
    Work work = new Work.Retry(1, task("e", passOver, deferred(null)), NO_MARK);

    assertThatIllegalStateException()
        .isThrownBy(() -> run(work, OK, dedupeResults(new DedupeResult.Fresh())))
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
            dedupeResults(
                SEEN,
                new DedupeResult.Fresh(),
                new DedupeResult.Behind(),
                new DedupeResult.Fresh()),
            OK,
            new Answer.Handled(8, true));

    assertThat(steps).containsExactly("Begin", "Look", "Defer", "Handle", "Commit");
    assertThat(fates(outcome))
        .containsExactly(
            new Fate.Duplicate(Duration.ofSeconds(9)),
            new Fate.Handled(4),
            new Fate.DeferredBehind(),
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
            dedupeResults(new DedupeResult.Fresh(), SEEN, new DedupeResult.Fresh()),
            new Answer.Handled(7, false),
            new Answer.Handled(5, true));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Handle", "Commit");
    assertThat(fates(outcome))
        .containsExactly(
            new Fate.Handled(7), new Fate.Duplicate(Duration.ofSeconds(9)), new Fate.Handled(5));
  }

  @Test
  void whenOneOfThemFailsNothingOfAnyIsLeft() {
    DedupeResult fresh = new DedupeResult.Fresh();
    Outcome outcome =
        run(
            shared("a", "b", "c"),
            OK,
            dedupeResults(fresh, fresh, fresh),
            new Answer.Handled(7, false),
            new Answer.Threw(BROKEN));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Handle", "Rollback");
    assertThat(outcome).isEqualTo(new Outcome.Failed(BROKEN, false));
  }

  @Test
  void whenTheirTimeIsOverTheOthersAndTheirCopiesAreTakenBack() {
    DedupeResult fresh = new DedupeResult.Fresh();
    Outcome outcome =
        run(
            shared("a", "b", "b", "c", "a"),
            OK,
            dedupeResults(fresh, fresh, new DedupeResult.Seen(Duration.ZERO), fresh, SEEN),
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
            dedupeResults(new DedupeResult.Fresh()),
            new Answer.Threw(BROKEN));

    assertThat(steps).containsExactly("Begin", "Look", "Handle", "Rollback");
    assertThat(outcome).isEqualTo(new Outcome.Failed(BROKEN, false));
  }

  @Test
  void anUnansweredCommitIsNoSuccess() {
    Outcome outcome =
        run(
            handle(NO_MARK, task("e", HANDLE, null)),
            OK,
            dedupeResults(new DedupeResult.Fresh()),
            OK,
            FAILED);

    assertThat(outcome).isEqualTo(new Outcome.StoreDown("gone", true, false));
  }

  @Test
  void whatIsToBeDeadIsNotNotedBeforeItsLetter() {
    Outcome outcome =
        run(
            handle(NO_MARK, task("e", new Plan.Bury("unknown-type", "no handler"), null)),
            OK,
            dedupeResults(new DedupeResult.Fresh()));

    assertThat(steps).containsExactly("Begin", "Look", "Rollback");
    assertThat(fates(outcome)).containsExactly(new Fate.ToBury("unknown-type", "no handler"));
  }

  @Test
  void aDeferredEventIsRemovedWithItsEffect() {
    Outcome outcome =
        run(retry(NO_MARK, deferred(null)), OK, dedupeResults(new DedupeResult.Fresh()));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Handle", "Forget", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Handled(0));
  }

  @Test
  void aDeferredEventWhoseClaimIsLostIsLeftAlone() {
    Outcome outcome =
        run(retry(NO_MARK, deferred(null)), OK, dedupeResults(new DedupeResult.Lost()));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Rollback");
    assertThat(fates(outcome)).containsExactly(new Fate.Lost());
  }

  @Test
  void aDeferredEventThatWasProcessedMeanwhileIsRemoved() {
    Outcome outcome = run(retry(NO_MARK, deferred(null)), OK, dedupeResults(SEEN));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Forget", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Duplicate(Duration.ofSeconds(9)));
  }

  @Test
  void aDeferredEventThatIsGivenUpWaitsOnlyForItsLetter() {
    Outcome outcome =
        run(
            retry(NO_MARK, deferred("permanent-failure")),
            OK,
            dedupeResults(new DedupeResult.Fresh()));

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
            dedupeResults(new DedupeResult.Fresh()));

    assertThat(fates(outcome)).containsExactly(new Fate.ToBury("unknown-type", "broken"));
  }

  @Test
  void theDeadAreNotedThoughTheirKeyWaits() {
    Outcome outcome =
        run(
            new Work.Bury(1, task("e", HANDLE, null), NO_MARK),
            OK,
            dedupeResults(new DedupeResult.Fresh()));

    assertThat(steps).containsExactly("Begin", "NoteDead", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Buried());
  }

  @Test
  void theDeadAreNotedAndRemovedTogether() {
    Outcome outcome =
        run(
            new Work.Bury(1, task("e", HANDLE, deferred(null)), SUSPECT),
            OK,
            dedupeResults(new DedupeResult.Fresh()));

    assertThat(steps).containsExactly("Begin", "LookAgain", "Forget", "ForgetStarts", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Buried());
  }
}
