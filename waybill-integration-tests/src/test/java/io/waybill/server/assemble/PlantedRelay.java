package io.waybill.server.assemble;

import io.waybill.broker.Publisher;
import io.waybill.jdbc.OutboxTables;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.Stores;
import io.waybill.server.config.ConfigLoader;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.ServerConfig;
import io.waybill.torture.planted.PlantedBug;
import io.waybill.torture.planted.PlantedPublisher;
import io.waybill.torture.planted.PlantedTables;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * The process of a relay with a bug: put together as {@code waybill relay} does it, with decorated
 * parts. Here because those parts are not public.
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
    ServerConfig server = ConfigLoader.load(Path.of(args[3]), System.getenv(), "relay").config();
    OutboxConfig config = server.outboxes().get(0);
    String name = server.relayName();
    Publisher publisher = new PlantedPublisher(Publishers.of(config, name), bug);
    OutboxTables tables =
        new PlantedTables(Databases.tables(config, name), Databases.connections(config), bug);
    Relay relay =
        new Relay(
            name + "-" + config.name(),
            Rules.settings(config, publisher.deliveryTimeout(), publisher.maxInFlightPerKey()),
            new Stores(tables.lanes(), tables.reader(), tables.store()),
            publisher,
            Rules.of(config),
            RelayListener.NONE,
            failure -> Runtime.getRuntime().halt(7));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> Runtime.getRuntime().halt(relay.stop(server.gracePeriod()) ? 0 : 1)));
    new CountDownLatch(1).await();
  }
}
