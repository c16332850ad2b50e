package io.waybill.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP;
import io.waybill.broker.Subscriber;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.ContractSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real RabbitMQ under the contract suite; each source is a queue with a single active consumer.
 */
final class RabbitContractSource implements ContractSource {
  static final Map<String, Object> SINGLE =
      Map.of("x-queue-type", "quorum", "x-single-active-consumer", true);

  private final RabbitServer server;
  private final Proxy proxy;

  RabbitContractSource(RabbitServer server, Proxy proxy) {
    this.server = server;
    this.proxy = proxy;
  }

  @Override
  public String create(String name) {
    create(server, name, SINGLE);
    return name;
  }

  static void create(RabbitServer server, String name, Map<String, Object> arguments) {
    Broker.call(
        server, channel -> channel.queueDeclare(name, true, false, false, arguments).getQueue());
  }

  static RabbitSubscriberConfig.Builder config(String address, List<String> queues) {
    RabbitPublisherConfig connection =
        RabbitPublisherConfig.builder()
            .addresses(List.of(address))
            .connectTimeout(Duration.ofSeconds(3))
            .maxBackoff(Duration.ofSeconds(1))
            .build();
    return RabbitSubscriberConfig.builder(connection, queues);
  }

  static String address(RabbitServer server) {
    return server.host() + ":" + server.port();
  }

  @Override
  public Subscriber subscriber(List<String> sources, int window) {
    return new RabbitSubscriber(config(address(server), sources).prefetch(window).build());
  }

  @Override
  public Subscriber cuttable(String source) {
    return new RabbitSubscriber(config("127.0.0.1:" + proxy.port(), List.of(source)).build());
  }

  @Override
  public void cut() {
    proxy.refuse();
    proxy.reset();
  }

  @Override
  public void heal() {
    proxy.admit();
  }

  @Override
  public int mostOut(int window) {
    return window;
  }

  @Override
  public void publish(String source, @Nullable String key, List<String> bodies) {
    publish(server, source, key, bodies);
  }

  @SuppressWarnings("JavaUtilDate") // the type that the client library asks for
  static void publish(
      RabbitServer server, String queue, @Nullable String key, List<String> bodies) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("plain", "wert ÄÖ 名");
    headers.put("number", 7);
    headers.put("table", Map.of("a", "b"));
    if (key != null) {
      headers.put("waybill-aggregate-id", key);
    }
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder()
            .deliveryMode(2)
            .messageId("id-1")
            .type("Tested")
            .contentType("text/plain")
            .correlationId("correlation")
            .timestamp(Date.from(Instant.parse("2026-11-22T02:00:00Z")))
            .headers(headers)
            .build();
    Broker.call(
        server,
        channel -> {
          channel.confirmSelect();
          for (String body : bodies) {
            channel.basicPublish("", queue, true, properties, body.getBytes(UTF_8));
          }
          channel.waitForConfirmsOrDie(30_000);
          return bodies.size();
        });
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.start();
  }
}
