package io.waybill.internal.inbox.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.store.DedupeResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The steps of an attempt at an event that may have killed a process. */
class SuspectTransactionTest extends AttemptRun {
  @Test
  void aSuspectsStartIsCommittedBeforeItsHandler() {
    run(
        handle(SUSPECT, task("e", HANDLE, null)),
        OK,
        NEVER_STARTED,
        OK,
        OK,
        OK,
        dedupeResults(new DedupeResult.Fresh()));

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
            dedupeResults(new DedupeResult.Fresh()),
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
            dedupeResults(new DedupeResult.Fresh()),
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
        dedupeResults(new DedupeResult.Fresh()));

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
  void aSuspectWhoseClaimIsLostIsNotedAsEnded() {
    Outcome outcome =
        run(
            retry(SUSPECT, deferred(null)),
            OK,
            NEVER_STARTED,
            OK,
            OK,
            OK,
            dedupeResults(new DedupeResult.Lost()));

    assertThat(steps).endsWith("LookAgain", "Rollback", "Begin", "Ended", "Commit");
    assertThat(fates(outcome)).containsExactly(new Fate.Lost());
  }

  @Test
  void theEndOfASuspectWhoseClaimIsLostIsNotedLaterIfItCouldNotBe() {
    Answer[] answers = {
      OK, NEVER_STARTED, OK, OK, OK, dedupeResults(new DedupeResult.Lost()), OK, OK, OK, FAILED
    };
    Outcome outcome = run(retry(SUSPECT, deferred(null)), answers);

    assertThat(steps).endsWith("Ended", "Commit", "Rollback");
    assertThat(outcome).isEqualTo(new Outcome.StoreDown("gone", true, true));
  }
}
