package io.waybill.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waybill.observe.RelayEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Histograms of the three stretches of an event's way. */
final class LatencyMeters {
  // From half of the in-process target to the end of a long outage.
  private static final Duration[] BUCKETS =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 15_000, 60_000, 600_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final Timer creationToRead;
  private final Timer readToConfirm;
  private final Timer confirmToMark;

  LatencyMeters(MeterRegistry registry, Tags tags) {
    creationToRead =
        timer(
            registry,
            tags,
            "waybill.latency.creation.to.read",
            "From the row's creation to its read");
    readToConfirm =
        timer(
            registry,
            tags,
            "waybill.latency.read.to.confirm",
            "From the read to the broker's confirmation");
    confirmToMark =
        timer(
            registry,
            tags,
            "waybill.latency.confirm.to.mark",
            "From the confirmation to the settled mark");
  }

  void published(RelayEvent.Published event) {
    record(creationToRead, event.creationToReadMicros());
    record(readToConfirm, event.readToConfirmMicros());
    record(confirmToMark, event.confirmToMarkMicros());
  }

  private static void record(Timer timer, long micros) {
    // Stamps of two database sessions can differ by less than their resolution.
    timer.record(Math.max(0, micros), TimeUnit.MICROSECONDS);
  }

  private static Timer timer(MeterRegistry registry, Tags tags, String name, String description) {
    return Timer.builder(name)
        .description(description)
        .tags(tags)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
