package io.waybill.internal.jdbc.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.jdbc.operator.EventOutcome.Kind;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.JobRun.Tally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How fast the events of a job are asked for, and when it stops. */
class JobRunTest {
  private static final long STEP = 100_000_000L;

  private final List<Integer> asked = new ArrayList<>();
  private int answered;
  private int all = 1_000;
  private Kind kind = Kind.PUBLISHED;
  private @Nullable String failure;

  private final JobRun.Events events =
      new JobRun.Events() {
        @Override
        public JobRun.Asked ask(int number) {
          int from = asked.size();
          int to = Math.min(all, from + number);
          IntStream.rangeClosed(from + 1, to).forEach(asked::add);
          return new JobRun.Asked(asked.subList(from, to), 0, to - from < number, failure);
        }

        @Override
        public Map<Integer, EventOutcome> outcomes(long now) {
          Map<Integer, EventOutcome> outcomes = new HashMap<>();
          for (; answered < asked.size(); answered++) {
            outcomes.put(asked.get(answered), new EventOutcome(kind, "nack", null));
          }
          return outcomes;
        }
      };

  private JobRun run(int canary, int rate) {
    return new JobRun(events, new Pace(canary, rate, 5), Tally.NONE, List.of());
  }

  @Test
  void noMoreThanTheRateIsAskedForInASecond() {
    JobRun run = run(5, 50);
    long now = 0;
    boolean ended = run.step(now);
    int before = run.progress().requested();
    assertThat(before).isEqualTo(5);
    for (int second = 0; second < 5; second++) {
      for (int i = 0; i < 10; i++) {
        now += STEP;
        ended |= run.step(now);
      }
      assertThat(run.progress().requested() - before).isBetween(40, 55);
      before = run.progress().requested();
    }
    assertThat(ended).isFalse();
  }

  @Test
  void whatWasMissedIsNotMadeUpFor() {
    JobRun run = run(0, 50);
    boolean unused = run.step(0) || run.step(10 * STEP);
    int before = run.progress().requested();
    long late = 119 * STEP / 10 + 100 * STEP;
    for (int i = 0; i <= 10; i++) {
      unused |= run.step(late + i * STEP);
    }
    assertThat(unused).isFalse();
    assertThat(run.progress().requested() - before).isBetween(40, 55);
  }

  /** A process that pauses for one or two seconds asks for no second's worth at once. */
  @Test
  void aShortPauseDoesNotDoubleTheRate() {
    JobRun run = run(0, 50);
    boolean unused = run.step(0) || run.step(5 * STEP);
    int before = run.progress().requested();
    unused |= run.step(195 * STEP / 10) || run.step(205 * STEP / 10);
    assertThat(unused).isFalse();
    assertThat(run.progress().requested() - before).isLessThan(10);
  }

  @Test
  void aCanaryOfWhichNothingSucceedsIsTheEnd() {
    kind = Kind.FAILED;
    JobRun run = run(3, 50);
    assertThat(run.step(0)).isFalse();
    assertThat(run.step(STEP)).isTrue();
    assertThat(run.progress().stopped()).contains("canary");
    assertThat(asked).hasSize(3);
  }

  @Test
  void whatNobodyKnowsNeitherStopsItNorIsASuccess() {
    kind = Kind.UNCLEAR;
    all = 20;
    JobRun run = run(3, 50);
    boolean ended = false;
    for (int i = 0; i < 50 && !ended; i++) {
      ended = run.step(i * STEP);
    }
    assertThat(run.progress().stopped()).isNull();
    assertThat(run.progress().tally()).isEqualTo(new Tally(0, 0, 0, 0, 20));
  }

  @Test
  void whatCannotBeAskedForEndsItAtOnce() {
    JobRun run = run(3, 50);
    failure = "no broker";
    assertThat(run.step(0)).isTrue();
    assertThat(run.progress().stopped()).isEqualTo("no broker");
    assertThat(run.progress().tally().refused()).isEqualTo(1);
    assertThat(asked).hasSize(3);
  }

  @Test
  void failuresOfOneReasonInARowStopIt() {
    JobRun run = run(1, 50);
    assertThat(run.step(0) || run.step(STEP)).isFalse();
    kind = Kind.REFUSED;
    boolean ended = false;
    for (int i = 2; i < 50 && !ended; i++) {
      ended = run.step(i * STEP);
    }
    assertThat(run.progress().stopped()).contains("refused", "nack");
    assertThat(asked).hasSizeLessThan(20);
  }

  @Test
  void oneThatGoesOnAwaitsWhatWasAskedForBefore() {
    asked.addAll(List.of(1, 2, 3));
    JobRun run = new JobRun(events, new Pace(3, 50, 5), new Tally(1, 0, 0, 0, 0), List.of(2, 3));
    answered = 3;
    assertThat(run.step(0)).isFalse();
    assertThat(asked).hasSize(3);
    assertThat(run.progress().open()).isEqualTo(2);
    answered = 1;
    assertThat(run.step(STEP)).isFalse();
    assertThat(run.step(3 * STEP)).isFalse();
    assertThat(asked).hasSizeGreaterThan(3);
    assertThat(run.progress().tally().succeeded()).isEqualTo(3);
  }
}
