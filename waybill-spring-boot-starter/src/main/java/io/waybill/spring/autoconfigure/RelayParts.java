package io.waybill.spring.autoconfigure;

import io.waybill.RetentionJob;
import io.waybill.broker.Publisher;
import io.waybill.jdbc.OnPublished;
import io.waybill.jdbc.OutboxTables;
import io.waybill.observe.Finding;
import io.waybill.observe.RelayListener;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.Relay;
import io.waybill.relay.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

  Relay start(Consumer<Throwable> failed) {
    OutboxTables tables = database.tables();
    Publisher publisher = observations.around(broker.publisher());
    EngineSettings usual =
        EngineSettings.defaults(publisher.deliveryTimeout(), publisher.maxInFlightPerKey())
            .polling(tables.polling());
    return new Relay(
        name,
        settings.engine(usual),
        new Stores(tables.lanes(), tables.reader(), tables.store(), tables.toString()),
        publisher,
        settings.rules(),
        listener,
        failed);
  }

  /** Removes what has been kept long enough, where published events are kept. */
  @Nullable RetentionJob retention() {
    WaybillProperties.Outbox outbox = properties.outbox();
    return database.own() && outbox.onPublished() == OnPublished.KEEP
        ? RetentionJob.start(outbox.name(), database.tables().retention(), outbox.retention())
        : null;
  }
}
