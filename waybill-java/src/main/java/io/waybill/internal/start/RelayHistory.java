package io.waybill.internal.start;

import io.waybill.internal.jdbc.operator.Rollup;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what a relay does, by minute and destination, until somebody takes it. Of a time in which
 * nobody can take it, the last minutes stay. Thread-safe.
 */
public final class RelayHistory implements RelayListener {
  private static final int MOST_MINUTES = 15;
  private static final int MOST_ROWS = 1_000;
  private static final int LONGEST_NAME = 512;
  private static final long MINUTE_MILLIS = 60_000;

  private final InstantSource clock;
  private final TreeMap<Instant, Map<String, Sums>> minutes = new TreeMap<>();
  private Set<String> names = new HashSet<>();
  private @Nullable Map<String, Sums> current;
  private long currentMinute;

  /** What becomes a {@link Rollup}. */
  private static final class Sums {
    private long published;
    private long refused;
    private long unanswered;
    private long parked;
    private long dead;
    private long latency;
    private long longest;
    private long oldest;

    Rollup of(Instant at, String destination) {
      return new Rollup(
          at, destination, published, refused, unanswered, parked, dead, latency, longest, oldest);
    }
  }

  public RelayHistory(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void on(RelayEvent event) {
    if (event instanceof RelayEvent.Published published) {
      Sums sums = sums(published.destination());
      long latency =
          Math.max(0, published.creationToReadMicros() + published.readToConfirmMicros());
      sums.published++;
      sums.latency += latency;
      sums.longest = Math.max(sums.longest, latency);
    } else if (event instanceof RelayEvent.Retried retried) {
      Sums sums = sums(retried.failure().destination());
      if (retried.definite()) {
        sums.refused++;
      } else {
        sums.unanswered++;
      }
    } else if (event instanceof RelayEvent.Parked parked) {
      sums(parked.failure().destination()).parked++;
    } else if (event instanceof RelayEvent.Dead dead) {
      sums(dead.failure().destination()).dead++;
    } else if (event instanceof RelayEvent.Gauges gauges) {
      // The last one of a minute counts.
      sums(Rollup.OUTBOX).oldest = gauges.oldestUnpublishedMillis();
    }
  }

  private Sums sums(String destination) {
    long minute = clock.millis() / MINUTE_MILLIS;
    Map<String, Sums> sums = current;
    if (sums == null || minute != currentMinute) {
      Instant at = Instant.ofEpochMilli(minute * MINUTE_MILLIS);
      sums = minutes.computeIfAbsent(at, unused -> new TreeMap<>());
      current = sums;
      currentMinute = minute;
      forgetOld();
    }
    return sums.computeIfAbsent(name(destination), unused -> new Sums());
  }

  private void forgetOld() {
    while (minutes.size() > MOST_MINUTES) {
      minutes.pollFirstEntry();
    }
  }

  /** Itself, if it is one of those with rows of their own, or there is room for one more. */
  private String name(String destination) {
    String cut =
        destination.length() > LONGEST_NAME ? destination.substring(0, LONGEST_NAME) : destination;
    if (cut.equals(Rollup.OUTBOX) || names.contains(cut)) {
      return cut;
    }
    if (names.size() >= Rollup.MOST_DESTINATIONS) {
      return Rollup.OTHERS;
    }
    names.add(cut);
    return cut;
  }

  /** These have rows of their own; others only as far as there is room. */
  synchronized void known(Collection<String> destinations) {
    names = new HashSet<>(destinations);
  }

  /**
   * Takes what has been added up, in the order of time and name.
   *
   * @param all whether the present minute is taken, too
   */
  synchronized List<Rollup> take(boolean all) {
    Instant present = clock.instant().truncatedTo(ChronoUnit.MINUTES);
    List<Rollup> rows = new ArrayList<>();
    while (!minutes.isEmpty()
        && (all || minutes.firstKey().isBefore(present))
        && rows.size() < MOST_ROWS) {
      Map.Entry<Instant, Map<String, Sums>> minute = minutes.pollFirstEntry();
      // What was counted before the names were known may have no room now.
      Map<String, Rollup> named = new TreeMap<>();
      minute
          .getValue()
          .forEach(
              (name, sums) ->
                  named.merge(name(name), sums.of(minute.getKey(), name(name)), Rollup::plus));
      rows.addAll(named.values());
    }
    if (all) {
      current = null;
    }
    return rows;
  }

  /** Puts back what could not be written. */
  synchronized void putBack(List<Rollup> rows) {
    for (Rollup row : rows) {
      Sums sums =
          minutes
              .computeIfAbsent(row.at(), unused -> new TreeMap<>())
              .computeIfAbsent(row.destination(), unused -> new Sums());
      sums.published += row.published();
      sums.refused += row.refused();
      sums.unanswered += row.unanswered();
      sums.parked += row.parked();
      sums.dead += row.dead();
      sums.latency += row.latencyMicros();
      sums.longest = Math.max(sums.longest, row.latencyMaxMicros());
      sums.oldest = Math.max(sums.oldest, row.oldestMillis());
    }
    forgetOld();
  }
}
