package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.BATCH;
import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.inbox.attempt.Answer;
import io.waybill.internal.inbox.attempt.AttemptRun;
import io.waybill.internal.inbox.attempt.HandlingTransaction;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Step;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Header;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DeferredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values that the database does not take are the business of the event that has them. */
class RefusedDataTest {
  private static final Duration LONGEST = Duration.ofMinutes(6);
  private static final String REFUSED = "the database refuses it: too large";

  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @AfterEach
  void itIsNoOutage() {
    assertThat(inbox.told(InboxEvent.StoreFailed.class)).isEmpty();
  }

  /** Until it is to be deferred. */
  private void failInPlace() {
    for (int i = 0; i < 3; i++) {
      inbox.failed("a1", true).pass(Duration.ofSeconds(1));
    }
    inbox.failed("a1", true);
  }

  @Test
  void whatCannotBeDeferredHasItsAttemptsInPlaceWhileItsKeyWaits() {
    inbox.deliver(SINGLE, "a1", "a2");
    failInPlace();
    List<Integer> attempts = new ArrayList<>();
    while (deferral().deadReason() == null) {
      attempts.add(deferral().attempts());
      inbox.refused("defer a1").deliver(SINGLE, "b" + attempts.size());
      assertThat(inbox.running()).as("others go on").containsExactly("b" + attempts.size());
      inbox.handled("b" + attempts.size()).pass(LONGEST);
      assertThat(inbox.running()).containsExactly("a1");
      inbox.failed("a1", true);
    }

    assertThat(attempts).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(inbox.told(InboxEvent.Refused.class)).hasSize(9);
    assertThat(inbox.all(InboxEffect.Publish.class)).as("it may yet be put on record").isEmpty();
    inbox.refused("defer a1");
    assertThat(inbox.acknowledged()).doesNotContain("a1");
    assertThat(inbox.all(InboxEffect.Publish.class).get(0).message().headers())
        .contains(new Header("waybill-dead-reason", "attempts-exhausted"));
    inbox.confirm().done("bury a1", new Fate.Buried());
    assertThat(inbox.acknowledged()).endsWith("a1");
    assertThat(inbox.running()).containsExactly("a2");
  }

  private DeferredEvent deferral() {
    return ((Work.Defer) inbox.work("defer a1")).event();
  }

  @Test
  void whatCannotBeDeferredIsHandledWhenItsHandlerCan() {
    inbox.deliver(SINGLE, "a1", "a2");
    failInPlace();
    inbox.refused("defer a1").pass(LONGEST).handled("a1");

    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.running()).containsExactly("a2");
  }

  @Test
  void itIsDoneAgainAfterPausesThatGrow() {
    inbox.deliver(SINGLE, "a1");
    for (int i = 0; i < 20; i++) {
      inbox.refused("a1").pass(LONGEST);
    }

    List<Long> pauses =
        inbox.told(InboxEvent.Refused.class).stream().map(InboxEvent.Refused::delayMillis).toList();
    assertThat(pauses).hasSize(20).allMatch(millis -> millis > 0 && millis <= 300_001);
    assertThat(pauses.get(0)).isLessThanOrEqualTo(1_001);
    assertThat(pauses).anyMatch(millis -> millis > 100_000);
    assertThat(inbox.handled("a1").acknowledged()).containsExactly("a1");
  }

  @Test
  void ofSeveralItShowsWhichItIs() {
    inbox.deliver(BATCH, "a1", "b1").refused("a1 b1");
    assertThat(inbox.running()).containsExactlyInAnyOrder("a1", "b1");
    assertThat(inbox.told(InboxEvent.Refused.class)).isEmpty();

    inbox.handled("b1").refused("a1");
    assertThat(inbox.acknowledged()).containsExactly("b1");
    assertThat(inbox.told(InboxEvent.Refused.class)).hasSize(1);
  }

  @Test
  void theDeadIsNotAcknowledgedBeforeItIsNotedAndHasOneLetter() {
    inbox.deliver(SINGLE, "a1").failed("a1", false).refused("defer a1").confirm();
    inbox.refused("bury a1");
    assertThat(inbox.acknowledged()).isEmpty();

    inbox.pass(LONGEST).done("bury a1", new Fate.Buried());
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.all(InboxEffect.Publish.class)).hasSize(1);
  }

  @Test
  void deferredEventsOfItsKeyDoNotWaitForItsTime() {
    inbox.deliver(SINGLE, "a2", "a3").refused("a2");
    assertThat(inbox.running()).isEmpty();

    inbox.fetched("a1", 1, null);
    assertThat(inbox.running()).containsExactly("a1");
    inbox.handled("a1");
    assertThat(inbox.running()).as("what waited for it").containsExactly("a2");
    inbox.handled("a2").handled("a3");
    assertThat(inbox.acknowledged()).containsExactly("a2", "a3");
  }

  @Test
  void deferredEventsOfItsKeyThatCameMeanwhileGoBeforeIt() {
    inbox.deliver(SINGLE, "a2").fetched("a1", 1, null).refused("a2");
    assertThat(inbox.running()).containsExactly("a1");
    assertThat(inbox.told(InboxEvent.Refused.class).get(0).delayMillis()).isZero();

    inbox.handled("a1").handled("a2");
    assertThat(inbox.acknowledged()).containsExactly("a2");
  }

  @Test
  void deferredEventsOfItsKeyGoBeforeWhatWasTriedTogetherWithIt() {
    inbox.deliver(BATCH, "a2", "a3").fetched("a1", 1, null).refused("a2 a3");
    assertThat(inbox.running()).containsExactly("a2");

    inbox.refused("a2");
    assertThat(inbox.running()).containsExactly("a1");
  }

  @Test
  void deferredEventsThatAreRefusedWaitInTheirTableAndLeaveRoomForOthers() {
    List<String> all = IntStream.range(0, 64).mapToObj(i -> (char) ('A' + i) + "1").toList();
    List<Long> pauses = new ArrayList<>();
    for (int round = 0; round < 12; round++) {
      all.forEach(each -> inbox.fetched(each, 1, null));
      while (!inbox.running().isEmpty()) {
        inbox.running().forEach(each -> refuse(each, pauses));
      }
      inbox.pass(Duration.ofSeconds(1));
      List<InboxEffect.Fetch> fetches = inbox.all(InboxEffect.Fetch.class);
      assertThat(fetches.get(fetches.size() - 1).limit()).as("room").isEqualTo(64);
    }
    assertThat(pauses).hasSize(12 * 64).allMatch(millis -> millis <= 300_001);
    assertThat(pauses).anyMatch(millis -> millis > 100_000);
    assertThat(inbox.told(InboxEvent.Refused.class)).hasSize(12 * 64);
    assertThat(inbox.told(InboxEvent.Deferred.class)).isEmpty();
    assertThat(inbox.stuck()).extracting(InboxEvent.MessageStuck::reason).containsOnly(REFUSED);
  }

  private void refuse(String name, List<Long> pauses) {
    if (!name.startsWith("defer again ")) {
      inbox.refused(name);
      return;
    }
    DeferredEvent event = ((Work.DeferAgain) inbox.work(name)).event();
    assertThat(event.attempts()).as("none is counted").isEqualTo(1);
    assertThat(event.failure()).isEqualTo("broken");
    pauses.add(event.delayMillis());
    inbox.done(name, new Fate.Deferred());
  }

  @Test
  void whatADeferredEventHasComeToIsKeptWithoutTheFailureThatIsRefused() {
    inbox.fetched("a1", 1, null).failed("a1", true).refused("defer again a1");
    DeferredEvent again = ((Work.DeferAgain) inbox.work("defer again a1")).event();
    assertThat(again.attempts()).isEqualTo(2);
    assertThat(again.failure()).isEqualTo("broken");

    inbox.done("defer again a1", new Fate.Deferred()).fetched("a1", 2, null).failed("a1", false);
    inbox.refused("defer again a1");
    DeferredEvent dead = ((Work.DeferAgain) inbox.work("defer again a1")).event();
    assertThat(dead.deadReason()).isEqualTo("permanent-failure");
    inbox.refused("defer again a1");
    assertThat(inbox.running()).as("even that is refused").isEmpty();
    inbox.pass(LONGEST).done("defer again a1", new Fate.Deferred());
    assertThat(inbox.holdsAnything()).isFalse();
  }

  @Test
  void stoppingGivesItBackAndALaneThatLeavesTakesItAlong() {
    inbox.deliver(SINGLE, "a1").refused("a1").deliverOn("other", "b1").refused("b1");
    inbox.revoke("other", false);
    assertThat(inbox.gauges().events()).isEqualTo(1);
    inbox.put(InboxInput.Signal.STOP);
    assertThat(inbox.givenBack()).containsExactly("a1");
  }

  @Test
  void anAttemptEndsItsTransactionAndIsToldApartFromAnOutage() {
    Work work = new Work.Defer(1, AttemptRun.deferred(null), Work.Mark.NONE);
    HandlingTransaction attempt = new HandlingTransaction(work);
    assertThat(attempt.first()).isInstanceOf(Step.Begin.class);
    assertThat(attempt.next(new Answer.Ok())).isInstanceOf(Step.Defer.class);
    assertThat(attempt.next(new Answer.Refused("too large"))).isInstanceOf(Step.Rollback.class);
    assertThat(attempt.next(new Answer.Ok()))
        .isEqualTo(new Step.End(new Outcome.Refused("too large", false)));
  }

  @Test
  void anOutageBeforeItIsAnOutage() {
    Work work =
        new Work.Retry(1, AttemptRun.deferredTask(), new Work.Mark(List.of("e"), false, false, 3));
    HandlingTransaction attempt = new HandlingTransaction(work);
    Step step = attempt.first();
    while (!(step instanceof Step.LookAgain)) {
      step =
          attempt.next(
              step instanceof Step.LookAtStarts ? new Answer.Starts(Map.of()) : new Answer.Ok());
    }
    step = attempt.next(new Answer.StoreFailed("gone", true));
    while (!(step instanceof Step.Ended)) {
      step = attempt.next(new Answer.Ok());
    }
    assertThat(attempt.next(new Answer.Refused("too large"))).isInstanceOf(Step.Rollback.class);
    assertThat(attempt.next(new Answer.Ok()))
        .isEqualTo(new Step.End(new Outcome.StoreDown("gone", true, true)));
  }
}
