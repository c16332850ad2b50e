package io.waybill.torture.planted;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.OutboxTables;
import io.waybill.internal.start.RelayDefinition;
import io.waybill.internal.start.RelaySupervisor;
import io.waybill.observe.RelayListener;
import io.waybill.spring.internal.broker.OutboxRoute;
import io.waybill.spring.internal.broker.OutboxRoutes;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.database.OutboxDatabase;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfigChecks;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.io.ApplicationResourceLoader;

/**
 * The process of a relay with a bug: put together as {@code waybill relay} does it, with decorated
 * parts.
 */
public final class PlantedRelay {
  private PlantedRelay() {}

  /**
   * Relays until SIGTERM, which stops it in order.
   *
   * @param args name of the bug, then what the command line takes: relay, --config, file
   */
  public static void main(String[] args) throws InterruptedException {
    PlantedBug bug = PlantedBug.valueOf(args[0]);
    LoadedConfig<WaybillProperties> loaded =
        StandaloneOutboxes.loader().load(Path.of(args[3]), System.getenv());
    WaybillProperties.Relay process = loaded.get().relay();
    RelaySupervisor relay = relay(loaded, Objects.requireNonNull(process.name()), bug);
    relay.start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> Runtime.getRuntime().halt(relay.stop(process.gracePeriod()) ? 0 : 1)));
    new CountDownLatch(1).await();
  }

  private static RelaySupervisor relay(
      LoadedConfig<WaybillProperties> loaded, String name, PlantedBug bug) {
    StandaloneOutbox real = StandaloneOutboxes.of(loaded, name).get(0);
    ConnectionFactory connections = real.connections();
    WaybillProperties properties = loaded.get();
    Outboxes outboxes = Outboxes.unchecked(properties, name, context(loaded));
    ConfiguredOutbox outbox = outboxes.get(real.name());
    OutboxRoute route =
        OutboxRoutes.route(outbox, null, properties, outboxes.problems(), context(loaded));
    OutboxTables tables =
        new PlantedTables(
            OutboxDatabase.open(outbox, connections, real.kind(), null), connections, bug);
    RelayDefinition definition =
        route.definition(
            outbox,
            () -> tables,
            (publisher, client) -> new PlantedPublisher(publisher, bug),
            null,
            properties.relay(),
            RelayListener.NONE);
    return new RelaySupervisor(
        ConfigChecks.of(outboxes, outbox, definition, any -> null),
        true,
        definition.health(),
        failure -> Runtime.getRuntime().halt(7));
  }

  private static BrokerContext context(LoadedConfig<WaybillProperties> loaded) {
    return new BrokerContext(
        loaded.environment(),
        new StaticListableBeanFactory(),
        ApplicationResourceLoader.get(),
        new LinkedHashSet<>());
  }
}
