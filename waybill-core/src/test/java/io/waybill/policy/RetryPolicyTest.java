package io.waybill.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
  private static final long MOST = -1L;
  private static final long LEAST = 0L;

  @ParameterizedTest
  @CsvSource({"1, 200", "2, 400", "3, 800", "11, 204800", "12, 300000", "2147483647, 300000"})
  void boundDoublesUpToTheMaximum(int failures, long bound) {
    RetryPolicy policy = RetryPolicy.ofDefaults();

    assertThat(policy.afterUnknown(failures, MOST)).isEqualTo(new Decision.RetryAt(bound));
    assertThat(policy.afterUnknown(failures, LEAST)).isEqualTo(new Decision.RetryAt(0));
  }

  @Test
  void jitterIsSpreadEvenly() {
    SplittableRandom random = new SplittableRandom(42);
    double mean =
        LongStream.generate(random::nextLong)
            .limit(10_000)
            .map(bits -> RetryPolicy.ofDefaults().afterUnknown(1, bits).delayMillis())
            .average()
            .orElseThrow();

    assertThat(mean).isBetween(95.0, 105.0);
  }

  @Test
  void givesUpAtTheLimitOfRejections() {
    RetryPolicy policy = RetryPolicy.builder().attemptLimit(3).build();

    assertThat(policy.afterRejection(2, 0)).isInstanceOf(Decision.RetryAt.class);
    assertThat(policy.afterRejection(3, 0)).isEqualTo(new Decision.GiveUp());
    assertThat(policy.afterRejection(4, 0)).isEqualTo(new Decision.GiveUp());
  }

  @Test
  void neverGivesUpAfterUnknownOutcomesOrWithoutLimit() {
    RetryPolicy unlimited = RetryPolicy.builder().attemptLimit(RetryPolicy.UNLIMITED).build();

    assertThat(RetryPolicy.ofDefaults().afterUnknown(Integer.MAX_VALUE, 0))
        .isEqualTo(new Decision.RetryAt(0));
    assertThat(unlimited.afterRejection(Integer.MAX_VALUE, 0)).isEqualTo(new Decision.RetryAt(0));
  }

  @Test
  void constantDelayHasNoJitter() {
    RetryPolicy policy = RetryPolicy.builder().constant(Duration.ofSeconds(1)).build();

    assertThat(policy.afterUnknown(1, LEAST)).isEqualTo(new Decision.RetryAt(1_000));
    assertThat(policy.afterRejection(9, MOST)).isEqualTo(new Decision.RetryAt(1_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void refusesALimitBelowOne(int limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.builder().attemptLimit(limit).build())
        .withMessage("attemptLimit must be at least 1, is " + limit);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 2, PT1S, initial",
    "PT-1S, 2, PT1S, initial",
    "PT1S, 0.5, PT1S, factor",
    "PT1S, NaN, PT1S, factor",
    "PT1S, 101, PT1S, factor",
    "PT2S, 2, PT1S, max",
    "PT1S, 2, P31D, max"
  })
  void refusesSenselessBackoff(Duration initial, double factor, Duration max, String field) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.builder().exponential(initial, factor, max))
        .withMessageStartingWith(field);
  }

  @Test
  void refusesASenselessConstantDelay() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryPolicy.builder().constant(Duration.ZERO))
        .withMessage("delay must be from 1 ms to 30 days, is PT0S");
  }
}
