package io.waybill.demo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the demo does.
 *
 * @param broker where events go
 * @param events events to commit, where nobody plays
 * @param rate events per second; null for that of the script, or of a person who plays
 * @param patience how long somebody may take to open the page, before the script begins
 * @param keep whether everything stays up in the end
 * @param json whether the last line is a JSON object
 */
record DemoOptions(
    BrokerKind broker,
    int events,
    @Nullable Integer rate,
    Duration patience,
    boolean keep,
    boolean json) {
  private static final int BY_SCRIPT = 2_000;
  // So slow that a person can follow.
  private static final int BY_HAND = 200;
  private static final Duration LONGEST = Duration.ofMinutes(30);

  /** Events per second. */
  int rate(boolean played) {
    return rate == null ? (played ? BY_HAND : BY_SCRIPT) : rate;
  }

  /** Events after which the orders end. */
  int events(boolean played) {
    return played
        ? Math.toIntExact(Math.min(Integer.MAX_VALUE, LONGEST.toSeconds() * rate(true)))
        : events;
  }
}
