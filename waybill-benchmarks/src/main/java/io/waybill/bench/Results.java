package io.waybill.bench;

import io.waybill.bench.wire.BrokerKind;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a scenario found.
 *
 * @param scenario its name
 * @param database name and version
 * @param broker the broker
 * @param candidates figures by candidate, in the order of the report
 */
record Results(
    String scenario, String database, BrokerKind broker, Map<Candidate, Measured> candidates) {
  static Results of(Scenario scenario, Stage stage) {
    return new Results(
        scenario.label(),
        stage.databaseVersion(),
        stage.brokerKind(),
        new EnumMap<>(Candidate.class));
  }

  Measured of(Candidate candidate) {
    return candidates.computeIfAbsent(candidate, c -> new Measured());
  }
}
