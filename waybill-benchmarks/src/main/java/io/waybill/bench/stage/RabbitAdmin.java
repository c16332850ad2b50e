package io.waybill.bench.stage;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.RabbitServer;

/** Changes exchanges, queues and bindings of a node. */
public final class RabbitAdmin {
  private RabbitAdmin() {}

  /** Something to do on a channel. */
  public interface Work {
    void on(Channel channel) throws Exception;
  }

  /** On a connection of its own. */
  public static void run(RabbitServer server, Work work) {
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
}
