package io.waybill.internal.inbox;

import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.UnknownTypes;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.Backoff;
import io.waybill.policy.InboxSettings;
import io.waybill.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How long the engine waits. */
class InboxPausesTest {
  private final InboxDriver inbox = InboxDriver.ofDefaults();

  @Test
  void pausesGrowToTheirLimitAndAreSpread() {
    List<Long> first = new ArrayList<>();
    List<Long> longest = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      first.add(pauseAfter("a" + i, 0));
      longest.add(pauseAfter("b" + i, 8));
    }

    assertThat(first).allMatch(millis -> millis <= 1_000);
    assertThat(longest).allMatch(millis -> millis <= 256_000).anyMatch(millis -> millis > 128_000);
    assertThat(Set.copyOf(first)).hasSizeGreaterThan(25);
    assertThat(Set.copyOf(longest)).hasSizeGreaterThan(25);
  }

  @Test
  void noPauseIsLongerThanFiveMinutesHoweverManyAttempts() {
    RetryPolicy defaults = InboxSettings.ofDefaults().retries();
    RetryPolicy many = new RetryPolicy(defaults.backoff(), 40);
    InboxDriver patient =
        new InboxDriver(
            InboxSettings.ofDefaults().retries(InboxSettings.ofDefaults().quickRetries(), many),
            UnknownTypes.DEAD_LETTER);
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      pauses.add(pauseAfter(patient, "a" + i, 9 + i % 30));
    }

    assertThat(pauses).allMatch(millis -> millis <= 300_000).anyMatch(millis -> millis > 256_000);
  }

  private long pauseAfter(String name, int attempts) {
    return pauseAfter(inbox, name, attempts);
  }

  private static long pauseAfter(InboxDriver one, String name, int attempts) {
    InboxDriver driver = one.fetched(name, attempts, null).failed(name, true);
    long millis = ((Work.DeferAgain) driver.work("defer again " + name)).event().delayMillis();
    driver.done("defer again " + name, new Fate.Deferred());
    return millis;
  }

  @Test
  void retriesAreConfigurable() {
    InboxSettings none =
        InboxSettings.ofDefaults()
            .retries(
                RetryPolicy.builder().attemptLimit(1).build(),
                RetryPolicy.builder().attemptLimit(1).build());
    InboxDriver strict = new InboxDriver(none, UnknownTypes.DEAD_LETTER);
    strict.deliver(SINGLE, "a1").failed("a1", true).givenUp("a1", "attempts-exhausted");

    assertThat(strict.all(InboxEffect.Publish.class)).hasSize(1);
  }

  @Test
  void pausesOfDatabaseAndDeadLettersAreConfigurable() {
    InboxSettings settings =
        InboxSettings.ofDefaults()
            .pauses(
                new Backoff.Constant(Duration.ofSeconds(70)),
                new Backoff.Constant(Duration.ofSeconds(90)));
    InboxDriver patient = new InboxDriver(settings, UnknownTypes.DEAD_LETTER);
    patient.deliver(SINGLE, "a1").storeDown("a1");
    assertThat(patient.told(InboxEvent.StoreFailed.class))
        .singleElement()
        .satisfies(told -> assertThat(told.delayMillis()).isBetween(70_000L, 70_001L));

    patient.pass(Duration.ofSeconds(71)).failed("a1", false);
    patient.givenUp("a1", "permanent-failure").refuse();
    assertThat(patient.told(InboxEvent.DeadLetterFailed.class))
        .singleElement()
        .satisfies(told -> assertThat(told.delayMillis()).isBetween(90_000L, 90_001L));
  }

  @Test
  void looksForDeferredEventsAreConfigurable() {
    InboxSettings.Deferred seldom =
        new InboxSettings.Deferred(Duration.ofMinutes(1), 5, Duration.ofMinutes(5));
    InboxDriver slow =
        new InboxDriver(InboxSettings.ofDefaults().deferred(seldom), UnknownTypes.DEAD_LETTER);
    slow.put(InboxInput.Signal.TICK).put(new InboxInput.Fetched(List.of(), 5));
    slow.pass(Duration.ofSeconds(59));
    assertThat(slow.all(InboxEffect.Fetch.class)).containsExactly(new InboxEffect.Fetch(5));

    slow.pass(Duration.ofSeconds(1));
    assertThat(slow.all(InboxEffect.Fetch.class)).hasSize(2);
  }
}
