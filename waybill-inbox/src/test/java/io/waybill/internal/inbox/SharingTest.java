package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.BATCH;
import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.UnknownTypes;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which deliveries share a transaction. */
class SharingTest {
  private static final Fate UNHANDLED = new Fate.Unhandled();

  private final InboxDriver inbox = workers(1);

  private static InboxDriver workers(int number) {
    return new InboxDriver(InboxSettings.ofDefaults().workers(number), UnknownTypes.DEAD_LETTER);
  }

  private String only() {
    assertThat(inbox.running()).hasSize(1);
    return inbox.running().iterator().next();
  }

  /** Events of a key that nothing else uses, each handled in no time. */
  private void goWell(int events) {
    for (int i = 0; i < events; i++) {
      inbox.deliver(SINGLE, "z" + i).handled("z" + i);
    }
  }

  @Test
  void twiceAsManyShareATransactionEachTimeThatAllGoesWell() {
    inbox.deliver(SINGLE, "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1");

    assertThat(only()).isEqualTo("a1");
    assertThat(inbox.handled("a1").running()).containsExactly("b1 c1");
    assertThat(inbox.handled("b1 c1").running()).containsExactly("d1 e1 f1 g1");
    inbox.handled("d1 e1 f1 g1");
    assertThat(inbox.acknowledged()).containsExactly("a1", "b1", "c1", "d1", "e1", "f1", "g1");
  }

  @Test
  void noMoreThanTheLimit() {
    InboxDriver three =
        new InboxDriver(
            InboxSettings.ofDefaults()
                .workers(1)
                .shared(new InboxSettings.Shared(3, Duration.ofMillis(5))),
            UnknownTypes.DEAD_LETTER);
    three.deliver(SINGLE, "a1", "b1", "c1", "d1", "e1", "f1", "g1").handled("a1").handled("b1 c1");

    assertThat(three.running()).containsExactly("d1 e1 f1");
  }

  @Test
  void aLimitOfOneSwitchesItOff() {
    InboxDriver off =
        new InboxDriver(
            InboxSettings.ofDefaults()
                .workers(1)
                .shared(new InboxSettings.Shared(1, Duration.ofMillis(5))),
            UnknownTypes.DEAD_LETTER);
    off.deliver(SINGLE, "a1", "b1", "c1").handled("a1").handled("b1");

    assertThat(off.running()).containsExactly("c1");
  }

  @Test
  void successiveEventsOfAKeyShareItInTheirOrder() {
    inbox.deliver(SINGLE, "a1", "a2", "a3", "a4", "a5").handled("a1").handled("a2 a3");

    assertThat(only()).isEqualTo("a4 a5");
  }

  @Test
  void asManyAsTheirHandlersAreQuick() {
    inbox.deliver(SINGLE, "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1");
    inbox.handledIn(2_400, "a1").handledIn(2_400, "b1 c1");

    assertThat(only()).as("within 5 ms").isEqualTo("d1 e1");
  }

  @Test
  void aSlowHandlersEventHasATransactionOfItsOwn() {
    inbox.deliver(SINGLE, "a1", "b1", "c1", "d1").handledIn(6_000, "a1").handledIn(6_000, "b1");

    assertThat(only()).isEqualTo("c1");
  }

  @Test
  void slowerHandlersCountAtOnceAndQuickerOnesLittleByLittle() {
    goWell(10);
    inbox.deliver(SINGLE, "a1").handledIn(9_000, "a1").deliver(SINGLE, "b1", "c1", "d1", "e1");
    assertThat(only()).isEqualTo("b1");
    inbox.handled("b1");
    assertThat(only()).isEqualTo("c1");
    inbox.handled("c1").handled("d1").handled("e1");
    goWell(10);

    inbox.deliver(SINGLE, "a2", "b2");
    assertThat(only()).isEqualTo("a2 b2");
  }

  @Test
  void whatIsReadyIsSharedOutAmongIdleWorkers() {
    InboxDriver two = workers(2);
    two.deliver(SINGLE, "z1").handled("z1");
    two.deliver(SINGLE, "a1", "b1", "c1", "d1");
    assertThat(two.running()).containsExactlyInAnyOrder("a1 b1", "c1 d1");
    two.handled("a1 b1").handled("c1 d1");

    two.deliver(SINGLE, "a2", "b2", "c2");
    assertThat(two.running()).as("four might share").containsExactlyInAnyOrder("a2 b2", "c2");
  }

  @Test
  void whenOneFailsEachIsHandledInItsOwnAndOnlyItsFailureCounts() {
    inbox.deliver(SINGLE, "a1", "b1", "c1", "c2").handled("a1").failed("b1 c1", true);
    assertThat(inbox.told(InboxEvent.Retried.class)).isEmpty();

    assertThat(only()).isEqualTo("c1");
    inbox.failed("c1", true);
    assertThat(inbox.told(InboxEvent.Retried.class)).hasSize(1);
    assertThat(only()).as("the key of the other waits").isEqualTo("b1");
    assertThat(inbox.handled("b1").running()).isEmpty();
    assertThat(inbox.pass(Duration.ofSeconds(1)).running()).containsExactly("c1");
  }

  @Test
  void afterAFailureTransactionsAreSharedAgainWhenEnoughWentWell() {
    inbox.deliver(SINGLE, "a1", "b1", "c1").handled("a1").failed("b1 c1", true);
    inbox.handled("c1").handled("b1");
    goWell(17);
    inbox.deliver(SINGLE, "d1", "e1", "f1", "g1").handled("d1");

    assertThat(only()).as("20 went well").isEqualTo("e1 f1");
  }

  @Test
  void sharingThatFailsThoughNoEventDoesRestsLongerEachTime() {
    for (int round = 0; round < 2; round++) {
      inbox.deliver(SINGLE, "a1", "b1", "c1").handled("a1").failed("b1 c1", true);
      inbox.handled("c1").handled("b1");
      goWell(17);
    }
    inbox.deliver(SINGLE, "d1", "e1", "f1", "g1");
    inbox.handled("d1").handled("e1").handled("f1").handled("g1");
    goWell(56);
    inbox.deliver(SINGLE, "d2", "e2", "f2").handled("d2");

    assertThat(only()).as("80 went well").isEqualTo("e2 f2");
  }

  @Test
  void anEventThatFailsByItselfIsNotTheFaultOfSharing() {
    for (int round = 0; round < 2; round++) {
      inbox.deliver(SINGLE, "a1", "b1", "c1").handled("a1").failed("b1 c1", true);
      inbox.handled("c1").failed("b1", true).pass(Duration.ofSeconds(1)).handled("b1");
      goWell(18);
    }
    inbox.deliver(SINGLE, "d1", "e1", "f1").handled("d1");

    assertThat(only()).as("after 20 as the first time").isEqualTo("e1 f1");
  }

  @Test
  void afterAnOutageTheyBeginOneByOne() {
    inbox.deliver(SINGLE, "a1", "b1", "c1", "d1", "e1").handled("a1").storeDown("b1 c1");

    assertThat(inbox.pass(Duration.ofMillis(200)).running()).hasSize(1);
    assertThat(only()).doesNotContain(" ");
  }

  @Test
  void whatWasNotReachedGoesBackToItsPlace() {
    inbox.deliver(SINGLE, "a1", "b1", "b2", "b3", "c1").handled("a1");
    assertThat(only()).isEqualTo("b1 b2");
    inbox.done("b1 b2", new Fate.Handled(0), UNHANDLED);

    assertThat(inbox.acknowledged()).containsExactly("a1", "b1");
    assertThat(inbox.told(InboxEvent.Handled.class)).hasSize(2);
    inbox.handled(only());
    assertThat(inbox.acknowledged()).startsWith("a1", "b1");
    while (!inbox.running().isEmpty()) {
      inbox.handled(only());
    }
    assertThat(inbox.acknowledged().stream().filter(id -> id.startsWith("b")))
        .containsExactly("b1", "b2", "b3");
  }

  @Test
  void whenTheirTimeWasOverHalfAsManyShareTheNext() {
    inbox.deliver(SINGLE, "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1");
    inbox.handled("a1").handled("b1 c1");
    inbox.done("d1 e1 f1 g1", new Fate.Handled(0), UNHANDLED, UNHANDLED, UNHANDLED);

    assertThat(only().split(" ", -1)).hasSize(2);
  }

  @Test
  void whatWasNotReachedIsNotOvertakenByTheNextOfItsKey() {
    InboxDriver two = workers(2);
    two.deliver(SINGLE, "a1").handled("a1").deliver(SINGLE, "b1", "b2");
    two.done("b1 b2", new Fate.Handled(0), UNHANDLED);
    assertThat(two.running()).containsExactly("b2");

    assertThat(two.deliver(SINGLE, "b3").running()).containsExactly("b2");
    assertThat(two.handled("b2").running()).containsExactly("b3");
  }

  @Test
  void whatWasNotReachedIsGivenBackByAnInboxThatStops() {
    inbox.deliver(SINGLE, "a1", "b1", "c1").handled("a1").put(InboxInput.Signal.STOP);
    inbox.done("b1 c1", new Fate.Handled(0), UNHANDLED);

    assertThat(inbox.acknowledged()).containsExactly("a1", "b1");
    assertThat(inbox.givenBack()).containsExactly("c1");
  }

  @Test
  void batchesDeferredEventsAndWhatHasFailedDoNotShare() {
    goWell(10);
    inbox.deliver(SINGLE, "x1");
    inbox.fetched("d1", 1, null).deliver(BATCH, "b1");
    inbox.deliver(SINGLE, "f1").handled("x1");
    IntStream.range(0, 3)
        .forEach(
            i -> {
              assertThat(only()).doesNotContain(" ");
              inbox.handled(only());
            });
    assertThat(inbox.running()).isEmpty();

    inbox
        .deliver(SINGLE, "g1")
        .failed("g1", true)
        .deliver(SINGLE, "h1")
        .pass(Duration.ofMillis(60));
    assertThat(only()).isEqualTo("h1");
    inbox.deliver(SINGLE, "i1").handled("h1");
    assertThat(inbox.running()).containsAnyOf("g1", "i1").doesNotContain("g1 i1", "i1 g1");
  }
}
