package io.waybill.inbox;

import static io.waybill.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.Outcome.Fate;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dead letters that can't be made: the code that says where they go fails. */
class InboxLetterTest {
  private static final Duration LONGER_THAN_BOTH_PAUSES = Duration.ofMinutes(2);

  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @Test
  void itsKeyWaitsAndItIsMadeAgainAfterAPause() {
    inbox.unmadeLetters = 2;
    inbox.deliver(SINGLE, "a1", "a2", "b1").failed("a1", false);
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class))
        .singleElement()
        .satisfies(
            told ->
                assertThat(told.reason())
                    .isEqualTo(
                        "no letter can be made: java.lang.IllegalArgumentException:"
                            + " no place for orders"));
    assertThat(inbox.running()).containsExactly("b1");

    inbox.pass(LONGER_THAN_BOTH_PAUSES);
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class)).hasSize(2);
    inbox.confirm().done("bury a1", new Fate.Buried());
    assertThat(inbox.acknowledged()).containsExactly("a1");
    assertThat(inbox.running()).containsExactlyInAnyOrder("b1", "a2");
  }

  @Test
  void aDeferredEventStaysInItsTable() {
    inbox.unmadeLetters = 1;
    inbox.fetched("a1", 9, null).failed("a1", true);

    Work.Postpone postpone = (Work.Postpone) inbox.work("postpone a1");
    assertThat(postpone.event().deadReason()).isEqualTo("attempts-exhausted");
  }

  @Test
  void aMessageThatIsNoEventHoldsUpItsKeyOnly() {
    inbox.unmadeLetters = 1;
    inbox.deliverUndecodable("a").deliver(SINGLE, "a1", "b1");
    assertThat(inbox.running()).containsExactly("b1");
    assertThat(inbox.acknowledged()).isEmpty();

    inbox.pass(LONGER_THAN_BOTH_PAUSES).confirm();
    assertThat(inbox.running()).containsExactlyInAnyOrder("a1", "b1");
    assertThat(inbox.acknowledged()).hasSize(1);
  }

  @Test
  void stoppingGivesItBack() {
    inbox.unmadeLetters = 1;
    inbox.put(InboxInput.Signal.TICK).put(new InboxInput.Fetched(List.of(), 64));
    inbox.deliver(SINGLE, "a1").failed("a1", false).put(InboxInput.Signal.STOP);

    assertThat(inbox.givenBack()).containsExactly("a1");
    assertThat(inbox.all(InboxEffect.Release.class)).hasSize(1);
  }
}
