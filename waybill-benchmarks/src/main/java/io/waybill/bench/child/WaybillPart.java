package io.waybill.bench.child;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waybill.RelayBuilder;
import io.waybill.Waybill;
import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.unchecked.UncheckedBroker;
import io.waybill.bench.unchecked.UncheckedTables;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.OnPublished;
import io.waybill.database.OutboxTables;
import io.waybill.encode.Format;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.route.Route;
import io.waybill.store.OutboxReader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * A relay with default settings and metrics. What is timed from its start on, a cold rate or a take
 * over, begins after the checks: those of other relays are none.
 */
final class WaybillPart implements ChildMain.Part {
  private static final Duration GRACE = Duration.ofSeconds(20);

  @Override
  public void play(Settings settings, Control control) throws Exception {
    control.readyAndAwaitGo();
    Progress progress = new Progress(control, settings.number("events"));
    Stamps stamps = new Stamps();
    TimedReader reader = new TimedReader(outbox(settings).reader());
    Peaks peaks = new Peaks();
    RelayBuilder described = relay(settings, progress, reader);
    if (settings.has("stamps")) {
      described.decoratePublisher(publisher -> new StampingPublisher(publisher, stamps));
    } else if (settings.has("bounds")) {
      described.decoratePublisher(peaks::around);
    }
    Waybill relay = described.start();
    if (settings.has("writer")) {
      Writer writer = new Writer(settings, relay.outbox());
      control.awaitWrite();
      writer.run(() -> false);
      control.tell("written");
    }
    if (settings.has("bounds")) {
      peaks.watch(relay.outbox()::committed);
    }
    control.awaitStop();
    if (settings.has("bounds")) {
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

  private static RelayBuilder relay(Settings settings, Progress progress, TimedReader timed) {
    boolean kafka = BrokerKind.of(settings.text("broker")) == BrokerKind.KAFKA;
    String destination = settings.text("destination");
    boolean perKey = settings.has("bounds") && settings.text("bounds").equals("per-key");
    return Waybill.relay("bench")
        .tables(tables(settings, timed))
        .broker(UncheckedBroker.of(Brokers.of(settings)))
        .route(
            perKey
                ? Route.to(BrokerKind.TOPIC_EXCHANGE).routingKey("{aggregateId}").build()
                : route(kafka, destination))
        .route(Sick.TYPE, route(kafka, destination + Sick.SUFFIX))
        .format(Format.valueOf(settings.text("format").toUpperCase(Locale.ROOT)))
        .source("bench")
        .listener(RelayListener.all(List.of(new Metrics().listener(), counting(progress))));
  }

  private static OutboxTables tables(Settings settings, TimedReader timed) {
    OutboxTables outbox = outbox(settings);
    return settings.has("reads")
        ? new UncheckedTables(outbox) {
          @Override
          public OutboxReader reader() {
            return timed;
          }
        }
        : new UncheckedTables(outbox);
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
      ConnectionFactory server = () -> DriverManager.getConnection(url);
      return TableOutbox.of(
          server, Layouts.WAYBILL, DatabaseKind.of(server), TableOptions.defaults(Layouts.WAYBILL));
    }
    ConnectionFactory connections = ConnectionFactory.postgres(url, new Properties());
    if (settings.has("layout")) {
      AdoptedTable table = AdoptedTable.of(settings.text("layout"));
      Layout layout = settings.has("silent") ? table.silent() : table.layout();
      return TableOutbox.of(
          connections, layout, DatabaseKind.POSTGRESQL, TableOptions.defaults(layout));
    }
    boolean keep = Boolean.parseBoolean(settings.text("keep"));
    return PostgresOutbox.of(
        connections,
        PostgresOptions.ofDefaults().onPublished(keep ? OnPublished.KEEP : OnPublished.DELETE));
  }

  private static Route route(boolean kafka, String destination) {
    return kafka
        ? Route.to(destination).build()
        : Route.to(BrokerKind.EXCHANGE).routingKey(destination).build();
  }
}
