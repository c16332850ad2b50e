package io.waybill.bench.child;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.broker.Publisher;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.encode.Encoder;
import io.waybill.encode.Format;
import io.waybill.internal.relay.shell.Relay;
import io.waybill.internal.relay.shell.Stores;
import io.waybill.jdbc.LayoutOptions;
import io.waybill.jdbc.LayoutOutbox;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOptions;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.policy.EngineSettings;
import io.waybill.relay.RelayRules;
import io.waybill.relay.RoutedMapper;
import io.waybill.route.Route;
import io.waybill.route.Routes;
import io.waybill.store.OutboxReader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** A relay with default settings and metrics, as the standalone one is put together. */
final class WaybillPart implements ChildMain.Part {
  private static final Duration GRACE = Duration.ofSeconds(20);

  @Override
  public void play(Settings settings, Control control) throws Exception {
    control.readyAndAwaitGo();
    Progress progress = new Progress(control, settings.number("events"));
    Stamps stamps = new Stamps();
    TimedReader reader = new TimedReader(outbox(settings).reader());
    Relay relay = relay(settings, progress, stamps, reader);
    if (settings.has("writer")) {
      Writer writer = new Writer(settings, Writer.outbox(settings.text("database"), relay::nudge));
      control.awaitWrite();
      writer.run();
      control.tell("written");
    }
    Peaks peaks = settings.has("bounds") ? Peaks.of(relay) : null;
    control.awaitStop();
    if (peaks != null) {
      control.tell("peaks", peaks.words());
    }
    boolean clean = relay.stop(GRACE);
    if (settings.has("stamps")) {
      stamps.write(Path.of(settings.text("stamps")));
    }
    if (settings.has("reads")) {
      reader.write(Path.of(settings.text("reads")));
    }
    if (!clean) {
      throw new IllegalStateException("The relay did not stop cleanly");
    }
  }

  private static Relay relay(
      Settings settings, Progress progress, Stamps stamps, TimedReader timed) {
    OutboxTables outbox = outbox(settings);
    Publisher publisher = Publishers.create(settings);
    OutboxReader reader = settings.has("reads") ? timed : outbox.reader();
    EngineSettings engine =
        EngineSettings.defaults(publisher.deliveryTimeout(), publisher.maxInFlightPerKey())
            .polling(outbox.polling());
    return new Relay(
        "bench",
        engine,
        new Stores(outbox.lanes(), reader, outbox.store()),
        settings.has("stamps") ? new StampingPublisher(publisher, stamps) : publisher,
        RelayRules.ofDefaults(mapper(settings)),
        RelayListener.all(List.of(new Metrics().listener(), counting(progress))),
        failure -> {});
  }

  private record Metrics(PrometheusMeterRegistry registry) {
    Metrics() {
      this(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    }

    RelayListener listener() {
      return new MicrometerRelayListener(registry, "bench");
    }
  }

  private static RelayListener counting(Progress progress) {
    return event -> {
      if (event instanceof RelayEvent.Published) {
        progress.completed(1);
      }
    };
  }

  private static OutboxTables outbox(Settings settings) {
    String url = settings.text("database");
    if (Sql.isMariaDb(url)) {
      return LayoutOutbox.of(
          () -> DriverManager.getConnection(url),
          Layouts.WAYBILL,
          DatabaseKind.MARIADB,
          LayoutOptions.defaults(Layouts.WAYBILL));
    }
    ConnectionFactory connections = ConnectionFactory.postgres(url, new Properties());
    if (settings.has("layout")) {
      Layout layout = AdoptedTable.of(settings.text("layout")).layout();
      return LayoutOutbox.of(
          connections, layout, DatabaseKind.POSTGRESQL, LayoutOptions.defaults(layout));
    }
    boolean keep = Boolean.parseBoolean(settings.text("keep"));
    return PostgresOutbox.of(
        connections,
        PostgresOptions.defaults().onPublished(keep ? OnPublished.KEEP : OnPublished.DELETE));
  }

  private static RoutedMapper mapper(Settings settings) {
    boolean kafka = BrokerKind.of(settings.text("broker")) == BrokerKind.KAFKA;
    Transport transport = kafka ? Transport.KAFKA : Transport.RABBITMQ;
    String destination = settings.text("destination");
    Format format = Format.valueOf(settings.text("format").toUpperCase(Locale.ROOT));
    return new RoutedMapper(
        Routes.builder(transport)
            .byDefault(
                settings.has("bounds") && settings.text("bounds").equals("per-key")
                    ? Route.to(BrokerKind.TOPIC_EXCHANGE).routingKey("{aggregateId}").build()
                    : route(kafka, destination))
            .forType(Sick.TYPE, route(kafka, destination + Sick.SUFFIX))
            .build(),
        Encoder.builder(transport).byDefault(format).source("bench").build(),
        EventLimits.ofDefaults());
  }

  private static Route route(boolean kafka, String destination) {
    return kafka
        ? Route.to(destination).build()
        : Route.to(BrokerKind.EXCHANGE).routingKey(destination).build();
  }
}
