package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatienceTest {
  @ParameterizedTest
  @CsvSource({"0.4, 0.1, 1", "3, 0.1, 3", "0.4, 12, 10", "1, 2.5, 2.5", "2, -0.5, 2"})
  void aLimitIsLongerWhereTheMachineIsSlowOrHasMuchToDo(
      double slowness, double load, double factor) {
    assertThat(Patience.factor(slowness, load)).isEqualTo(factor);
  }

  @ParameterizedTest
  @CsvSource({"PT1S", "PT3M"})
  void noLimitIsShorterThanOnAMachineThatRestsNorMoreThanTenTimesAsLong(Duration usual) {
    assertThat(Patience.of(usual)).isBetween(usual, usual.multipliedBy((long) Patience.MOST));
  }
}
