package io.waybill.examples.polyshop;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.opentelemetry.api.OpenTelemetry;
import io.waybill.message.InvalidEventException;
import io.waybill.message.Violation;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code POST /orders}: 201 with the order's id; 400, 413 or 415 with {@code errors}, each with
 * field, rule and value. The headers {@code traceparent}, {@code X-Correlation-Id} and {@code
 * Idempotency-Key} go into the event's metadata.
 */
final class OrderApi implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OrderApi.class);
  private static final String JSON = "application/json";
  private static final long MOST_BYTES = 64 << 10;

  private final OrderService orders;
  private final RequestSpans spans;
  private final JsonMapper json = JsonMapper.builder().build();
  private final Javalin server;

  private OrderApi(OrderService orders, int port, OpenTelemetry telemetry) {
    this.orders = orders;
    this.spans = new RequestSpans(telemetry);
    this.server = Javalin.create(config -> configure(config, port));
  }

  /**
   * Serves on the loopback interface.
   *
   * @param orders takes the orders
   * @param port port to bind, 0 for any free one
   */
  static OrderApi start(OrderService orders, int port) {
    return start(orders, port, OpenTelemetry.noop());
  }

  /** The same with a span around each request. */
  static OrderApi start(OrderService orders, int port, OpenTelemetry telemetry) {
    OrderApi api = new OrderApi(orders, port, telemetry);
    api.server.start();
    return api;
  }

  /** The port bound. */
  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
  }

  private void configure(JavalinConfig config, int port) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.http.maxRequestSize = MOST_BYTES;
    config.http.prefer405over404 = true;
    config.jetty.host = "127.0.0.1";
    config.jetty.port = port;
    config.routes.post("/orders", spans.around("POST /orders", this::place));
    config.routes.exception(
        BadRequestException.class, (e, context) -> refuse(context, 400, e.violations()));
    config.routes.exception(
        InvalidEventException.class, (e, context) -> refuse(context, 400, e.violations()));
    config.routes.exception(
        HttpResponseException.class,
        (e, context) ->
            refuse(context, e.getStatus(), List.of(new Violation("request", rule(e), null))));
    config.routes.exception(Exception.class, this::failed);
  }

  private void place(Context context) throws SQLException {
    String type = context.contentType();
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(JSON)) {
      refuse(context, 415, List.of(new Violation("Content-Type", "must be " + JSON, type)));
      return;
    }
    NewOrder order = OrderParser.parse(context.body());
    EventMetadata metadata =
        new EventMetadata(
            context.header("traceparent"),
            context.header("X-Correlation-Id"),
            context.header("Idempotency-Key"),
            order.userId());
    UUID id = orders.createOrder(order, metadata);
    context.status(201).header("Location", "/orders/" + id);
    answer(context, Map.of("orderId", id.toString(), "totalAmount", order.totalAmount()));
  }

  private static String rule(HttpResponseException e) {
    return e.getStatus() == 413
        ? "must be at most " + MOST_BYTES + " bytes"
        : "must be POST /orders";
  }

  private void refuse(Context context, int status, List<Violation> violations) {
    context.status(status);
    answer(context, Map.of("errors", violations.stream().map(OrderApi::error).toList()));
  }

  private static Map<String, String> error(Violation violation) {
    return Map.of(
        "field", violation.field(),
        "rule", violation.rule(),
        "value", violation.shown());
  }

  private void failed(Exception e, Context context) {
    LOG.error("An order was not taken; the client may try again", e);
    context.status(500);
    answer(context, Map.of("error", "internal error"));
  }

  private void answer(Context context, Object body) {
    context.contentType(JSON).result(json.writeValueAsString(body));
  }
}
