package io.waybill.spring.internal.broker;

import io.waybill.broker.Broker;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.database.OutboxTables;
import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.Supervisor;
import io.waybill.observe.RelayListener;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.ConfigException;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.RelaySettings;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the events of an outbox travel.
 *
 * @param broker where they go
 * @param settings how, from keys that have been checked
 * @param context where settings of the broker came from
 */
public record OutboxRoute(Broker broker, RelaySettings settings, BrokerContext context) {
  /** What the relay of the outbox is made of. */
  public RelayDefinition definition(
      ConfiguredOutbox outbox,
      Supplier<OutboxTables> tables,
      BiFunction<Publisher, BrokerClient, Publisher> decorator,
      @Nullable Duration retention,
      WaybillProperties.Relay process,
      RelayListener listener) {
    return new RelayDefinition(
        outbox.name(),
        outbox.relay(),
        () -> opened(tables),
        broker,
        decorator,
        settings.relayRoutes(),
        settings::engine,
        retention,
        outbox.properties().listen(),
        null,
        process.gracePeriod(),
        process.history(),
        listener);
  }

  private static OutboxTables opened(Supplier<OutboxTables> tables) {
    try {
      return tables.get();
    } catch (ConfigException e) {
      throw new Supervisor.Refused(String.valueOf(e.getMessage()));
    } catch (WaybillStartException e) {
      // Of a database that no start of the application waits for: it may come yet.
      throw new StoreException(e.getMessage() + " " + e.action(), null, true);
    }
  }
}
