package io.waybill.demo;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A private RabbitMQ node from the system's package. */
final class DemoRabbit implements DemoBroker {
  private final RabbitServer server = RabbitServer.launch();

  @Override
  public String address() {
    return server.uri();
  }

  @Override
  public String yaml() {
    return """
        rabbitmq:
          addresses: ["%s:%d"]
        routes:
          default:
            target: %s
            routing-key: "{eventType}"
        """
        .formatted(server.host(), server.port(), TARGET);
  }

  @Override
  public void prepare() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    try (Connection connection = factory.newConnection("demo");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(TARGET, BuiltinExchangeType.TOPIC, true);
      channel.queueDeclare(TARGET, true, false, false, Map.of("x-queue-type", "quorum"));
      channel.queueBind(TARGET, TARGET, "order.*");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("RabbitMQ did not answer", e);
    }
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void close() {
    server.close();
  }
}
