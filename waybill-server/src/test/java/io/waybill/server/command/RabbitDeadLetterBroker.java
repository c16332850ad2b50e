package io.waybill.server.command;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.rabbitmq.RabbitSubscriber;
import io.waybill.rabbitmq.RabbitSubscriberConfig;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** A RabbitMQ broker of its own. */
final class RabbitDeadLetterBroker implements DeadLetterBroker {
  private final RabbitServer rabbit =
      RabbitServer.launch(List.of("rabbitmq_management"), List.of());
  private final Connection connection;
  private final Channel channel;

  RabbitDeadLetterBroker() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    connection = factory.newConnection();
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  @Override
  public String config() {
    return """
        rabbitmq:
          addresses: ["127.0.0.1:%d"]
          management-url: %s"""
        .formatted(rabbit.port(), rabbit.managementUrl())
        .indent(6)
        .stripTrailing();
  }

  /** Asks the broker's own tool. */
  void ctl(String... arguments) {
    rabbit.ctl(arguments);
  }

  @Override
  public void create(String name) throws Exception {
    create(name, Map.of("x-queue-type", "quorum"));
  }

  void create(String name, Map<String, Object> arguments) throws Exception {
    channel.queueDeclare(name, true, false, false, arguments);
  }

  @Override
  public void drop(String name) throws Exception {
    channel.queueDelete(name);
  }

  @Override
  public Destination destination(String name) {
    return Destination.exchange("", name);
  }

  @Override
  public void send(Outgoing message) throws Exception {
    Map<String, Object> headers = new HashMap<>();
    message.headers().forEach(header -> headers.put(header.name(), header.value()));
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder().headers(headers).deliveryMode(2).build();
    channel.basicPublish("", message.destination().routingKey(), properties, message.body());
    channel.waitForConfirmsOrDie(30_000);
  }

  @Override
  @SuppressWarnings("JavaUtilDate") // the type that the client library gives
  public List<Came> come(String name, int count) throws Exception {
    List<Came> came = new ArrayList<>();
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .until(
            () -> {
              GetResponse message = channel.basicGet(name, true);
              if (message != null) {
                Map<String, String> headers = new HashMap<>();
                message
                    .getProps()
                    .getHeaders()
                    .forEach((key, value) -> headers.put(key, String.valueOf(value)));
                Date time = message.getProps().getTimestamp();
                came.add(
                    new Came(
                        message.getBody(),
                        headers,
                        time == null ? Instant.EPOCH : time.toInstant()));
              }
              return came.size() >= count;
            });
    return came;
  }

  @Override
  public long count(String name) throws Exception {
    return channel.messageCount(name);
  }

  @Override
  public boolean keeps() {
    return false;
  }

  @Override
  public Transport transport() {
    return Transport.RABBITMQ;
  }

  @Override
  public Subscriber subscriber(String consumer, String source) {
    return new RabbitSubscriber(
        RabbitSubscriberConfig.builder(publisherConfig(), List.of(source)).build());
  }

  @Override
  public Publisher publisher() {
    return new RabbitPublisher(publisherConfig());
  }

  private RabbitPublisherConfig publisherConfig() {
    return RabbitPublisherConfig.builder().addresses(List.of("127.0.0.1:" + rabbit.port())).build();
  }

  @Override
  public void close() {
    connection.abort(1000);
    rabbit.close();
  }
}
