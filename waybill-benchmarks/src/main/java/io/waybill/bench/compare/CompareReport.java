package io.waybill.bench.compare;

import io.waybill.bench.report.Report;
import io.waybill.bench.report.Report.Line;
import io.waybill.bench.wire.BrokerKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A comparison as it is printed: the object of the other scenarios, and what explains it.
 *
 * @param scenario {@code compare}
 * @param database name and version
 * @param broker name
 * @param candidates one line each
 * @param ratios rate of Waybill's candidates against each rival's, warm and cold
 * @param run when, where and how large
 * @param versions of everything that took part
 * @param settings of each rival
 * @param leftOut rivals that could not be built
 * @param failures measurements that failed
 * @param shortfalls targets that were not reached
 */
record CompareReport(
    String scenario,
    String database,
    String broker,
    List<Line> candidates,
    Map<String, Map<String, Double>> ratios,
    Run run,
    Map<String, String> versions,
    Map<String, Map<String, String>> settings,
    List<Rivals.Missing> leftOut,
    List<String> failures,
    List<String> shortfalls) {
  /**
   * How it was run.
   *
   * @param date when
   * @param machine where
   * @param options how large
   */
  record Run(String date, Machine machine, CompareOptions options) {}

  static CompareReport of(
      String database,
      Comparison comparison,
      Rivals rivals,
      Map<String, String> versions,
      Machine machine) {
    List<Line> lines =
        comparison.results().entrySet().stream()
            .map(entry -> Report.line(entry.getKey().label(), entry.getValue()))
            .toList();
    Map<String, Map<String, String>> settings = new TreeMap<>();
    comparison.rivals().stream()
        .filter(comparison.options()::chosen)
        .forEach(rival -> settings.put(rival.label(), rival.told()));
    return new CompareReport(
        "compare",
        database,
        BrokerKind.KAFKA.toString(),
        lines,
        ratios(lines),
        new Run(Instant.now().toString(), machine, comparison.options()),
        versions,
        settings,
        rivals.missing(),
        List.copyOf(comparison.failures()),
        Shortfalls.of(lines));
  }

  /** Of medians: a rival that ran once in a round ran in each. */
  static Map<String, Map<String, Double>> ratios(List<Line> lines) {
    Map<String, Map<String, Double>> all = new TreeMap<>();
    for (Line own : lines) {
      if (own.name().equals("waybill-keep") || own.name().equals("waybill-delete")) {
        Map<String, Double> ratios = new TreeMap<>();
        for (RivalKind kind : RivalKind.values()) {
          lines.stream()
              .filter(line -> kind.candidates().contains(line.name()))
              .forEach(rival -> ratios(own, rival, ratios));
        }
        all.put(own.name(), ratios);
      }
    }
    return all;
  }

  private static void ratios(Line own, Line rival, Map<String, Double> ratios) {
    Long warm = own.eventsPerSecond();
    Long theirs = rival.eventsPerSecond();
    if (warm != null && theirs != null && theirs > 0) {
      ratios.put(rival.name() + " warm", rounded(warm.doubleValue() / theirs));
    }
    Double cold = own.details().get("coldEventsPerSecond");
    Double theirCold = rival.details().get("coldEventsPerSecond");
    if (cold != null && theirCold != null && theirCold > 0) {
      ratios.put(rival.name() + " cold", rounded(cold / theirCold));
    }
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** Whether every measurement was made, and Waybill kept its promises in all of them. */
  boolean isSound() {
    return failures.isEmpty()
        && candidates.stream()
            .filter(line -> line.name().startsWith("waybill-"))
            .allMatch(line -> none(line.lost(), line.duplicates(), line.orderInversions()));
  }

  private static boolean none(@Nullable Long... counts) {
    return Arrays.stream(counts).allMatch(count -> count == null || count == 0);
  }

  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }

  String table() {
    StringBuilder text = new StringBuilder();
    text.append(new Report(scenario, database, broker, candidates).table());
    text.append(String.format("%n%nMachine: %s", run.machine()));
    text.append(String.format("%nVersions: %s", versions));
    ratios.forEach((name, all) -> text.append(String.format("%n%s against: %s", name, all)));
    List<String> notes = new ArrayList<>();
    leftOut.forEach(one -> notes.add("Left out: " + one.name() + ": " + one.reason()));
    failures.forEach(one -> notes.add("Failed: " + one));
    shortfalls.forEach(one -> notes.add("Falls short: " + one));
    notes.forEach(note -> text.append(String.format(Locale.ROOT, "%n%s", note)));
    return text.toString();
  }
}
