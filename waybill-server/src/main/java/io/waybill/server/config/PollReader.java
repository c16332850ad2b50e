package io.waybill.server.config;

import io.waybill.store.Polling;
import io.waybill.store.Polling.Rhythm;
import java.time.Duration;

/** Reads and checks the section {@code poll}: when a table is read, and how much at a time. */
final class PollReader {
  private static final Duration LONGEST = Duration.ofHours(1);

  private PollReader() {}

  /** The rhythms. */
  private enum Mode {
    ADAPTIVE,
    FIXED_DELAY,
    FIXED_RATE
  }

  static Polling read(Section section, Polling usual, int maxRows) {
    Mode mode = section.choice("mode", Mode.class, mode(section, usual.rhythm()));
    Rhythm rhythm = mode == Mode.ADAPTIVE ? adaptive(section) : fixed(section, mode, usual);
    Duration delay =
        section.duration("initial-delay", usual.initialDelay(), Duration.ZERO, LONGEST);
    int batch = section.number("batch", Math.min(usual.batch(), maxRows), 1, 100_000);
    if (batch > maxRows) {
      section.problem("batch", "must be at most limits.max-rows " + maxRows, "" + batch);
    }
    section.done();
    return new Polling(rhythm, delay, batch);
  }

  /** An interval that is given asks for a fixed pause. */
  private static Mode mode(Section section, Rhythm usual) {
    if (usual instanceof Rhythm.FixedRate) {
      return Mode.FIXED_RATE;
    }
    return usual instanceof Rhythm.FixedDelay || section.has("interval")
        ? Mode.FIXED_DELAY
        : Mode.ADAPTIVE;
  }

  private static Rhythm adaptive(Section section) {
    if (section.has("interval")) {
      section.problem("interval", "needs mode: fixed-delay or fixed-rate");
    }
    Duration min = pause(section, "min", Duration.ofMillis(5));
    Duration max = pause(section, "max", Duration.ofMillis(50));
    if (min.compareTo(max) > 0) {
      section.problem("min", "must be at most max " + Units.print(max), Units.print(min));
      return new Rhythm.Adaptive(min, min);
    }
    return new Rhythm.Adaptive(min, max);
  }

  private static Rhythm fixed(Section section, Mode mode, Polling usual) {
    for (String key : new String[] {"min", "max"}) {
      if (section.has(key)) {
        section.problem(key, "needs mode: adaptive");
      }
    }
    Duration interval = pause(section, "interval", interval(usual.rhythm()));
    return mode == Mode.FIXED_RATE
        ? new Rhythm.FixedRate(interval)
        : new Rhythm.FixedDelay(interval);
  }

  private static Duration interval(Rhythm usual) {
    if (usual instanceof Rhythm.FixedRate rate) {
      return rate.period();
    }
    return usual instanceof Rhythm.FixedDelay delay ? delay.pause() : Duration.ofSeconds(1);
  }

  private static Duration pause(Section section, String key, Duration usual) {
    return section.duration(key, usual, Duration.ofMillis(1), LONGEST);
  }
}
