package io.waybill.bench.compare;

import io.waybill.bench.run.LiveRun;
import io.waybill.bench.stage.Contender;
import io.waybill.bench.stage.Options;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.database.DatabaseKind;
import java.util.List;

/**
 * Size of a comparison.
 *
 * @param quick whether hot key and two instances are left out
 * @param rounds interleaved rounds
 * @param events backlog of candidates that carry thousands of events a second
 * @param slowEvents backlog of the others
 * @param capSeconds when a drain is stopped, counted from the start of the relay
 * @param keys number of keys
 * @param rate events per second of the latency runs
 * @param seconds length of a latency run
 * @param warmSeconds events before it that do not count
 * @param only labels of candidates, empty for all
 */
record CompareOptions(
    boolean quick,
    int rounds,
    long events,
    long slowEvents,
    int capSeconds,
    int keys,
    int rate,
    int seconds,
    int warmSeconds,
    List<String> only) {
  /** One capped drain and one latency run each. */
  static final CompareOptions QUICK =
      new CompareOptions(true, 1, 100_000, 20_000, 8, 1000, 200, 5, 2, List.of());

  /** Everything. */
  static final CompareOptions FULL =
      new CompareOptions(false, 3, 400_000, 60_000, 60, 1000, 200, 30, 5, List.of());

  // The graces are long enough for a relay that keeps up, and bound one that does not.
  private static final int QUICK_GRACE = 3;
  private static final int GRACE = 15;

  /** Copies the labels. */
  CompareOptions {
    only = List.copyOf(only);
  }

  CompareOptions withRounds(int rounds) {
    return new CompareOptions(
        quick, rounds, events, slowEvents, capSeconds, keys, rate, seconds, warmSeconds, only);
  }

  CompareOptions withEvents(long events) {
    return new CompareOptions(
        quick,
        rounds,
        events,
        Math.min(slowEvents, events),
        capSeconds,
        keys,
        rate,
        seconds,
        warmSeconds,
        only);
  }

  CompareOptions withSeconds(int seconds) {
    return new CompareOptions(
        quick, rounds, events, slowEvents, capSeconds, keys, rate, seconds, warmSeconds, only);
  }

  CompareOptions withCap(int capSeconds) {
    return new CompareOptions(
        quick, rounds, events, slowEvents, capSeconds, keys, rate, seconds, warmSeconds, only);
  }

  CompareOptions withOnly(List<String> only) {
    return new CompareOptions(
        quick, rounds, events, slowEvents, capSeconds, keys, rate, seconds, warmSeconds, only);
  }

  CompareOptions withKeys(int keys) {
    return new CompareOptions(
        quick, rounds, events, slowEvents, capSeconds, keys, rate, seconds, warmSeconds, only);
  }

  boolean chosen(Contender candidate) {
    return only.isEmpty() || only.contains(candidate.label());
  }

  /** Backlog of a candidate: one that would not get through in the cap gets a smaller one. */
  long backlog(Contender candidate) {
    boolean slow = candidate instanceof Rival rival && rival.kind() != RivalKind.DEBEZIUM;
    return slow ? slowEvents : events;
  }

  int graceSeconds() {
    return quick ? QUICK_GRACE : GRACE;
  }

  LiveRun.Plan livePlan() {
    long warm = (long) rate * warmSeconds;
    return new LiveRun.Plan(warm + (long) rate * seconds, warm, 1, 1_000_000_000L / rate, 0);
  }

  /** As the runs of single scenarios are told. */
  Options forLiveRun() {
    return new Options(
        BrokerKind.KAFKA,
        DatabaseKind.POSTGRESQL,
        events,
        rounds,
        keys,
        rate,
        seconds,
        warmSeconds,
        0,
        0,
        0,
        1,
        "raw",
        List.of(),
        null);
  }
}
