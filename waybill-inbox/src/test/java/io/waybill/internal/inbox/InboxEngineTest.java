package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.BATCH;
import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.UnknownTypes;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Header;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxEngineTest {
  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @Test
  void keysGoInParallelAndEventsOfAKeyOneAfterTheOther() {
    inbox.deliver(SINGLE, "a1", "a2", "b1");
    assertThat(inbox.running()).containsExactlyInAnyOrder("a1", "b1");

    inbox.handled("a1");
    assertThat(inbox.running()).containsExactlyInAnyOrder("a2", "b1");
  }

  @Test
  void eventsWithoutKeyGoInParallel() {
    inbox.deliver(SINGLE, "-1", "-2");

    assertThat(inbox.running()).containsExactlyInAnyOrder("-1", "-2");
  }

  @Test
  void copiesOfAnEventWithoutKeyDoNotRunAtTheSameTime() {
    inbox.deliver(SINGLE, "-1", "-1");
    assertThat(inbox.running()).containsExactly("-1");

    inbox.handled("-1");
    assertThat(inbox.running()).containsExactly("-1");
    assertThat(inbox.acknowledged()).hasSize(1);
  }

  @Test
  void nothingIsAcknowledgedBeforeItsTransactionHasEnded() {
    inbox.deliver(SINGLE, "a1", "b1");
    assertThat(inbox.acknowledged()).isEmpty();

    inbox.handled("b1");
    assertThat(inbox.acknowledged()).containsExactly("b1");
  }

  @Test
  void aDuplicateIsAcknowledgedAndCountedByItsAge() {
    inbox.deliver(SINGLE, "a1").done("a1", new Fate.Duplicate(Duration.ofHours(3)));

    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.told(InboxEvent.Duplicate.class))
        .singleElement()
        .satisfies(told -> assertThat(told.age()).isEqualTo(Duration.ofHours(3)));
  }

  @Test
  void noMoreTransactionsThanWorkers() {
    InboxDriver two =
        new InboxDriver(InboxSettings.ofDefaults().workers(2), UnknownTypes.DEAD_LETTER);
    two.deliver(SINGLE, "a1", "b1", "c1");

    assertThat(two.running()).containsExactlyInAnyOrder("a1", "b1");
  }

  @Test
  void aBatchTakesWhatWaitsUpToItsLimit() {
    InboxDriver one =
        new InboxDriver(InboxSettings.ofDefaults().workers(1), UnknownTypes.DEAD_LETTER);
    one.deliver(BATCH, "a1").deliver(BATCH, "b1", "a2", "c1", "b2").handled("a1");

    assertThat(one.running()).containsExactly("b1 b2 c1");
    one.handled("b1 b2 c1");
    assertThat(one.acknowledged()).containsExactly("a1", "b1", "b2", "c1");
    assertThat(one.running()).containsExactly("a2");
  }

  @Test
  void eventsOfAFailedBatchAreHandledSingly() {
    inbox.deliver(BATCH, "a1", "a2", "b1").failed("a1 a2 b1", true);

    assertThat(inbox.running()).containsExactlyInAnyOrder("a1", "b1");
    inbox.handled("a1");
    assertThat(inbox.running()).containsExactlyInAnyOrder("a2", "b1");
    assertThat(inbox.told(InboxEvent.Retried.class)).isEmpty();
  }

  @Test
  void aTemporaryFailureIsTriedAgainInPlaceWhileItsKeyWaits() {
    inbox.deliver(SINGLE, "a1", "a2").failed("a1", true);
    assertThat(inbox.running()).isEmpty();
    assertThat(inbox.told(InboxEvent.Retried.class))
        .singleElement()
        .satisfies(told -> assertThat(told.delayMillis()).isLessThanOrEqualTo(50));

    inbox.pass(Duration.ofMillis(60));
    assertThat(inbox.running()).containsExactly("a1");
    inbox.handled("a1");
    assertThat(inbox.running()).containsExactly("a2");
    assertThat(inbox.acknowledged()).containsExactly("a1");
  }

  @Test
  void afterItsQuickRetriesAnEventIsDeferredAndAcknowledgedOnlyThen() {
    inbox.deliver(SINGLE, "a1", "a2");
    for (int i = 0; i < 3; i++) {
      inbox.failed("a1", true).pass(Duration.ofSeconds(1));
    }
    inbox.failed("a1", true);

    assertThat(inbox.running()).containsExactly("defer a1");
    assertThat(inbox.acknowledged()).isEmpty();
    Work.Defer defer = (Work.Defer) inbox.work("defer a1");
    assertThat(defer.event().attempts()).isEqualTo(1);
    assertThat(defer.event().failure()).isEqualTo("broken");
    inbox.done("defer a1", new Fate.Deferred());
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.running()).containsExactly("a2");
  }

  @Test
  void aDeferredEventGoesBeforeDeliveriesOfItsKey() {
    inbox.deliver(SINGLE, "a2", "a3");
    inbox.fetched("a1", 1, null).done("a2", new Fate.DeferredBehind());

    assertThat(inbox.running()).containsExactly("a1");
    assertThat(inbox.work("a1")).isInstanceOf(Work.Retry.class);
  }

  @Test
  void aDeferredEventThatFailsStaysWithMoreAttempts() {
    inbox.fetched("a1", 4, null).failed("a1", true);

    Work.DeferAgain again = (Work.DeferAgain) inbox.work("defer again a1");
    assertThat(again.event().attempts()).isEqualTo(5);
    assertThat(again.event().deadReason()).isNull();
  }

  @Test
  void theLastAttemptIsFollowedByADeadLetter() {
    inbox.fetched("a1", 9, null).failed("a1", true);
    assertThat(inbox.all(InboxEffect.Publish.class)).as("before it is on record").isEmpty();

    inbox.givenUp("a1", "attempts-exhausted");
    assertThat(inbox.all(InboxEffect.Publish.class)).hasSize(1);
    inbox.confirm().done("bury a1", new Fate.Buried());
    assertThat(inbox.told(InboxEvent.DeadLettered.class))
        .singleElement()
        .satisfies(told -> assertThat(told.reason()).isEqualTo("attempts-exhausted"));
  }

  @Test
  void aPermanentFailureIsDeadLetteredBeforeItsKeyGoesOn() {
    inbox.deliver(SINGLE, "a1").failed("a1", false);
    assertThat(inbox.all(InboxEffect.Publish.class)).as("before it is on record").isEmpty();
    assertThat(inbox.acknowledged()).isEmpty();
    inbox.givenUp("a1", "permanent-failure");
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.told(InboxEvent.Deferred.class)).as("it is not tried again").isEmpty();
    assertThat(inbox.all(InboxEffect.Publish.class))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.message().destination().target()).isEqualTo("orders.dlt");
              assertThat(letter.message().headers())
                  .contains(new Header("waybill-dead-reason", "permanent-failure"));
            });
    inbox.deliver(SINGLE, "a2");
    assertThat(inbox.running()).isEmpty();

    inbox.confirm();
    assertThat(inbox.running()).containsExactly("bury a1");
    inbox.done("bury a1", new Fate.Buried());
    assertThat(inbox.running()).containsExactly("a2");
  }

  @Test
  void whatTheTableDoesNotTakeStaysWithTheBrokerUntilItsLetterIsConfirmed() {
    inbox.deliver(SINGLE, "a1", "a2", "b1").failed("a1", false).refused("defer a1");
    for (int i = 1; i <= 20; i++) {
      inbox.refuse();
      assertThat(inbox.all(InboxEffect.Publish.class)).hasSize(i);
      inbox.pass(Duration.ofMinutes(2));
    }

    assertThat(inbox.acknowledged()).isEmpty();
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class)).hasSize(20);
    inbox.confirm().done("bury a1", new Fate.Buried());
    assertThat(inbox.acknowledged()).containsExactly("a1");
  }

  @Test
  void aRefusedDeadLetterOfADeferredEventLeavesItInItsTable() {
    inbox.fetched("a1", 9, null).failed("a1", true).givenUp("a1", "attempts-exhausted").refuse();

    Work.DeferAgain again = (Work.DeferAgain) inbox.work("defer again a1");
    assertThat(again.event().deadReason()).isEqualTo("attempts-exhausted");
    assertThat(again.event().attempts()).isEqualTo(9);
  }

  @Test
  void aMessageThatIsNoEventIsDeadLetteredInTheOrderOfItsKey() {
    inbox.deliver(SINGLE, "a1").deliverUndecodable("a");
    assertThat(inbox.all(InboxEffect.Publish.class)).isEmpty();

    inbox.handled("a1");
    assertThat(inbox.all(InboxEffect.Publish.class)).hasSize(1);
    assertThat(inbox.acknowledged()).containsExactly("a1");
    inbox.confirm();
    assertThat(inbox.acknowledged()).hasSize(2);
  }

  @Test
  void anUnknownTypeIsDeadLetteredOnceForAllItsCopies() {
    inbox.deliver("unheard", "a1", "a1");
    inbox.done("a1", new Fate.ToBury("unknown-type", "no handler"));
    inbox.done("defer a1", new Fate.Deferred()).done("a1", new Fate.DeferredBehind());
    assertThat(inbox.all(InboxEffect.Publish.class)).isEmpty();
    assertThat(inbox.acknowledged()).containsExactly("a1", "a1");
  }

  @Test
  void anUnknownTypeIsIgnoredUnseen() {
    InboxDriver ignoring = new InboxDriver(InboxSettings.ofDefaults(), UnknownTypes.IGNORE);
    ignoring.deliver("unheard", "a1");

    assertThat(ignoring.acknowledged()).containsExactly("a1");
    assertThat(ignoring.running()).isEmpty();
    assertThat(ignoring.told(InboxEvent.Ignored.class)).hasSize(1);
  }

  @Test
  void whileTheDatabaseFailsOneTryAtATimeIsMade() {
    inbox.deliver(SINGLE, "a1", "b1", "c1").storeDown("a1").storeDown("b1").storeDown("c1");
    assertThat(inbox.running()).isEmpty();
    assertThat(inbox.told(InboxEvent.StoreFailed.class)).hasSize(1);

    inbox.pass(Duration.ofMillis(150));
    assertThat(inbox.running()).hasSize(1);
    inbox.handled(inbox.running().iterator().next());
    assertThat(inbox.running()).hasSize(2);
    assertThat(inbox.told(InboxEvent.StoreRecovered.class)).hasSize(1);
    assertThat(inbox.told(InboxEvent.Retried.class)).as("attempts spent on an outage").isEmpty();
  }

  @Test
  void deferredEventsAreFetchedWhenTheyAreDueAndAfterEachPause() {
    inbox.put(InboxInput.Signal.TICK);
    assertThat(inbox.all(InboxEffect.Fetch.class)).hasSize(1);

    inbox.put(new InboxInput.Fetched(List.of(), 64)).pass(Duration.ofMillis(499));
    assertThat(inbox.all(InboxEffect.Fetch.class)).hasSize(1);
    inbox.pass(Duration.ofMillis(1));
    assertThat(inbox.all(InboxEffect.Fetch.class)).hasSize(2);
  }

  @Test
  void theNextOfAKeyIsFetchedWhenADeferredOneIsDone() {
    inbox.put(InboxInput.Signal.TICK).fetched("a1", 1, null);
    int before = inbox.all(InboxEffect.Fetch.class).size();

    inbox.handled("a1");
    assertThat(inbox.all(InboxEffect.Fetch.class)).hasSize(before + 1);
  }

  @Test
  void stoppingLetsHandlersEndAndGivesTheRestBack() {
    inbox.put(InboxInput.Signal.TICK).put(new InboxInput.Fetched(List.of(), 64));
    inbox.deliver(SINGLE, "a1", "a2", "b1").failed("b1", true);
    inbox.put(InboxInput.Signal.STOP);
    assertThat(inbox.givenBack()).containsExactlyInAnyOrder("a2", "b1");

    inbox.deliver(SINGLE, "c1").handled("a1");
    assertThat(inbox.givenBack()).contains("c1");
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.all(InboxEffect.ReleaseClaims.class)).hasSize(1);
    assertThat(inbox.all(InboxEffect.Stopped.class)).isEmpty();
    inbox.put(new InboxInput.Released());
    assertThat(inbox.all(InboxEffect.Stopped.class)).hasSize(1);
  }

  @Test
  void stoppingAwaitsDeadLettersUnderWay() {
    inbox.put(InboxInput.Signal.TICK).put(new InboxInput.Fetched(List.of(), 64));
    inbox.deliver(SINGLE, "a1").failed("a1", false).givenUp("a1", "permanent-failure");
    inbox.put(InboxInput.Signal.STOP);
    assertThat(inbox.all(InboxEffect.ReleaseClaims.class)).isEmpty();

    inbox.confirm().done("bury a1", new Fate.Buried());
    assertThat(inbox.all(InboxEffect.ReleaseClaims.class)).hasSize(1);
  }
}
