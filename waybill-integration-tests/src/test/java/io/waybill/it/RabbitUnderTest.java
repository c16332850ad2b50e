package io.waybill.it;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.proof.oracle.RabbitSpy;
import io.waybill.proof.oracle.Spy;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** RabbitMQ: a quorum queue per destination, bound to one topic exchange. */
final class RabbitUnderTest implements BrokerUnderTest {
  private static final String EXCHANGE = "events";

  private final RabbitServer server = RabbitServer.launch();

  @Override
  public String address() {
    return "rabbitmq " + server.host() + ":" + server.port();
  }

  @Override
  public String configuration() {
    return """
        rabbitmq:
          addresses: ["%s:%d"]
          username: guest
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

  /** What has no queue is returned. */
  @Override
  public void createClosed(String destination) {}

  @Override
  public void open(String destination) {
    create(destination);
  }

  /** A topic exchange with a durable queue for each routing key, of the same name. */
  void createTopology(String exchange, List<String> queues) {
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(exchange, "topic", true);
      for (String queue : queues) {
        channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
        channel.queueBind(queue, exchange, queue);
        channel.queuePurge(queue);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  URI uri() {
    return URI.create(server.uri());
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
  public Inbox inbox(String destination) {
    try {
      Connection connection = connect();
      Channel channel = connection.createChannel();
      // A queue of its own: the spy takes what is in the destination's.
      String queue = channel.queueDeclare().getQueue();
      channel.queueBind(queue, EXCHANGE, destination);
      return new Inbox() {
        @Override
        public List<Arrived> take() {
          List<Arrived> arrived = new ArrayList<>();
          for (GetResponse next = get(channel, queue); next != null; next = get(channel, queue)) {
            arrived.add(arrived(next));
          }
          return arrived;
        }

        @Override
        public void close() {
          connection.abort();
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable GetResponse get(Channel channel, String queue) {
    try {
      return channel.basicGet(queue, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Inbox.Arrived arrived(GetResponse message) {
    Map<String, String> headers = new HashMap<>();
    message.getProps().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
    boolean tombstone = headers.remove("waybill-tombstone") != null;
    return new Inbox.Arrived(tombstone ? null : message.getBody(), headers);
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
