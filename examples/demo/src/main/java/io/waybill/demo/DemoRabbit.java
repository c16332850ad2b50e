package io.waybill.demo;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.Frozen;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A private RabbitMQ node from the system's package. */
final class DemoRabbit implements DemoBroker {
  private static final int FULL = 500;
  private static final String FULL_POLICY = "full";
  private static final String LIMITS =
      "{\"max-length\":%d,\"overflow\":\"reject-publish\"}".formatted(FULL);

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
          max-message-bytes: 1MB
        """
        .formatted(server.host(), server.port());
  }

  @Override
  public String route(String target) {
    return """
        target: '%s'
        routing-key: "{eventType}"
        """
        .formatted(target);
  }

  @Override
  public Fault destination(Cast cast, Screen screen) {
    return new Fault(
        "queue",
        "Fill the queue",
        "Let the consumer read",
        "The consumer stands still, and its queue takes %d messages at most. The console says that"
                .formatted(FULL)
            + " the destination takes no events, and why. Do what it says: press again, and the"
            + " consumer reads. Events then flow by themselves.",
        true,
        "destinations",
        () -> {
          Frozen.freeze(cast.consumer().pid());
          server.ctl("set_policy", FULL_POLICY, "^" + TARGET + "$", LIMITS, "--apply-to", "queues");
          screen.event("the consumer stands still, and its queue fills");
        },
        () -> {
          Frozen.thaw(cast.consumer().pid());
          server.ctl("clear_policy", FULL_POLICY);
          screen.event("the consumer reads again");
        });
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
