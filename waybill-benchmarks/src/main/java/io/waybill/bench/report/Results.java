package io.waybill.bench.report;

import io.waybill.bench.stage.Contender;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a scenario found.
 *
 * @param scenario its name
 * @param database name and version
 * @param broker its name
 * @param candidates figures by candidate, in the order of the report
 */
public record Results(
    String scenario, String database, String broker, Map<Contender, Measured> candidates) {
  /** Nothing yet. */
  public static Results of(String scenario, String database, String broker) {
    return new Results(scenario, database, broker, new LinkedHashMap<>());
  }

  /** The figures of a candidate, which grow. */
  public Measured of(Contender candidate) {
    return candidates.computeIfAbsent(candidate, c -> new Measured());
  }
}
