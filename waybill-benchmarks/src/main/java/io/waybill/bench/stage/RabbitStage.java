package io.waybill.bench.stage;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.proof.server.RabbitServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One RabbitMQ node; destinations are durable quorum queues. */
final class RabbitStage implements BrokerStage {
  private final RabbitServer server =
      RabbitServer.launch(List.of(), List.of("max_message_size = 262144"));

  @Override
  public String address() {
    return server.uri();
  }

  @Override
  public long pid() {
    return server.pid();
  }

  @Override
  public void create(String destination) {
    RabbitAdmin.run(
        server, channel -> create(channel, destination, Map.of("x-queue-type", "quorum")));
  }

  private static void create(Channel channel, String queue, Map<String, Object> arguments)
      throws IOException {
    channel.exchangeDeclare(BrokerKind.EXCHANGE, BuiltinExchangeType.DIRECT, true);
    channel.queueDeclare(queue, true, false, false, arguments);
    channel.queueBind(queue, BrokerKind.EXCHANGE, queue);
  }

  /** The node has that limit for all of them. */
  @Override
  public void createLimited(String destination) {
    create(destination);
  }

  @Override
  public void createFull(String destination) {
    RabbitAdmin.run(
        server,
        channel -> {
          create(channel, destination, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
          channel.confirmSelect();
          channel.basicPublish(BrokerKind.EXCHANGE, destination, null, new byte[1]);
          channel.waitForConfirmsOrDie();
        });
  }

  @Override
  public void createWide(String destination, int partitions) {
    RabbitAdmin.run(
        server,
        channel -> {
          channel.exchangeDeclare(BrokerKind.TOPIC_EXCHANGE, BuiltinExchangeType.TOPIC, true);
          channel.queueBind(destination, BrokerKind.TOPIC_EXCHANGE, "bound.#");
        });
  }

  @Override
  public void drop(String destination) {
    RabbitAdmin.run(server, channel -> channel.queueDelete(destination));
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.start();
  }

  @Override
  public void close() {
    server.close();
  }
}
