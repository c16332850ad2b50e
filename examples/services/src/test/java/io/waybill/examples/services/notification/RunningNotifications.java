package io.waybill.examples.services.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.examples.services.RunningService;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.WebApplicationType;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service on real servers; its listeners reach the broker through a proxy. */
record RunningNotifications(
    RunningService service, RabbitServer rabbit, Proxy proxy, AtomicInteger markers)
    implements AutoCloseable {
  static final Duration PATIENCE = Patience.of(Duration.ofMinutes(1));
  static final String RESTAURANTS = "notification.restaurant";
  static final int STAFF_TIMES_CHANNELS = 20;
  private static final int RESTAURANT_OF_MARKERS = 6;

  static RunningNotifications start() {
    RabbitServer rabbit = RabbitServer.launch();
    Proxy proxy = Proxy.start(Protocol.AMQP, rabbit.port());
    RunningService service =
        RunningService.start(
            NotificationApplication.class,
            "notification",
            WebApplicationType.SERVLET,
            Map.of(
                "spring.rabbitmq.host",
                "127.0.0.1",
                "spring.rabbitmq.port",
                proxy.port(),
                "spring.rabbitmq.listener.simple.retry.initial-interval",
                "50ms",
                "waybill.rabbitmq.addresses",
                "127.0.0.1:" + rabbit.port(),
                "notification.outbox.poll.interval",
                150,
                "notification.outbox.batch.size",
                37,
                "notification.outbox.initial.delay",
                50));
    return new RunningNotifications(service, rabbit, proxy, new AtomicInteger());
  }

  <T> T bean(Class<T> type) {
    return service.bean(type);
  }

  JdbcClient jdbc() {
    return service.jdbc();
  }

  /**
   * Sends to the exchange, as any producer may; in its queue at return, since the next one may go
   * through another channel and overtake it.
   */
  void publish(String queue, String body) {
    MessageProperties properties = new MessageProperties();
    properties.setContentType("application/json");
    CorrelationData sent = new CorrelationData();
    bean(RabbitTemplate.class)
        .send(
            NotificationApplication.EXCHANGE,
            queue,
            new Message(body.getBytes(StandardCharsets.UTF_8), properties),
            sent);
    assertThat(sent.getFuture()).succeedsWithin(PATIENCE).matches(CorrelationData.Confirm::ack);
  }

  static String message(String eventId, int restaurant) {
    return """
    {"event_id": "%s", "event_type": "ORDER_CREATED", "aggregate_type": "RESTAURANT",
     "aggregate_id": %d, "payload": {}}"""
        .formatted(eventId, restaurant);
  }

  int rows(String eventId) {
    return number("select count(*) from notification where event_id = ?", eventId);
  }

  int number(String query, Object... parameters) {
    return jdbc().sql(query).params(parameters).query(Integer.class).single();
  }

  /** An event behind all others in the queue of restaurants, once it is handled. */
  void awaitQueue() {
    String last = "LAST-" + markers.incrementAndGet();
    publish(RESTAURANTS, message(last, RESTAURANT_OF_MARKERS));
    await().atMost(PATIENCE).until(() -> rows(last) == STAFF_TIMES_CHANNELS);
  }

  /** Whatever was committed or sent before is published and acknowledged. */
  void awaitEmptyQueues() {
    await()
        .atMost(PATIENCE)
        .until(() -> number("select count(*) from event_outbox where status = 'PENDING'") == 0);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                rabbit
                    .ctl("list_queues", "--no-table-headers", "messages")
                    .lines()
                    .allMatch("0"::equals));
  }

  @Override
  public void close() {
    service.close();
    proxy.close();
    rabbit.close();
  }
}
