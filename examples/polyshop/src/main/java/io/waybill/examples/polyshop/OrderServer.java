package io.waybill.examples.polyshop;

import io.opentelemetry.api.OpenTelemetry;
import io.waybill.opentelemetry.WaybillTracing;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The order service with its publisher, as a part of a larger whole. */
public final class OrderServer implements AutoCloseable {
  /** Name of the service. */
  public static final String NAME = "order-service";

  /** Type and topic of placed orders. */
  public static final String ORDER_PLACED = DomainEventFactory.ORDER_PLACED;

  private static final Duration IDLE = Duration.ofMillis(50);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int BATCH = 100;

  private final OrderApi api;
  private final OutboxPublisher publisher;

  private OrderServer(OrderApi api, OutboxPublisher publisher) {
    this.api = api;
    this.publisher = publisher;
  }

  /**
   * Creates the tables and starts.
   *
   * @param database an empty database of PostgreSQL
   * @param bootstrap bootstrap servers of Kafka
   * @param telemetry makes the spans of requests, events and sends
   * @return the running service, on a free port of the loopback interface
   * @throws SQLException when the database refuses
   */
  public static OrderServer start(DataSource database, String bootstrap, OpenTelemetry telemetry)
      throws SQLException {
    OrderService.createTables(database);
    WaybillTracing tracing = WaybillTracing.of(telemetry);
    OrderService orders = new OrderService(database, new OutboxEventRepository(tracing));
    PublisherSettings settings = new PublisherSettings(NAME, BATCH, IDLE, RETRY);
    OutboxPublisher publisher = OutboxPublisher.start(settings, database, bootstrap, tracing);
    try {
      return new OrderServer(OrderApi.start(orders, 0, telemetry), publisher);
    } catch (RuntimeException e) {
      publisher.close();
      throw e;
    }
  }

  /**
   * Where {@code POST /orders} is served.
   *
   * @return the port
   */
  public int port() {
    return api.port();
  }

  /** Takes no more orders, publishes what is under way, and stops. */
  @Override
  public void close() {
    try {
      api.close();
    } finally {
      publisher.close();
    }
  }
}
