package io.waybill.it;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.testkit.RabbitServer;
import io.waybill.testkit.oracle.RabbitSpy;
import io.waybill.testkit.oracle.Spy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** RabbitMQ: a quorum queue per destination, bound to one topic exchange. */
final class RabbitUnderTest implements BrokerUnderTest {
  private static final String EXCHANGE = "events";

  private final RabbitServer server = RabbitServer.launch();

  @Override
  public String configuration() {
    return """
        rabbitmq:
          addresses: ["%s:%d"]
          user: guest
          password: ${RABBIT_TEST_PASSWORD}
    """
        .formatted(server.host(), server.port());
  }

  @Override
  public String route() {
    return "{target: events, routing-key: \"{eventType}\"}";
  }

  @Override
  public void create(String destination) {
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(EXCHANGE, "topic", true);
      channel.queueDeclare(destination, true, false, false, Map.of("x-queue-type", "quorum"));
      channel.queueBind(destination, EXCHANGE, destination);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws IOException, java.util.concurrent.TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    return factory.newConnection("fault suite");
  }

  @Override
  public int tooLarge() {
    return 17 << 20;
  }

  @Override
  public Spy spy(List<String> destinations) {
    try {
      return new RabbitSpy(URI.create(server.uri()), destinations);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
