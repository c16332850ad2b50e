package io.waybill.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class DayClockTest {
  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
  private final AtomicLong nanos = new AtomicLong(-5);

  private void pass(long wallMillis, long monotonicMillis) {
    millis.addAndGet(wallMillis);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(monotonicMillis));
  }

  @Test
  void aStepBackIsToldOnceWithItsLength() {
    DayClock clock = new DayClock(millis::get, nanos::get);
    pass(100, 100);
    assertThat(clock.setBack()).isZero();
    pass(-420_000 + 100, 100);
    assertThat(clock.setBack()).isEqualTo(Duration.ofMinutes(7));
    pass(100, 100);
    assertThat(clock.setBack()).isZero();
  }

  @Test
  void stepsAheadLongPausesAndCorrectionsOfLessThanHalfASecondAreNone() {
    DayClock clock = new DayClock(millis::get, nanos::get);
    pass(900_000, 100);
    assertThat(clock.setBack()).isZero();
    pass(60_000, 60_000);
    assertThat(clock.setBack()).isZero();
    pass(-400, 99);
    assertThat(clock.setBack()).isZero();
    pass(-401, 99);
    assertThat(clock.setBack()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aPauseBetweenTheTwoClocksIsNoStep() {
    AtomicLong pause = new AtomicLong();
    LongSupplier slow =
        () -> {
          pass(pause.get(), pause.get());
          pause.set(0);
          return millis.get();
        };
    DayClock clock = new DayClock(slow, nanos::get);
    pause.set(5_000);
    assertThat(clock.setBack()).isZero();
    assertThat(clock.setBack()).isZero();
  }
}
