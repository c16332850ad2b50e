package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.waybill.store.Polling;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollScheduleTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aFixedDelayIsThePauseAfterABatchThatWasNotFull() {
    PollSchedule polls = new PollSchedule(Polling.fixedDelay(Duration.ofSeconds(1)), 0);
    polls.started(0);
    polls.returned(true, false, SECOND / 2);
    assertThat(polls.due(SECOND)).isFalse();
    assertThat(polls.deadline()).isEqualTo(SECOND + SECOND / 2);

    polls.started(2 * SECOND);
    polls.returned(true, true, 2 * SECOND);
    assertThat(polls.due(2 * SECOND)).as("after a full one").isTrue();
  }

  @Test
  void batchesGrowWhileTheyAreFull() {
    PollSchedule polls = new PollSchedule(Polling.fixedDelay(Duration.ofSeconds(1)).batch(600), 0);
    assertThat(polls.batch()).isEqualTo(600);
    polls.returned(true, true, 0);
    assertThat(polls.batch()).isEqualTo(1_200);
    polls.returned(true, true, 0);
    assertThat(polls.batch()).isEqualTo(Polling.BATCH);
    polls.returned(true, false, 0);
    assertThat(polls.batch()).isEqualTo(600);
  }

  @Test
  void aFixedRateLeavesOutThePeriodsThatItMissed() {
    PollSchedule polls = new PollSchedule(Polling.fixedRate(Duration.ofSeconds(5)), 0);
    assertThat(polls.due(0)).isTrue();
    polls.started(0);
    polls.returned(true, false, SECOND);
    assertThat(polls.deadline()).isEqualTo(5 * SECOND);
    polls.started(5 * SECOND);
    polls.returned(true, false, 12 * SECOND);
    assertThat(polls.deadline()).isEqualTo(15 * SECOND);
  }

  @Test
  void nothingIsReadBeforeTheInitialDelayIsOver() {
    Polling polling = Polling.fixedDelay(Duration.ofSeconds(1)).initialDelay(Duration.ofSeconds(2));
    PollSchedule polls = new PollSchedule(polling, 0);
    polls.soon(0);
    polls.wake(SECOND);
    assertThat(polls.due(2 * SECOND - 1)).isFalse();
    assertThat(polls.due(2 * SECOND)).isTrue();
  }

  @Test
  void aNudgeReadsAtOnceInAnyRhythm() {
    PollSchedule polls = new PollSchedule(Polling.fixedRate(Duration.ofSeconds(5)), 0);
    polls.started(0);
    polls.returned(false, false, SECOND);
    polls.wake(SECOND);
    assertThat(polls.due(SECOND)).isTrue();
  }

  @Test
  void pausesOfNothingAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Polling.fixedDelay(Duration.ZERO))
        .withMessage("pause must be more than zero, but is PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Polling.adaptive().batch(0))
        .withMessage("batch must be at least 1, but is 0");
  }
}
