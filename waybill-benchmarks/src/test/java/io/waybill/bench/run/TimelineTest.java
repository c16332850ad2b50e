package io.waybill.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.waybill.bench.run.CappedDrain.Timeline;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static Sample sample(long completed, double seconds, double relayCpu) {
    return new Sample(completed, (long) (seconds * 1e9), relayCpu, 0, 0, 0);
  }

  @Test
  void aDrainThatWasStoppedIsMeasuredByWhatItDid() {
    Timeline timeline = new Timeline();
    timeline.add(sample(0, 100, 1));
    timeline.add(sample(100, 102, 2));
    timeline.add(sample(500, 104, 3));
    timeline.add(sample(1000, 105, 5));

    assertThat(timeline.cold().rate()).isCloseTo(200, within(0.01));
    assertThat(timeline.warm().rate()).isCloseTo(500, within(0.01));
    assertThat(timeline.warm().relay()).isCloseTo(4, within(0.01));
    assertThat(timeline.secondsToFirst()).isCloseTo(2, within(0.01));
  }

  @Test
  void aDrainThatWasOverBetweenTwoSamplesHasNoSecondHalf() {
    Timeline timeline = new Timeline();
    timeline.add(sample(0, 100, 1));
    timeline.add(sample(1000, 101, 2));

    assertThat(timeline.warm()).isEqualTo(timeline.cold());
  }
}
