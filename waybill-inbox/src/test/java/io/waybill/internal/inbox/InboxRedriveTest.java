package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.UnknownTypes;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import org.junit.jupiter.api.Test;

/** What the engine does with events that an operator sent again. */
class InboxRedriveTest {
  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @Test
  void aRedrivenEventIsANewOneForTheConsumerThatItIsFor() {
    inbox.deliver(SINGLE, "a1").done("a1", new Fate.Handled(0));
    inbox.deliverRedriven("a1", "test").deliverRedriven("b1", null);

    assertThat(inbox.running()).containsExactlyInAnyOrder("a1 2", "b1 2");
  }

  @Test
  void whatIsRedrivenForAnotherConsumerIsAcknowledgedUnseen() {
    inbox.deliverRedriven("a1", "another");

    assertThat(inbox.running()).isEmpty();
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.told(InboxEvent.PassedOver.class))
        .singleElement()
        .returns("another", InboxEvent.PassedOver::consumer)
        .returns("a1 2", passed -> passed.about().eventId());
    assertThat(inbox.told(InboxEvent.Ignored.class)).isEmpty();
  }

  @Test
  void whatIsRedrivenForAnotherConsumerStopsNoLane() {
    InboxDriver strict = new InboxDriver(InboxSettings.ofDefaults(), UnknownTypes.FAIL);
    strict.deliverRedriven("unknown", "a1", "another").deliver(SINGLE, "a2");

    assertThat(strict.running()).containsExactly("a2");
  }

  @Test
  void whereNobodyElseHasACopyWhatIsForAnotherIsADeadLetterAgain() {
    InboxDriver alone = InboxDriver.alone();
    alone.deliverRedriven("a1", "another");
    Fate.ToBury dead = new Fate.ToBury("redriven-for-another", "for another");
    assertThat(alone.work("a1 2"))
        .isInstanceOfSatisfying(
            Work.Handle.class,
            work -> assertThat(work.tasks().get(0).plan()).isInstanceOf(Plan.Bury.class));
    alone.done("a1 2", dead);
    assertThat(alone.acknowledged()).as("before that is on record").isEmpty();
    alone.givenUp("a1 2", "redriven-for-another").deliver(SINGLE, "a2");
    assertThat(alone.acknowledged()).containsExactly("a1");
    alone.confirm().done("bury a1 2", new Fate.Buried());

    assertThat(alone.told(InboxEvent.PassedOver.class)).isEmpty();
    assertThat(alone.told(InboxEvent.DeadLettered.class))
        .singleElement()
        .returns("redriven-for-another", InboxEvent.DeadLettered::reason);
    assertThat(alone.running()).as("its key goes on").containsExactly("a2");
  }

  @Test
  void whatLiesInItsOwnTableIsHandledWhateverNameItWasRedrivenFor() {
    inbox.put(InboxInput.Signal.TICK).fetchedRedriven("a1", "its-former-name");

    assertThat(inbox.work("a1"))
        .isInstanceOfSatisfying(
            Work.Retry.class,
            work -> assertThat(work.task().plan()).isInstanceOf(Plan.Handle.class));
    assertThat(inbox.told(InboxEvent.PassedOver.class)).isEmpty();
  }

  @Test
  void whereNobodyElseHasACopyThatIsADeadLetterAgainToo() {
    InboxDriver alone = InboxDriver.alone();
    alone.put(InboxInput.Signal.TICK).fetchedRedriven("a1", "another");

    assertThat(alone.work("a1"))
        .isInstanceOfSatisfying(
            Work.Retry.class, work -> assertThat(work.task().plan()).isInstanceOf(Plan.Bury.class));
  }

  @Test
  void thereWhatIsForItselfIsHandled() {
    assertThat(InboxDriver.alone().deliverRedriven("a1", "test").running()).containsExactly("a1 2");
  }
}
