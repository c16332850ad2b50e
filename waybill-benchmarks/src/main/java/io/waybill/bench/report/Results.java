package io.waybill.bench;

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
record Results(
    String scenario, String database, String broker, Map<Contender, Measured> candidates) {
  static Results of(Scenario scenario, String database, String broker) {
    return new Results(scenario.label(), database, broker, new LinkedHashMap<>());
  }

  Measured of(Contender candidate) {
    return candidates.computeIfAbsent(candidate, c -> new Measured());
  }
}
