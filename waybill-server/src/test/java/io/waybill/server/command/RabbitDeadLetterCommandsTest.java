package io.waybill.server.command;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.testkit.RabbitServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
@Tag("long")
class RabbitDeadLetterCommandsTest extends DeadLetterCommandsContract {
  private static RabbitServer rabbit;
  private static Connection connection;
  private static Channel channel;

  @BeforeAll
  static void launch() throws Exception {
    rabbit = RabbitServer.launch();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    connection = factory.newConnection();
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  @AfterAll
  static void close() throws Exception {
    connection.close();
    rabbit.close();
  }

  @Override
  String broker() {
    return "    rabbitmq: {addresses: [\"127.0.0.1:%d\"]}".formatted(rabbit.port());
  }

  @Override
  void create(String name) throws Exception {
    channel.queueDeclare(name, true, false, false, Map.of("x-queue-type", "quorum"));
  }

  @Override
  void drop(String name) throws Exception {
    channel.queueDelete(name);
  }

  @Override
  Destination destination(String name) {
    return Destination.exchange("", name);
  }

  @Override
  void send(Outgoing message) throws Exception {
    Map<String, Object> headers = new HashMap<>();
    message.headers().forEach(header -> headers.put(header.name(), header.value()));
    AMQP.BasicProperties properties =
        new AMQP.BasicProperties.Builder().headers(headers).deliveryMode(2).build();
    channel.basicPublish("", message.destination().routingKey(), properties, message.body());
    channel.waitForConfirmsOrDie(30_000);
  }

  @Override
  List<Came> come(String name, int count) throws Exception {
    List<Came> came = new ArrayList<>();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              GetResponse message = channel.basicGet(name, true);
              if (message != null) {
                Map<String, String> headers = new HashMap<>();
                message
                    .getProps()
                    .getHeaders()
                    .forEach((key, value) -> headers.put(key, String.valueOf(value)));
                came.add(new Came(message.getBody(), headers));
              }
              return came.size() >= count;
            });
    return came;
  }

  @Override
  boolean keeps() {
    return false;
  }
}
