package io.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.message.Destination;
import io.waybill.proof.server.RabbitServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the tests do at the broker beside the publisher. */
final class Broker {
  static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

  private Broker() {}

  static RabbitPublisherConfigBuilder config(RabbitServer server) {
    return RabbitPublisherConfig.builder().addresses(List.of(server.host() + ":" + server.port()));
  }

  /** A durable direct exchange with one durable queue bound by the routing key {@code key}. */
  static Destination create(RabbitServer server, String name, Map<String, Object> arguments) {
    return call(
        server,
        channel -> {
          channel.exchangeDeclare(name, "direct", true);
          channel.queueDeclare(name, true, false, false, arguments);
          channel.queueBind(name, name, "key");
          return Destination.exchange(name, "key");
        });
  }

  /** Takes all messages out of a queue. */
  static List<GetResponse> drain(RabbitServer server, String queue) {
    return call(
        server,
        channel -> {
          List<GetResponse> messages = new ArrayList<>();
          GetResponse next = channel.basicGet(queue, true);
          while (next != null) {
            messages.add(next);
            next = channel.basicGet(queue, true);
          }
          return messages;
        });
  }

  static <T> T call(RabbitServer server, Work<T> work) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    factory.setAutomaticRecoveryEnabled(false);
    try (Connection connection = factory.newConnection("test");
        Channel channel = connection.createChannel()) {
      return work.on(channel);
    } catch (Exception e) {
      throw new AssertionError("the test's own call to the broker failed", e);
    }
  }

  /** Something to do on a channel. */
  interface Work<T> {
    T on(Channel channel) throws Exception;
  }
}
