package io.waybill.server.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.waybill.observe.OutboxHealth;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code /livez}, {@code /readyz} and {@code /metrics}, by GET alone; everything else is 404 or
 * 405. A failed check answers 503 with its reasons. Requests have no body; headers are limited to 8
 * KiB and connections to 100.
 */
public final class HttpEndpoints implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 100;
  private static final int HEADER_BYTES = 8 << 10;
  private static final long IDLE_MILLIS = 10_000;

  private final Javalin server;
  private final List<OutboxHealth> outboxes;
  private final JsonMapper json = JsonMapper.builder().build();

  private HttpEndpoints(
      String host, int port, List<OutboxHealth> outboxes, Supplier<String> metrics) {
    this.outboxes = List.copyOf(outboxes);
    this.server = Javalin.create(config -> configure(config, host, port, metrics));
  }

  /**
   * Starts serving.
   *
   * @param host address to bind
   * @param port port to bind, 0 for any free one
   * @param outboxes what health is made of
   * @param metrics gives the metrics in Prometheus' text form
   * @return the running endpoints
   * @throws PortTakenException if the address cannot be bound
   */
  public static HttpEndpoints start(
      String host, int port, List<OutboxHealth> outboxes, Supplier<String> metrics) {
    HttpEndpoints endpoints = new HttpEndpoints(host, port, outboxes, metrics);
    try {
      endpoints.server.start();
    } catch (RuntimeException e) {
      SocketException refused = refused(e);
      throw refused == null ? e : new PortTakenException(host, port, refused);
    }
    return endpoints;
  }

  /** What the machine said, or null if it said nothing. */
  private static @Nullable SocketException refused(RuntimeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketException socket) {
        return socket;
      }
    }
    return null;
  }

  /**
   * Where it is served.
   *
   * @return the port bound
   */
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
  }

  private void configure(JavalinConfig config, String host, int port, Supplier<String> metrics) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.http.maxRequestSize = 0;
    config.http.prefer405over404 = true;
    config.jetty.threadPool = new QueuedThreadPool(8, 2);
    config.jetty.host = host;
    config.jetty.port = port;
    config.jetty.addConnector((jetty, http) -> connector(jetty, http, host, port));
    config.routes.get("/livez", context -> health(context, OutboxHealth::dead));
    config.routes.get("/readyz", context -> health(context, OutboxHealth::unready));
    config.routes.get(
        "/metrics",
        context ->
            context.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.get()));
    config.routes.exception(
        Exception.class, (e, context) -> context.status(500).result("internal error"));
  }

  private static ServerConnector connector(
      Server jetty, HttpConfiguration http, String host, int port) {
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setSendServerVersion(false);
    ServerConnector connector = new ServerConnector(jetty, new HttpConnectionFactory(http));
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE_MILLIS);
    jetty.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    return connector;
  }

  private void health(Context context, Function<OutboxHealth, List<String>> check) {
    List<String> reasons = outboxes.stream().flatMap(o -> check.apply(o).stream()).toList();
    boolean ok = reasons.isEmpty();
    context
        .status(ok ? 200 : 503)
        .header("Cache-Control", "no-store")
        .contentType("application/json")
        .result(json.writeValueAsString(Map.of("ok", ok, "reasons", reasons)));
  }
}
