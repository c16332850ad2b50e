package io.waybill.bench.compare;

import io.waybill.bench.report.Report.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What Waybill is to reach beside its rivals, and where the figures fall short of it. */
final class Shortfalls {
  private static final double TO_DEBEZIUM = 1.5;
  private static final double TO_OTHERS = 10;
  private static final double CPU_TO_DEBEZIUM = 0.5;
  private static final double CPU_TO_OTHERS = 0.1;
  private static final List<String> DRAINING = List.of("waybill-keep", "waybill-delete");
  private static final List<String> LIVE = List.of("waybill-in-process", "waybill-relay");
  private static final Map<String, Double> TO_LOOP =
      Map.of("waybill-keep", 1.5, "waybill-delete", 1.8);
  private static final double RELAY_CPU = 0.012;
  private static final double HOT_KEY = 20_000;
  private static final Map<String, Double> P50 =
      Map.of("waybill-in-process", 1.5, "waybill-relay", 5.0);
  private static final Map<String, Double> P99 =
      Map.of("waybill-in-process", 8.0, "waybill-relay", 12.0);

  private final List<Line> lines;
  private final List<String> found = new ArrayList<>();

  private Shortfalls(List<Line> lines) {
    this.lines = lines;
  }

  /**
   * Looks at all targets that the figures say something about.
   *
   * @param lines figures of all candidates
   * @return one sentence each, empty if there is none
   */
  static List<String> of(List<Line> lines) {
    Shortfalls all = new Shortfalls(lines);
    DRAINING.forEach(name -> all.line(name).ifPresent(all::drain));
    LIVE.forEach(name -> all.line(name).ifPresent(all::live));
    return List.copyOf(all.found);
  }

  private Optional<Line> line(String name) {
    return lines.stream().filter(line -> line.name().equals(name)).findFirst();
  }

  private List<Line> rivals() {
    return lines.stream().filter(line -> kind(line) != null).toList();
  }

  private static @Nullable RivalKind kind(Line line) {
    for (RivalKind kind : RivalKind.values()) {
      if (kind.candidates().contains(line.name())) {
        return kind;
      }
    }
    return null;
  }

  private void drain(Line own) {
    atLeast(own, "drain, x loop", own.ratioToLoop(), TO_LOOP.get(own.name()));
    atMost(own, "relay CPU s per 1,000", own.relayCpuSecondsPer1000(), RELAY_CPU);
    atLeast(own, "one hot key, events/s", detail(own, "hotKeyEventsPerSecond"), HOT_KEY);
    atLeast(
        own,
        "two instances, events/s, against one",
        detail(own, "twoInstancesEventsPerSecond"),
        asDouble(own.eventsPerSecond()));
    nothing(own);
    for (Line rival : rivals()) {
      boolean debezium = kind(rival) == RivalKind.DEBEZIUM;
      double times = debezium ? TO_DEBEZIUM : TO_OTHERS;
      double share = debezium ? CPU_TO_DEBEZIUM : CPU_TO_OTHERS;
      against(own, rival, "warm drain", line -> asDouble(line.eventsPerSecond()), times);
      against(own, rival, "cold drain", line -> detail(line, "coldEventsPerSecond"), times);
      Double cpu = rival.relayCpuSecondsPer1000();
      if (cpu != null) {
        String what = share + " x relay CPU of " + rival.name();
        atMost(own, what, own.relayCpuSecondsPer1000(), share * cpu);
      }
      Long memory = rival.peakRssMb();
      if (memory != null) {
        atMost(
            own,
            "peak memory MB, " + rival.name(),
            asDouble(own.peakRssMb()),
            memory.doubleValue());
      }
    }
  }

  private void live(Line own) {
    atMost(own, "p50 ms", own.p50Ms(), P50.get(own.name()));
    atMost(own, "p99 ms", own.p99Ms(), P99.get(own.name()));
    nothing(own);
    for (Line rival : rivals()) {
      boolean ordered = Objects.requireNonNull(kind(rival)).ordered();
      boolean kept = rival.orderInversions() != null && rival.orderInversions() == 0;
      if (ordered && kept) {
        atMost(own, "p50 ms of " + rival.name(), own.p50Ms(), rival.p50Ms());
      }
      atMost(own, "p99 ms of " + rival.name(), own.p99Ms(), rival.p99Ms());
    }
  }

  private void nothing(Line own) {
    atMost(own, "lost", asDouble(own.lost()), 0.0);
    atMost(own, "duplicates", asDouble(own.duplicates()), 0.0);
    atMost(own, "order inversions", asDouble(own.orderInversions()), 0.0);
  }

  private void against(
      Line own, Line rival, String what, Function<Line, @Nullable Double> figure, double times) {
    Double theirs = figure.apply(rival);
    if (theirs != null) {
      String whole = String.format(Locale.ROOT, "%s, %s x %s", what, times, rival.name());
      atLeast(own, whole, figure.apply(own), times * theirs);
    }
  }

  private void atLeast(Line own, String what, @Nullable Double value, @Nullable Double target) {
    if (value != null && target != null && value < target) {
      found.add(sentence(own, what, value, "at least", target));
    }
  }

  private void atMost(Line own, String what, @Nullable Double value, @Nullable Double target) {
    if (value != null && target != null && value > target) {
      found.add(sentence(own, what, value, "at most", target));
    }
  }

  private static String sentence(
      Line own, String what, double value, String relation, double target) {
    return String.format(
        Locale.ROOT, "%s: %s: %s, target %s %s", own.name(), what, n(value), relation, n(target));
  }

  private static String n(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.4g", value);
  }

  private static @Nullable Double detail(Line line, String name) {
    return line.details().get(name);
  }

  private static @Nullable Double asDouble(@Nullable Long value) {
    return value == null ? null : value.doubleValue();
  }
}
