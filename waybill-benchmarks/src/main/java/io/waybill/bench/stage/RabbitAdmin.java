package io.waybill.bench;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.RabbitServer;

/** Changes exchanges, queues and bindings of a node. */
final class RabbitAdmin {
  private RabbitAdmin() {}

  /** Something to do on a channel. */
  interface Work {
    void on(Channel channel) throws Exception;
  }

  /** On a connection of its own. */
  static void run(RabbitServer server, Work work) {
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
