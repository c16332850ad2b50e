package io.waybill.bench.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What was seen of one candidate, each figure as often as it was measured. Not thread-safe.
 *
 * @param figures by kind
 * @param details further figures of the scenario, by name
 */
public record Measured(Map<Figure, List<Double>> figures, Map<String, Double> details) {
  /** Kinds of figures, with how those of several rounds become one. */
  public enum Figure {
    RATE,
    RATIO_TO_LOOP,
    RATIO_TO_LOOP_ON_TABLE,
    COLD_RATE,
    COLD_RATIO_TO_LOOP,
    HOT_KEY_RATE,
    TWO_INSTANCES_RATE,
    SHARE_OF_LIMIT,
    SHARE_OF_FREE,
    SHARE_OF_POSTGRESQL,
    SHARE_OF_ALONE,
    RATIO_TO_ONE_INSTANCE,
    RATIO_TO_CONSUMER,
    RATIO_TO_SINGLE,
    RELAY_CPU,
    DATABASE_CPU,
    CONSUMER_CPU,
    BROKER_CPU,
    P50,
    P99,
    CONSUMER_P50,
    CONSUMER_P99,
    IDLE_CPU,
    PEAK_RSS,
    LOST,
    DUPLICATES,
    INVERSIONS
  }

  private static final List<Figure> LATENCIES =
      List.of(
          Figure.P50,
          Figure.P99,
          Figure.CONSUMER_P50,
          Figure.CONSUMER_P99,
          Figure.LOST,
          Figure.DUPLICATES,
          Figure.INVERSIONS);

  /** Nothing yet. */
  public Measured() {
    this(new EnumMap<>(Figure.class), new TreeMap<>());
  }

  /** What one round had. */
  public void add(Figure figure, double value) {
    figures.computeIfAbsent(figure, f -> new ArrayList<>()).add(value);
  }

  /** Adds what a run at a steady rate says of latency and of what arrived, and not its rate. */
  public void addLatencies(Measured run) {
    for (Figure figure : LATENCIES) {
      run.median(figure).ifPresent(value -> add(figure, value));
    }
  }

  /** Median over the rounds. */
  public OptionalDouble median(Figure figure) {
    double[] sorted =
        figures.getOrDefault(figure, List.of()).stream()
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    if (sorted.length == 0) {
      return OptionalDouble.empty();
    }
    int middle = sorted.length / 2;
    return OptionalDouble.of(
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
  }

  /** Sum over the rounds. */
  OptionalDouble sum(Figure figure) {
    List<Double> values = figures.get(figure);
    return values == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(values.stream().mapToDouble(Double::doubleValue).sum());
  }

  /** Largest of the rounds. */
  OptionalDouble max(Figure figure) {
    return figures.getOrDefault(figure, List.of()).stream().mapToDouble(Double::doubleValue).max();
  }
}
