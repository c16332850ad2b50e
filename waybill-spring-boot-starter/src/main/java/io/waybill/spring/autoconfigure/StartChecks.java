package io.waybill.spring.autoconfigure;

import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.OutboxTables;
import io.waybill.observe.Finding;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is looked at before a relay begins, and by the doctor. Changes nothing.
 *
 * @param all all outboxes of the process
 * @param outbox the one that is looked at
 * @param grace how long a stop of the process may take
 * @param clock this machine's
 */
record StartChecks(
    List<ConfiguredOutbox> all, ConfiguredOutbox outbox, Duration grace, Clock clock) {
  static StartChecks of(Outboxes outboxes, ConfiguredOutbox outbox, WaybillProperties properties) {
    return new StartChecks(
        outboxes.all(), outbox, properties.relay().gracePeriod(), Clock.systemUTC());
  }

  /**
   * Asks database and broker.
   *
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  List<Finding> run(
      OutboxTables tables,
      ConnectionFactory connections,
      RelayBrokerSide broker,
      RelaySettings settings) {
    List<Finding> findings = new ArrayList<>(tables.check());
    findings.addAll(broker.check(settings.literalDestinations()));
    findings.addAll(
        ConfigChecks.of(all, outbox, settings, broker.deliveryTimeout(), grace, clock.instant()));
    findings.addAll(ClockCheck.of(connections, clock));
    return findings;
  }
}
