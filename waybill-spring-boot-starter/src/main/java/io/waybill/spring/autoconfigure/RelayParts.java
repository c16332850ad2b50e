package io.waybill.spring.autoconfigure;

import io.waybill.CommitListener;
import io.waybill.RetentionJob;
import io.waybill.broker.Publisher;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.observe.Finding;
import io.waybill.observe.RelayListener;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.Relay;
import io.waybill.relay.Stores;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the relay of an outbox is made of; it may be made again after a stop.
 *
 * @param outbox the outbox
 * @param age how long published events stay in its table, null for ever or not at all
 * @param database where events come from; opened at the first use, fails while it is away
 * @param connections to the same database
 * @param broker where they go
 * @param settings how
 * @param checks what is looked at first
 * @param listener who is told
 * @param observations what sends are observed with
 */
record RelayParts(
    ConfiguredOutbox outbox,
    @Nullable Duration age,
    Supplier<OutboxTables> database,
    Supplier<ConnectionFactory> connections,
    RelayBrokerSide broker,
    RelaySettings settings,
    StartChecks checks,
    RelayListener listener,
    Observations observations) {

  /** The same with the broker's settings read anew. */
  RelayParts with(RelayBrokerSide other) {
    return new RelayParts(
        outbox, age, database, connections, other, settings, checks, listener, observations);
  }

  /**
   * Declares at the broker what the keys ask for.
   *
   * @return what the broker refused or did not answer
   */
  List<Finding> declare() {
    return broker.declare();
  }

  /** Asks database and broker; changes nothing. */
  List<Finding> check() {
    return checks.run(database.get(), connections.get(), broker, settings);
  }

  Relay start(Consumer<Throwable> failed) {
    OutboxTables tables = database.get();
    Publisher publisher = observations.around(broker.publisher(), broker.client());
    EngineSettings usual =
        EngineSettings.defaults(publisher.deliveryTimeout(), publisher.maxInFlightPerKey())
            .polling(tables.polling());
    return new Relay(
        outbox.relay(),
        settings.engine(usual),
        new Stores(tables.lanes(), tables.reader(), tables.store(), tables.toString()),
        publisher,
        settings.rules(),
        listener,
        failed);
  }

  /** Removes what has been kept long enough, where published events are kept. */
  @Nullable RetentionJob retention() {
    return age == null ? null : RetentionJob.start(outbox.name(), database.get().retention(), age);
  }

  /** Wakes the relay when writers in other processes notify of commits, if it is to be. */
  @Nullable CommitListener listener(Relay relay) {
    return outbox.properties().listen() && database.get() instanceof PostgresOutbox own
        ? CommitListener.start(outbox.relay(), own, relay::nudge)
        : null;
  }
}
