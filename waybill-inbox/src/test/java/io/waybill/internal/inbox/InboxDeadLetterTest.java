package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Headers;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dead letters that can't be made: the code that says where they go fails. */
class InboxDeadLetterTest {
  private static final Duration LONGER_THAN_BOTH_PAUSES = Duration.ofMinutes(2);

  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @Test
  void itsKeyWaitsAndItIsMadeAgainAfterAPause() {
    inbox.unmadeLetters = 2;
    inbox.deliver(SINGLE, "a1", "a2", "b1").failed("a1", false).refused("defer a1");
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class))
        .singleElement()
        .satisfies(
            told ->
                assertThat(told.reason())
                    .isEqualTo(
                        "no dead letter can be made: java.lang.IllegalArgumentException:"
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
    inbox.fetched("a1", 9, null).failed("a1", true).givenUp("a1", "attempts-exhausted");

    Work.DeferAgain again = (Work.DeferAgain) inbox.work("defer again a1");
    assertThat(again.event().deadReason()).isEqualTo("attempts-exhausted");
  }

  /** Its letter is refused; returns the pause until it comes out of the table again. */
  private long refuse(String name) {
    inbox.fetched(name, 9, "permanent-failure");
    inbox.done(name, new Fate.ToBury("permanent-failure", "broken")).refuse();
    long delay = ((Work.DeferAgain) inbox.work("defer again " + name)).event().delayMillis();
    inbox.done("defer again " + name, new Fate.Deferred());
    return delay;
  }

  private List<Long> refuse(String name, int times) {
    return Stream.generate(() -> refuse(name)).limit(times).toList();
  }

  @Test
  void pausesOfADeferredEventsLetterGrowThoughItGoesBackToItsTable() {
    List<Long> pauses = refuse("a1", 12);

    assertThat(pauses.get(0)).isLessThanOrEqualTo(1_001);
    assertThat(pauses.get(1)).isLessThanOrEqualTo(2_001);
    assertThat(pauses).allMatch(millis -> millis <= 60_001).anyMatch(millis -> millis > 20_000);
    assertThat(refuse("b1")).as("another event's").isLessThanOrEqualTo(1_001);
  }

  @Test
  void whatIsGoneBeginsWithTheFirstPause() {
    assertThat(refuse("a1", 12)).anyMatch(millis -> millis > 20_000);
    inbox.fetched("a1", 9, "permanent-failure").done("a1", new Fate.Lost());
    assertThat(refuse("a1")).as("its claim was lost").isLessThanOrEqualTo(1_001);

    assertThat(refuse("a1", 12)).anyMatch(millis -> millis > 20_000);
    inbox.fetched("a1", 9, "permanent-failure");
    inbox.done("a1", new Fate.ToBury("permanent-failure", "broken")).confirm();
    inbox.done("bury a1", new Fate.Buried());
    assertThat(refuse("a1")).as("its letter was confirmed").isLessThanOrEqualTo(1_001);
  }

  @Test
  void triesAreKeptForSoManyEventsOnly() {
    DeferredTries tries = new DeferredTries(2);
    Stream.of("a", "b", "a", "c", "a").forEach(id -> tries.failed(about(id), "no", 0, 1));
    assertThat(tries.times("a")).isEqualTo(3);
    assertThat(tries.times("c")).isEqualTo(1);
    assertThat(tries.times("b")).as("the one of the longest ago").isZero();
  }

  @Test
  void theLongestIsToldAndOneThatAnotherProcessHasIsNot() {
    DeferredTries tries = new DeferredTries(10);
    long second = Duration.ofSeconds(1).toNanos();
    tries.failed(about("a"), "no topic", 0, 60_000);
    tries.failed(about("b"), "no topic", 50 * second, 60_000);
    assertThat(tries.stuck(60 * second))
        .hasValue(
            new InboxEvent.MessageStuck(
                "the table of deferred events", about("a"), "no topic", Duration.ofSeconds(60)));

    assertThat(tries.stuck(241 * second).map(stuck -> stuck.about().eventId())).hasValue("b");
    tries.forget("b");
    assertThat(tries.stuck(241 * second)).isEmpty();
  }

  private static InboxEvent.About about(String id) {
    return new InboxEvent.About(id, SINGLE, "orders", null);
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
    inbox.deliver(SINGLE, "a1").failed("a1", false).refused("defer a1");
    inbox.put(InboxInput.Signal.STOP);

    assertThat(inbox.givenBack()).containsExactly("a1");
    assertThat(inbox.all(InboxEffect.ReleaseClaims.class)).hasSize(1);
  }

  private List<String> bodiesOfLetters() {
    return inbox.all(InboxEffect.Publish.class).stream()
        .map(letter -> new Headers(letter.message().headers()).get("waybill-dead-body"))
        .map(String::valueOf)
        .toList();
  }

  @Test
  void whatTheBrokerRejectsGoesInASmallerFormAtOnce() {
    inbox.deliver(SINGLE, "a1").failed("a1", false);
    inbox.givenUp("a1", "permanent-failure").reject().confirm();

    assertThat(bodiesOfLetters()).containsExactly("null", "raw");
    inbox.done("bury a1", new Fate.Buried());
    assertThat(inbox.told(InboxEvent.DeadLettered.class)).hasSize(1);
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class)).isEmpty();
    assertThat(inbox.told(InboxEvent.DeadLetterWithoutBody.class)).isEmpty();
  }

  @Test
  void withoutItsBodyIfNothingElseIsTakenAndThatIsTold() {
    inbox.deliver(SINGLE, "a1").failed("a1", false);
    inbox.givenUp("a1", "permanent-failure").reject().reject();
    assertThat(inbox.told(InboxEvent.DeadLetterWithoutBody.class))
        .as("not confirmed yet")
        .isEmpty();
    inbox.confirm();

    assertThat(bodiesOfLetters()).containsExactly("null", "raw", "missing");
    assertThat(inbox.told(InboxEvent.DeadLetterWithoutBody.class))
        .containsExactly(
            new InboxEvent.DeadLetterWithoutBody(about("a1"), "lane@0", 10, "too-large: 1 MiB"));
    assertThat(inbox.all(InboxEffect.Publish.class).get(2).message().headers())
        .as("where it lies stays with the inbox")
        .noneMatch(header -> header.name().contains("place"));
  }

  @Test
  void whatLiesInAQueueKeepsItsBodyAndWaits() {
    inbox.deliverOn("orders", "a1").failed("a1", false).givenUp("a1", "permanent-failure");
    inbox.reject().reject();

    assertThat(bodiesOfLetters()).containsExactly("null", "raw");
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class))
        .singleElement()
        .returns("too-large: 1 MiB", InboxEvent.DeadLetterFailed::reason);
    assertThat(((Work.DeferAgain) inbox.work("defer again a1")).event().deadReason())
        .isEqualTo("permanent-failure");
  }

  @Test
  void whatIsRejectedInEveryFormIsTriedAgainFromTheFirst() {
    inbox.deliverUndecodable("a").reject().reject().reject();
    assertThat(inbox.told(InboxEvent.DeadLetterFailed.class)).hasSize(1);

    inbox.pass(LONGER_THAN_BOTH_PAUSES).confirm();
    assertThat(bodiesOfLetters()).containsExactly("null", "raw", "missing", "null");
    assertThat(inbox.acknowledged()).hasSize(1);
  }
}
