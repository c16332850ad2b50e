package io.waybill.examples.services;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A RabbitMQ. The services have its queues; the client has queues beside them, bound alike. */
record RabbitBroker(RabbitServer server, RabbitTail tail) implements Broker {
  private static final String BESIDE = "seen.";

  /** Starts it, with the exchange, a durable topic exchange; other queues are the services'. */
  static RabbitBroker launch(String exchange, List<String> routingKeys) throws IOException {
    RabbitServer server = RabbitServer.launch();
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(server.uri());
      try (Connection connection = factory.newConnection("setup");
          Channel channel = connection.createChannel()) {
        channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
        for (String key : routingKeys) {
          channel.queueDeclare(BESIDE + key, true, false, false, null);
          channel.queueBind(BESIDE + key, exchange, key);
        }
      }
    } catch (GeneralSecurityException | TimeoutException | URISyntaxException e) {
      throw new IOException("Cannot set up queues at " + server.uri(), e);
    }
    List<String> queues = routingKeys.stream().map(BESIDE::concat).toList();
    return new RabbitBroker(server, new RabbitTail(server.uri(), queues));
  }

  @Override
  public Map<String, Object> properties() {
    return Map.of("spring.rabbitmq.host", server.host(), "spring.rabbitmq.port", server.port());
  }

  @Override
  public List<Arrival> arrivals() {
    return tail.messages().stream().map(RabbitBroker::arrival).toList();
  }

  private static Arrival arrival(RabbitMessage message) {
    String key = message.queue().substring(BESIDE.length());
    return new Arrival(key + ", id " + message.id(), message.body(), message.headers());
  }

  @Override
  public void close() {
    tail.close();
    server.close();
  }
}
