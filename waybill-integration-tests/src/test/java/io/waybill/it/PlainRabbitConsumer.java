package io.waybill.it;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A document's queues. */
final class PlainRabbitConsumer extends PlainConsumer {
  private final Connection connection;

  PlainRabbitConsumer(DocumentedOutbox outbox, URI uri) {
    super(outbox);
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(uri);
      connection = factory.newConnection("plain consumer");
      for (String queue : outbox.destinations()) {
        consume(queue);
      }
    } catch (IOException | TimeoutException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void consume(String queue) throws IOException {
    Channel channel = connection.createChannel();
    channel.basicConsume(
        queue,
        true,
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            Map<String, String> headers = new HashMap<>();
            properties.getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
            arrived(new Message(queue, null, headers, new String(body, StandardCharsets.UTF_8)));
          }
        });
  }

  @Override
  public void close() {
    connection.abort();
  }
}
