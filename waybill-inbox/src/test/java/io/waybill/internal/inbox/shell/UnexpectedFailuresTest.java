package io.waybill.internal.inbox.shell;

import static io.waybill.internal.inbox.InboxDriver.SINGLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.inbox.InboxDriver;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long what failed unexpectedly is a problem. Time passes when it is told to. */
class UnexpectedFailuresTest {
  private static final Instant NOW = Instant.parse("2026-11-22T18:00:00.5Z");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final UnexpectedFailures unexpected = new UnexpectedFailures(nanos::get, () -> NOW);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void saysWhichOperationHowOftenAndSinceWhen() {
    assertThat(unexpected.problem()).isNull();
    unexpected.happened("Ended");
    unexpected.happened("Acknowledge");

    assertThat(unexpected.problem())
        .isEqualTo(
            "the inbox failed unexpectedly at Acknowledge (2 times since 2026-11-22T18:00:00Z):"
                + " events may be stuck until a restart; the log has the error");
  }

  @Test
  void isOverWhenItHasBeenCalmForAWhile() {
    unexpected.happened("Ended");
    pass(UnexpectedFailures.CALM.minusSeconds(1));
    unexpected.look(time -> false);
    assertThat(unexpected.problem()).isNotNull();

    unexpected.happened("Ended");
    pass(UnexpectedFailures.CALM.minusSeconds(1));
    unexpected.look(time -> false);
    assertThat(unexpected.problem()).as("a second time meanwhile").contains("2 times");

    pass(Duration.ofSeconds(1));
    unexpected.look(time -> false);
    assertThat(unexpected.problem()).isNull();
    unexpected.happened("Ended");
    assertThat(unexpected.problem()).contains("1 times");
  }

  @Test
  void isNotOverWhileAnythingIsThereThatCameBefore() {
    long happened = nanos.get();
    unexpected.happened("Ended");
    pass(UnexpectedFailures.CALM.multipliedBy(9));
    unexpected.look(time -> time == happened);
    assertThat(unexpected.problem()).isNotNull();

    unexpected.look(time -> false);
    assertThat(unexpected.problem()).isNull();
  }

  @Test
  void theEngineKnowsWhetherAnythingIsInMemoryThatCameUntilATime() {
    InboxDriver inbox = InboxDriver.ofDefaults();
    assertThat(inbox.holdsAnything()).isFalse();
    inbox.deliver(SINGLE, "a1");
    assertThat(inbox.holdsAnything()).isTrue();
    inbox.revoke("lane", true);
    assertThat(inbox.holdsAnything()).as("a worker still has it").isTrue();
    inbox.handled("a1");
    assertThat(inbox.holdsAnything()).isFalse();

    inbox.fetched("b1", 1, null).failed("b1", false).givenUp("b1", "permanent-failure");
    assertThat(inbox.holdsAnything()).as("its letter is under way").isTrue();
    inbox.confirm().done("bury b1", new Fate.Buried());
    assertThat(inbox.holdsAnything()).isFalse();
  }
}
