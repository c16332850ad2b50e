package io.waybill.bench.refusal;

import com.rabbitmq.client.BuiltinExchangeType;
import io.waybill.bench.stage.Candidate;
import io.waybill.bench.stage.RabbitAdmin;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Inflow;
import io.waybill.broker.Broker;
import io.waybill.message.Destination;
import io.waybill.proof.server.RabbitServer;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitCredentials;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.route.Route;
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

  @Override
  public void close() {
    server.close();
  }

  private final class Queues extends Place {
    private final String otherExchange;

    private Queues(Candidate kind) {
      super(kind);
      boolean isTheExchanges =
          kind == Candidate.MISSING_EXCHANGE || kind == Candidate.NO_PERMISSION;
      this.otherExchange = isTheExchanges ? sick : well;
    }

    private void create() {
      RabbitAdmin.run(
          server,
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
    Broker broker() {
      return RabbitBroker.of(
          RabbitPublisherConfig.builder()
              .addresses(List.of(server.host() + ":" + server.port()))
              .credentials(new RabbitCredentials.Password(well, well))
              .build());
    }

    @Override
    Route route(boolean healthy) {
      return healthy
          ? Route.to(well).routingKey(well).build()
          : Route.to(otherExchange).routingKey(sick).build();
    }

    @Override
    Destination healthy() {
      return Destination.exchange(well, well);
    }

    @Override
    Inflow inflow(boolean healthy) throws IOException {
      return BrokerKind.RABBITMQ.inflow(server.uri(), name(healthy));
    }

    @Override
    boolean isConsumedMeanwhile() {
      return kind != Candidate.FULL_QUEUE;
    }

    @Override
    void spoil() {
      switch (kind) {
        case MISSING_EXCHANGE -> RabbitAdmin.run(server, channel -> channel.exchangeDelete(sick));
        case MISSING_BINDING ->
            RabbitAdmin.run(server, channel -> channel.queueUnbind(sick, well, sick));
        case NO_PERMISSION -> {
          allow("^" + well + "$");
          // A channel remembers what was allowed for as long as it is busy.
          server.ctl("close_all_user_connections", well, "permissions have changed");
        }
        default -> {} // Without a consumer the queue fills up.
      }
    }

    @Override
    void repair() {
      switch (kind) {
        case MISSING_EXCHANGE ->
            RabbitAdmin.run(
                server,
                channel -> {
                  channel.exchangeDeclare(sick, BuiltinExchangeType.DIRECT, true);
                  channel.queueBind(sick, sick, sick);
                });
        case MISSING_BINDING ->
            RabbitAdmin.run(server, channel -> channel.queueBind(sick, well, sick));
        case NO_PERMISSION -> allow(".*");
        default -> {}
      }
    }
  }
}
