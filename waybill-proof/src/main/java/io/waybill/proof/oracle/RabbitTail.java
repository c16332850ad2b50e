package io.waybill.proof.oracle;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A plain consumer that takes every message out of some queues and keeps it, duplicates included,
 * in the order of arrival. Connects again by itself. Thread-safe.
 */
public final class RabbitTail implements AutoCloseable {
  private static final int PREFETCH = 500;
  private static final int RECOVERY_MILLIS = 200;

  private final List<RabbitMessage> messages = new ArrayList<>();
  private final Consumer<RabbitMessage> listener;
  private final Connection connection;

  /**
   * Starts consuming.
   *
   * @param uri AMQP address
   * @param queues queues, which exist
   * @throws IOException if the broker refuses
   */
  public RabbitTail(String uri, List<String> queues) throws IOException {
    this(uri, queues, message -> {});
  }

  /**
   * Starts consuming.
   *
   * @param uri AMQP address
   * @param queues queues, which exist
   * @param listener told of each message before it is acknowledged, one at a time per queue
   * @throws IOException if the broker refuses
   */
  public RabbitTail(String uri, List<String> queues, Consumer<RabbitMessage> listener)
      throws IOException {
    this.listener = listener;
    ConnectionFactory factory = new ConnectionFactory();
    factory.setNetworkRecoveryInterval(RECOVERY_MILLIS);
    try {
      factory.setUri(URI.create(uri));
      connection = factory.newConnection("tail");
    } catch (GeneralSecurityException | TimeoutException e) {
      throw new IOException("Cannot consume from " + uri, e);
    }
    for (String queue : queues) {
      consume(queue);
    }
  }

  private void consume(String queue) throws IOException {
    Channel channel = connection.createChannel();
    channel.basicQos(PREFETCH);
    channel.basicConsume(
        queue,
        false,
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, BasicProperties properties, byte[] body)
              throws IOException {
            add(queue, envelope.isRedeliver(), properties, body);
            getChannel().basicAck(envelope.getDeliveryTag(), false);
          }
        });
  }

  private void add(String queue, boolean redelivered, BasicProperties properties, byte[] body) {
    Map<String, String> headers = new HashMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
    }
    RabbitMessage message =
        new RabbitMessage(
            queue,
            String.valueOf(properties.getMessageId()),
            new String(body, StandardCharsets.UTF_8),
            headers,
            redelivered);
    synchronized (messages) {
      messages.add(message);
    }
    listener.accept(message);
  }

  /**
   * What has arrived so far.
   *
   * @return a snapshot
   */
  public List<RabbitMessage> messages() {
    synchronized (messages) {
      return List.copyOf(messages);
    }
  }

  /**
   * How many have arrived so far.
   *
   * @return number of messages
   */
  public int count() {
    synchronized (messages) {
      return messages.size();
    }
  }

  @Override
  public void close() {
    connection.abort();
  }
}
