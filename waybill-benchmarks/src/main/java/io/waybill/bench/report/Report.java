package io.waybill.bench.report;

import io.waybill.bench.report.Measured.Figure;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A scenario's results as they are printed. Null where a figure does not apply.
 *
 * @param scenario its name
 * @param database name and version
 * @param broker name
 * @param candidates one line each
 * @param failures what must not be, one sentence each; the exit code is 1 if there is any
 */
public record Report(
    String scenario, String database, String broker, List<Line> candidates, List<String> failures) {
  /** A report without failures. */
  public Report(String scenario, String database, String broker, List<Line> candidates) {
    this(scenario, database, broker, candidates, List.of());
  }

  /** The same with what must not be. */
  public Report failing(List<String> sentences) {
    return new Report(scenario, database, broker, candidates, sentences);
  }

  /**
   * One candidate: medians over the rounds, sums of what should not happen, the largest memory.
   *
   * @param name candidate
   * @param eventsPerSecond over the second half of the backlog, or as written
   * @param ratioToLoop rate against that of the plain loop in the same round
   * @param shareOfLimit rate without the verifier against the limit of the cores
   * @param relayCpuSecondsPer1000 CPU of the candidate's process per 1,000 events
   * @param databaseCpuSecondsPer1000 CPU of the database
   * @param consumerCpuSecondsPer1000 CPU of the verifier
   * @param p50Ms commit to the broker's confirm
   * @param p99Ms commit to the broker's confirm
   * @param peakRssMb largest resident memory of the candidate's process
   * @param lost events that never arrived
   * @param duplicates second and later arrivals
   * @param orderInversions first arrivals behind a later event of their key
   * @param details further figures of the scenario
   */
  public record Line(
      String name,
      @Nullable Long eventsPerSecond,
      @Nullable Double ratioToLoop,
      @Nullable Double shareOfLimit,
      @Nullable Double relayCpuSecondsPer1000,
      @Nullable Double databaseCpuSecondsPer1000,
      @Nullable Double consumerCpuSecondsPer1000,
      @Nullable Double p50Ms,
      @Nullable Double p99Ms,
      @Nullable Long peakRssMb,
      @Nullable Long lost,
      @Nullable Long duplicates,
      @Nullable Long orderInversions,
      Map<String, Double> details) {}

  /** Sums up a scenario. */
  public static Report of(Results results) {
    List<Line> lines =
        results.candidates().entrySet().stream()
            .map(entry -> line(entry.getKey().label(), entry.getValue()))
            .toList();
    return new Report(results.scenario(), results.database(), results.broker(), lines);
  }

  /** Sums up a candidate. */
  public static Line line(String name, Measured measured) {
    return new Line(
        name,
        whole(measured.median(Figure.RATE)),
        rounded(measured.median(Figure.RATIO_TO_LOOP), 3),
        rounded(measured.median(Figure.SHARE_OF_LIMIT), 3),
        rounded(measured.median(Figure.RELAY_CPU), 5),
        rounded(measured.median(Figure.DATABASE_CPU), 5),
        rounded(measured.median(Figure.CONSUMER_CPU), 5),
        rounded(measured.median(Figure.P50), 3),
        rounded(measured.median(Figure.P99), 3),
        whole(measured.max(Figure.PEAK_RSS)),
        whole(measured.sum(Figure.LOST)),
        whole(measured.sum(Figure.DUPLICATES)),
        whole(measured.sum(Figure.INVERSIONS)),
        details(measured));
  }

  private static Map<String, Double> details(Measured measured) {
    Map<String, Double> all = new TreeMap<>();
    measured.details().forEach((name, value) -> all.put(name, round(value, 4)));
    put(all, "coldEventsPerSecond", measured.median(Figure.COLD_RATE));
    put(all, "coldRatioToLoop", measured.median(Figure.COLD_RATIO_TO_LOOP));
    put(all, "hotKeyEventsPerSecond", measured.median(Figure.HOT_KEY_RATE));
    put(all, "twoInstancesEventsPerSecond", measured.median(Figure.TWO_INSTANCES_RATE));
    put(all, "brokerCpuSecondsPer1000", measured.median(Figure.BROKER_CPU));
    put(all, "shareOfRateWithoutSnapshot", measured.median(Figure.SHARE_OF_FREE));
    put(all, "ratioToLoopOnTheSameTable", measured.median(Figure.RATIO_TO_LOOP_ON_TABLE));
    put(all, "shareOfRateOnPostgresql", measured.median(Figure.SHARE_OF_POSTGRESQL));
    put(all, "shareOfRateAlone", measured.median(Figure.SHARE_OF_ALONE));
    put(all, "ratioToOneInstance", measured.median(Figure.RATIO_TO_ONE_INSTANCE));
    put(all, "ratioToConsumer", measured.median(Figure.RATIO_TO_CONSUMER));
    put(all, "ratioToSingle", measured.median(Figure.RATIO_TO_SINGLE));
    put(all, "consumerP50Ms", measured.median(Figure.CONSUMER_P50));
    put(all, "consumerP99Ms", measured.median(Figure.CONSUMER_P99));
    put(all, "idlePercentOfCore", measured.median(Figure.IDLE_CPU));
    return all;
  }

  private static void put(Map<String, Double> all, String name, OptionalDouble value) {
    value.ifPresent(v -> all.put(name, round(v, 4)));
  }

  private static @Nullable Double rounded(OptionalDouble value, int digits) {
    return value.isPresent() ? round(value.getAsDouble(), digits) : null;
  }

  private static double round(double value, int digits) {
    double unit = Math.pow(10, digits);
    return Math.round(value * unit) / unit;
  }

  private static @Nullable Long whole(OptionalDouble value) {
    return value.isPresent() ? Math.round(value.getAsDouble()) : null;
  }

  /** One line. */
  public String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }

  /** For people. */
  public String table() {
    StringBuilder text = new StringBuilder();
    text.append(String.format("%n%s: %s, %s%n", scenario, database, broker));
    text.append(
        row(
            "candidate",
            "events/s",
            "x loop",
            "of limit",
            "relay CPU",
            "db CPU",
            "cons. CPU",
            "p50 ms",
            "p99 ms",
            "RSS MB",
            "lost",
            "dupl.",
            "inversions"));
    for (Line line : candidates) {
      text.append(
          row(
              line.name(),
              line.eventsPerSecond(),
              line.ratioToLoop(),
              line.shareOfLimit(),
              line.relayCpuSecondsPer1000(),
              line.databaseCpuSecondsPer1000(),
              line.consumerCpuSecondsPer1000(),
              line.p50Ms(),
              line.p99Ms(),
              line.peakRssMb(),
              line.lost(),
              line.duplicates(),
              line.orderInversions()));
    }
    for (Line line : candidates) {
      text.append(String.format("%n%s: %s", line.name(), line.details()));
    }
    failures.forEach(failure -> text.append(String.format("%nFAILED: %s", failure)));
    return text.append(String.format("%nCPU is in seconds per 1,000 events.")).toString();
  }

  private static String row(@Nullable Object... cells) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      Object cell = cells[i] == null ? "-" : cells[i];
      text.append(String.format(Locale.ROOT, i == 0 ? "%-22s" : "%11s", cell));
    }
    return text.append(System.lineSeparator()).toString();
  }
}
