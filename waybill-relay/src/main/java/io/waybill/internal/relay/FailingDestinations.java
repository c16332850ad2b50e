package io.waybill.internal.relay;

import io.waybill.store.FailingDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The destinations that take no events at present, as a session tells people. */
final class FailingDestinations {
  /** A session has room for a few. */
  private static final int REPORTED = 20;

  // Together less than the 64 KiB of a text on MySQL, in three bytes each. Names are whole: an
  // exchange, a slash and a routing key.
  private static final int LONGEST_NAME = 511;
  private static final int LONGEST_REASON = 100;
  private static final int LONGEST_DETAIL = 300;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /** For so long after its last failure, one that nothing waits for still counts as failing. */
  private static final long KNOWN_NANOS = Duration.ofSeconds(30).toNanos();

  private final EngineState state;
  private final Destinations destinations;

  FailingDestinations(EngineState state, Destinations destinations) {
    this.state = state;
    this.destinations = destinations;
  }

  /** A few, the earliest trouble first. */
  List<FailingDestination> now() {
    if (state.publisherUp && destinations.isEmpty()) {
      return List.of();
    }
    List<FailingDestination> failing = new ArrayList<>();
    if (!state.publisherUp) {
      failing.add(
          failing(
              FailingDestination.BROKER,
              "broker-unavailable",
              "the broker accepts no messages",
              state.publisherDownSince));
    }
    destinations
        .tripped()
        .filter(this::takesNothing)
        .sorted(Comparator.comparingLong(breaker -> breaker.since() - state.now))
        .limit(REPORTED)
        .forEach(
            each ->
                failing.add(
                    failing(Destinations.shown(each), each.reason(), each.detail(), each.since())));
    return failing;
  }

  /** Of what nothing waits for, nothing new is known; what is paused is not tried. */
  private boolean takesNothing(Breaker breaker) {
    boolean old = breaker.isIdle() && state.now - breaker.reopensAt() > KNOWN_NANOS;
    return !breaker.isPaused() && !old;
  }

  private FailingDestination failing(String name, String reason, String detail, long since) {
    return new FailingDestination(
        cut(name, LONGEST_NAME),
        cut(reason, LONGEST_REASON),
        cut(detail, LONGEST_DETAIL),
        (state.now - since) / 1_000_000L);
  }

  /** Neither a control character nor what follows makes the column's text too long. */
  private static String cut(@Nullable String text, int longest) {
    String plain = CONTROL.matcher(String.valueOf(text)).replaceAll(" ");
    return plain.length() <= longest ? plain : plain.substring(0, longest);
  }
}
