package io.waybill.server.assemble;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waybill.micrometer.MicrometerRelayListener;
import io.waybill.micrometer.WaybillBuildMetrics;
import io.waybill.observe.HealthLimits;
import io.waybill.observe.OutboxHealth;
import io.waybill.observe.RelayListener;
import io.waybill.server.config.HttpConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.ServerConfig;
import io.waybill.server.http.HttpEndpoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One relay per outbox, with health and metrics. Stopped once, by {@link #stop}. */
public final class RelayProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RelayProcess.class);

  private final List<OutboxRunner> runners = new ArrayList<>();
  private final List<OutboxHealth> health = new ArrayList<>();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Tracing tracing;
  private final @Nullable HttpEndpoints http;

  private RelayProcess(ServerConfig config, Consumer<Throwable> gaveUp) {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new WaybillBuildMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    tracing = Tracing.of(config.tracing(), config.relayName());
    config.outboxes().forEach(outbox -> add(config, outbox, gaveUp));
    http = serve(config.http());
  }

  /**
   * Starts everything. Databases and brokers that are down are awaited.
   *
   * @param config the configuration
   * @param gaveUp called when an outbox has no relay and gets none: a start-up check refuses it
   *     ({@link io.waybill.Supervisor.Refused}), or a part of its relay failed; the caller then
   *     stops the process
   * @return the running whole
   */
  public static RelayProcess start(ServerConfig config, Consumer<Throwable> gaveUp) {
    RelayProcess process = new RelayProcess(config, gaveUp);
    process.runners.forEach(OutboxRunner::start);
    return process;
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
    long end = System.nanoTime() + grace.toNanos();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<CompletableFuture<Boolean>> stops =
          runners.stream()
              .map(runner -> CompletableFuture.supplyAsync(() -> runner.stop(grace), threads))
              .toList();
      boolean clean = stops.stream().map(CompletableFuture::join).reduce(true, Boolean::logicalAnd);
      LOG.info(clean ? "stopped; all work is settled" : "stopped with work in flight");
      return clean;
    } finally {
      threads.shutdown();
      tracing.close(Duration.ofNanos(end - System.nanoTime()));
      if (http != null) {
        http.close();
      }
      registry.close();
    }
  }

  private void add(ServerConfig server, OutboxConfig outbox, Consumer<Throwable> gaveUp) {
    OutboxHealth judge =
        new OutboxHealth(
            outbox.name(),
            HealthLimits.of(
                outbox.limits().lease(),
                outbox.limits().viewInterval(),
                outbox.broker().deliveryTimeout()),
            System::nanoTime);
    RelayListener meters = new MicrometerRelayListener(registry, outbox.name());
    health.add(judge);
    runners.add(
        new OutboxRunner(
            server, outbox, tracing, RelayListener.all(List.of(meters, judge)), gaveUp));
  }

  private @Nullable HttpEndpoints serve(HttpConfig config) {
    if (!config.enabled()) {
      return null;
    }
    HttpEndpoints endpoints =
        HttpEndpoints.start(config.host(), config.port(), health, registry::scrape);
    LOG.info("health and metrics on http://{}:{}", config.host(), endpoints.port());
    return endpoints;
  }
}
