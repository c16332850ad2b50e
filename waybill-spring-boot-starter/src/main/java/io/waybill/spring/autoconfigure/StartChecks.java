package io.waybill.spring.autoconfigure;

import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.OutboxTables;
import io.waybill.layout.Layout;
import io.waybill.layout.TableName;
import io.waybill.observe.Finding;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at before a relay begins, and by the doctor. Changes nothing.
 *
 * @param all all outboxes of the process
 * @param outbox the one that is looked at
 * @param grace how long a stop of the process may take
 * @param tables the table of each
 * @param clock this machine's
 */
record StartChecks(
    List<ConfiguredOutbox> all,
    ConfiguredOutbox outbox,
    Duration grace,
    Function<ConfiguredOutbox, TableName> tables,
    Clock clock) {
  /**
   * The checks of an outbox.
   *
   * @param layouts layouts of the application's own, by outbox
   */
  static StartChecks of(
      Outboxes outboxes,
      ConfiguredOutbox outbox,
      WaybillProperties properties,
      Function<String, @Nullable Layout> layouts) {
    return new StartChecks(
        outboxes.all(),
        outbox,
        properties.relay().gracePeriod(),
        each -> TableLayout.of(each, layouts.apply(each.name()), null, new Problems()).table(),
        Clock.systemUTC());
  }

  /** The same with another clock. */
  StartChecks with(Clock other) {
    return new StartChecks(all, outbox, grace, tables, other);
  }

  /**
   * Asks database and broker.
   *
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  List<Finding> run(
      OutboxTables opened,
      ConnectionFactory connections,
      RelayBrokerSide broker,
      RelaySettings settings) {
    List<Finding> findings = new ArrayList<>(opened.check());
    findings.addAll(broker.check(settings.literalDestinations()));
    findings.addAll(
        ConfigChecks.of(
            all, outbox, tables, settings, broker.deliveryTimeout(), grace, clock.instant()));
    findings.addAll(ClockCheck.of(connections, clock));
    return findings;
  }
}
