package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.BATCH;
import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When those are handled that may have killed the process. */
class SuspectLanesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final InboxDriver inbox = InboxDriver.ofDefaults();

  private void deliverSuspects(int number) {
    inbox.deliver(
        SINGLE,
        true,
        IntStream.range(0, number).mapToObj(i -> (char) ('A' + i) + "1").toArray(String[]::new));
  }

  private Work.Mark mark(String names) {
    return ((Work.Handle) inbox.work(names)).mark();
  }

  @Test
  void theyKeepAllWorkersBusyAfterARestart() {
    deliverSuspects(24);

    int rounds = 0;
    while (!inbox.running().isEmpty()) {
      rounds++;
      List.copyOf(inbox.running()).forEach(names -> inbox.handledIn(50_000, names));
    }
    assertThat(rounds).as("times of a handler until 24 are handled by 8 workers").isEqualTo(3);
  }

  @Test
  void oneThatHangsDoesNotStopTheOthers() {
    deliverSuspects(24);

    for (int i = 0; i < 24; i++) {
      inbox.running().stream().filter(n -> !n.equals("A1")).forEach(inbox::handled);
    }
    assertThat(inbox.acknowledged()).as("beside one that hangs").hasSize(23);
  }

  @Test
  void theirStartsAreNotedTogetherWhereTheyAreHandledTogether() {
    inbox.deliver(BATCH, true, "a1", "a2").deliver(BATCH, "a3");

    assertThat(mark("a1 a2").suspects()).containsExactly("a1", "a2");
    assertThat(mark("a1 a2").alone()).isFalse();
  }

  @Test
  void oneThatWasUnderWayWhenTheProcessDiedIsHandledWhileNothingElseIs() {
    inbox.deliver(SINGLE, true, "a1", "b1").deliver(SINGLE, "c1");
    inbox.done("a1", new Fate.MustBeAlone(1)).deliver(SINGLE, "d1");
    assertThat(inbox.running()).as("others are to end").containsExactlyInAnyOrder("b1", "c1");

    inbox.handled("b1").handled("c1");
    assertThat(inbox.running()).containsExactly("a1");
    assertThat(mark("a1").alone()).isTrue();

    inbox.deliver(SINGLE, "e1");
    assertThat(inbox.running()).containsExactly("a1");
    inbox.handled("a1");
    assertThat(inbox.running()).containsExactlyInAnyOrder("d1", "e1");
  }

  @Test
  void eachFurtherTryAloneIsMadeAtAnotherAgeOfTheInbox() {
    inbox.deliver(SINGLE, true, "a1").done("a1", new Fate.MustBeAlone(3));
    inbox.pass(SECOND.multipliedBy(59)).deliver(SINGLE, "b1", "a2");
    assertThat(inbox.running()).as("others go on").containsExactly("b1");

    inbox.handled("b1").pass(SECOND);
    assertThat(inbox.running()).containsExactly("a1");
  }

  @Test
  void anInboxThatIsOldEnoughDoesNotWait() {
    inbox.pass(SECOND.multipliedBy(60)).deliver(SINGLE, true, "a1");
    inbox.done("a1", new Fate.MustBeAlone(3));
    assertThat(inbox.running()).containsExactly("a1");
  }

  @Test
  void oneThatFailsAloneDoesNotHoldUpTheOthersAgain() {
    inbox.deliver(SINGLE, true, "a1").done("a1", new Fate.MustBeAlone(1)).failed("a1", true);

    assertThat(inbox.told(InboxEvent.Retried.class)).isEmpty();
    assertThat(inbox.running()).containsExactly("defer a1");
  }

  @Test
  void whatIsToBeAloneKeepsItsPlaceInItsKey() {
    inbox.deliver(BATCH, true, "a1", "a2").deliver(BATCH, "a3");
    inbox.done("a1 a2", new Fate.Unhandled(), new Fate.MustBeAlone(2));
    assertThat(inbox.running()).containsExactly("a1");

    inbox.handled("a1").pass(SECOND.multipliedBy(30));
    assertThat(inbox.running()).containsExactly("a2");
    inbox.handled("a2");
    assertThat(inbox.running()).containsExactly("a3");
  }

  @Test
  void whatIsToBeAloneIsBegunThoughAnotherOfItsKeyGoesBackWithIt() {
    inbox.deliver(BATCH, true, "a1", "a2");

    inbox.done("a1 a2", new Fate.MustBeAlone(1), new Fate.Unhandled());
    assertThat(inbox.running()).containsExactly("a1");
  }

  @Test
  void aLaneThatLeavesTakesAlongWhatWaitsToBeAlone() {
    inbox.deliver(SINGLE, true, "a1").done("a1", new Fate.MustBeAlone(2));
    inbox.revoke("lane", false).pass(SECOND.multipliedBy(60));

    assertThat(inbox.running()).isEmpty();
    assertThat(inbox.gauges().events()).isZero();
    inbox.deliver(SINGLE, "a1");
    assertThat(inbox.running()).containsExactly("a1");
  }
}
