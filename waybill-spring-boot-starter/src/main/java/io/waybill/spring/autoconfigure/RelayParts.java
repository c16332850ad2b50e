package io.waybill.spring.autoconfigure;

import io.waybill.RetentionJob;
import io.waybill.Waybill;
import io.waybill.jdbc.OnPublished;
import io.waybill.observe.Finding;
import io.waybill.observe.RelayListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a relay is made of; it may be made again after a stop.
 *
 * @param name name of the relay
 * @param properties the properties
 * @param database where events come from
 * @param broker where they go
 * @param settings how
 * @param listener who is told
 * @param observations what sends are observed with
 */
record RelayParts(
    String name,
    WaybillProperties properties,
    OutboxDatabase database,
    RelayBrokerSide broker,
    RelaySettings settings,
    RelayListener listener,
    Observations observations) {

  /** Asks database and broker; changes nothing. */
  List<Finding> check() {
    List<Finding> findings = new ArrayList<>(database.tables().check());
    findings.addAll(broker.check(settings.literalDestinations()));
    return findings;
  }

  Waybill start() {
    return Waybill.builder()
        .name(name)
        .tables(database.tables())
        .publisher(observations.around(broker.publisher()))
        .rules(settings.rules())
        .settings(settings::engine)
        .listener(listener)
        .start();
  }

  /** Removes what has been kept long enough, where published events are kept. */
  @Nullable RetentionJob retention() {
    WaybillProperties.Outbox outbox = properties.outbox();
    return database.own() && outbox.onPublished() == OnPublished.KEEP
        ? RetentionJob.start(outbox.name(), database.tables().retention(), outbox.retention())
        : null;
  }
}
