package io.waybill.server.assemble;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waybill.broker.Publisher;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.observe.RelayListener;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.Relay;
import io.waybill.relay.Stores;
import io.waybill.server.config.HttpConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.ServerConfig;
import io.waybill.server.http.HealthLimits;
import io.waybill.server.http.HttpEndpoints;
import io.waybill.server.http.OutboxHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One relay per outbox, with health and metrics. Stopped once, by {@link #stop}. */
public final class RelayProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RelayProcess.class);

  private final Map<String, Relay> relays = new LinkedHashMap<>();
  private final List<OutboxHealth> health = new ArrayList<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private @Nullable HttpEndpoints http;

  private RelayProcess() {}

  /**
   * Starts everything. Databases and brokers that are down are awaited by the relays themselves.
   *
   * @param config the configuration
   * @return the running whole
   */
  public static RelayProcess start(ServerConfig config) {
    RelayProcess process = new RelayProcess();
    try {
      new JvmMemoryMetrics().bindTo(process.registry);
      new JvmThreadMetrics().bindTo(process.registry);
      new ProcessorMetrics().bindTo(process.registry);
      config.outboxes().forEach(outbox -> process.add(config.relayName(), outbox));
      process.serve(config.http());
      return process;
    } catch (RuntimeException e) {
      process.stop(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Where health and metrics are served.
   *
   * @return the port, or 0 if they are not
   */
  public int port() {
    return http == null ? 0 : http.port();
  }

  /**
   * Stops gracefully, all relays at once.
   *
   * @param grace longest time to wait
   * @return whether all of them settled their work
   */
  public boolean stop(Duration grace) {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<Boolean>> stops =
          relays.values().stream()
              .map(relay -> CompletableFuture.supplyAsync(() -> relay.stop(grace), threads))
              .toList();
      boolean clean = stops.stream().map(CompletableFuture::join).reduce(true, Boolean::logicalAnd);
      LOG.info(clean ? "stopped; all work is settled" : "stopped with work in flight");
      return clean;
    } finally {
      threads.shutdown();
      if (http != null) {
        http.close();
      }
      registry.close();
    }
  }

  private void add(String relayName, OutboxConfig outbox) {
    Publisher publisher = Publishers.of(outbox, relayName);
    EngineSettings settings =
        Rules.settings(outbox.limits(), publisher.deliveryTimeout(), publisher.maxInFlightPerKey());
    OutboxHealth judge =
        new OutboxHealth(
            outbox.name(),
            HealthLimits.of(outbox.limits().lease(), publisher.deliveryTimeout()),
            System::nanoTime);
    RelayListener meters = new MicrometerRelayListener(registry, outbox.name());
    PostgresOutbox tables =
        PostgresOutbox.of(Databases.connections(outbox), Databases.options(outbox, relayName));
    Stores stores = new Stores(tables.lanes(), tables.reader(), tables.store());
    health.add(judge);
    relays.put(
        outbox.name(),
        new Relay(
            relayName + "-" + outbox.name(),
            settings,
            stores,
            publisher,
            Rules.of(outbox),
            RelayListener.all(List.of(meters, judge))));
  }

  private void serve(HttpConfig config) {
    if (config.enabled()) {
      http = HttpEndpoints.start(config.host(), config.port(), health, registry::scrape);
      LOG.info("health and metrics on http://{}:{}", config.host(), http.port());
    }
  }
}
