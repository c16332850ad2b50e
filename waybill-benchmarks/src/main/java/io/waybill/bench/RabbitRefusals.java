package io.waybill.bench;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Inflow;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitCredentials;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.route.Route;
import io.waybill.testkit.RabbitServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One RabbitMQ node. The two destinations share an exchange where the kind of refusal allows it.
 */
final class RabbitRefusals implements RefusalStage {
  // Ten seconds of the default rate.
  private static final int MAX_LENGTH = 500;

  private final RabbitServer server = RabbitServer.launch();

  /** Something to do on a channel. */
  private interface Work {
    void on(Channel channel) throws IOException;
  }

  @Override
  public List<Candidate> kinds() {
    return List.of(
        Candidate.WITHOUT,
        Candidate.FULL_QUEUE,
        Candidate.MISSING_EXCHANGE,
        Candidate.MISSING_BINDING,
        Candidate.NO_PERMISSION);
  }

  @Override
  public Place create(Candidate kind) {
    Queues queues = new Queues(kind);
    queues.create();
    return queues;
  }

  private void run(Work work) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(server.host());
    factory.setPort(server.port());
    try (Connection connection = factory.newConnection("bench");
        Channel channel = connection.createChannel()) {
      work.on(channel);
    } catch (Exception e) {
      throw new IllegalStateException("RabbitMQ refused to change its queues", e);
    }
  }

  @Override
  public void close() {
    server.close();
  }

  private final class Queues implements Place {
    private final Candidate kind;
    private final String well;
    private final String sick;
    private final String otherExchange;

    private Queues(Candidate kind) {
      this.kind = kind;
      this.well = kind.label();
      this.sick = kind.label() + ".sick";
      boolean isTheExchanges =
          kind == Candidate.MISSING_EXCHANGE || kind == Candidate.NO_PERMISSION;
      this.otherExchange = isTheExchanges ? sick : well;
    }

    private void create() {
      run(
          channel -> {
            channel.exchangeDeclare(well, BuiltinExchangeType.DIRECT, true);
            channel.exchangeDeclare(otherExchange, BuiltinExchangeType.DIRECT, true);
            Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", "quorum"));
            channel.queueDeclare(well, true, false, false, arguments);
            channel.queueBind(well, well, well);
            if (kind == Candidate.FULL_QUEUE) {
              arguments.putAll(Map.of("x-max-length", MAX_LENGTH, "x-overflow", "reject-publish"));
            }
            channel.queueDeclare(sick, true, false, false, arguments);
            channel.queueBind(sick, otherExchange, sick);
          });
      server.ctl("add_user", well, well);
      allow(".*");
    }

    private void allow(String toWrite) {
      server.ctl("set_permissions", well, ".*", toWrite, ".*");
    }

    @Override
    public Publisher publisher() {
      return new RabbitPublisher(
          RabbitPublisherConfig.builder()
              .addresses(List.of(server.host() + ":" + server.port()))
              .credentials(new RabbitCredentials.Password(well, well))
              .build());
    }

    @Override
    public Route route(boolean healthy) {
      return healthy
          ? Route.to(well).routingKey(well).build()
          : Route.to(otherExchange).routingKey(sick).build();
    }

    @Override
    public Destination healthy() {
      return Destination.exchange(well, well);
    }

    @Override
    public Transport transport() {
      return Transport.RABBITMQ;
    }

    @Override
    public Inflow inflow(boolean healthy) throws IOException {
      return BrokerKind.RABBITMQ.inflow(server.uri(), healthy ? well : sick);
    }

    @Override
    public boolean isConsumedMeanwhile() {
      return kind != Candidate.FULL_QUEUE;
    }

    @Override
    public void spoil() {
      switch (kind) {
        case MISSING_EXCHANGE -> run(channel -> channel.exchangeDelete(sick));
        case MISSING_BINDING -> run(channel -> channel.queueUnbind(sick, well, sick));
        case NO_PERMISSION -> {
          allow("^" + well + "$");
          // A channel remembers what was allowed for as long as it is busy.
          server.ctl("close_all_user_connections", well, "permissions have changed");
        }
        default -> {} // Without a consumer the queue fills up.
      }
    }

    @Override
    public void repair() {
      switch (kind) {
        case MISSING_EXCHANGE ->
            run(
                channel -> {
                  channel.exchangeDeclare(sick, BuiltinExchangeType.DIRECT, true);
                  channel.queueBind(sick, sick, sick);
                });
        case MISSING_BINDING -> run(channel -> channel.queueBind(sick, well, sick));
        case NO_PERMISSION -> allow(".*");
        default -> {}
      }
    }
  }
}
