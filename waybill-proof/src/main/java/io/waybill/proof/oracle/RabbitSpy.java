package io.waybill.proof.oracle;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Consumes queues, acknowledging each message after it was noted. A redelivery by the broker (the
 * acknowledgement was lost in a restart) of a message that was noted is not a copy of the relay.
 */
public final class RabbitSpy extends Spy {
  private final Connection connection;
  private final Map<String, Channel> channels = new HashMap<>();

  /**
   * Starts consuming; recovers by itself when the broker restarts. Compares bodies.
   *
   * @param uri AMQP address
   * @param queues queues, which exist
   * @throws IOException if the broker refuses
   */
  public RabbitSpy(URI uri, List<String> queues) throws IOException {
    this(uri, queues, Fingerprint.OF_BODY);
  }

  /**
   * Starts consuming; recovers by itself when the broker restarts.
   *
   * @param uri AMQP address
   * @param queues queues, which exist
   * @param fingerprint what copies are compared by
   * @throws IOException if the broker refuses
   */
  public RabbitSpy(URI uri, List<String> queues, Fingerprint fingerprint) throws IOException {
    super(fingerprint);
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(uri);
      factory.setNetworkRecoveryInterval(500);
      connection = factory.newConnection("spy");
      for (String queue : queues) {
        resume(queue);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("uri: " + e.getMessage(), e);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IOException(e);
    }
  }

  /**
   * Takes nothing more from a queue.
   *
   * @param queue one that is read
   * @throws IOException if the broker refuses
   */
  public void pause(String queue) throws IOException {
    // What is on its way goes back to where it was. After a cancelled consumer a quorum queue of
    // RabbitMQ 3.10 delivers it later, behind what came after it.
    try {
      Objects.requireNonNull(channels.get(queue), queue).close();
    } catch (java.util.concurrent.TimeoutException e) {
      throw new IOException(e);
    }
  }

  /**
   * Goes on reading a queue.
   *
   * @param queue one that was paused
   * @throws IOException if the broker refuses
   */
  public void resume(String queue) throws IOException {
    Channel channel = connection.createChannel();
    channels.put(queue, channel);
    channel.basicConsume(
        queue,
        false,
        queue,
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
              throws IOException {
            if (envelope.isRedeliver()) {
              sawUnlessKnown(read(properties, body));
            } else {
              saw(read(properties, body));
            }
            try {
              getChannel().basicAck(envelope.getDeliveryTag(), false);
            } catch (AlreadyClosedException e) {
              return; // It comes again.
            }
          }
        });
  }

  private static Message read(AMQP.BasicProperties properties, byte[] body) {
    Map<String, String> headers = new HashMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
    }
    if (properties.getContentType() != null) {
      headers.put("content-type", properties.getContentType());
    }
    String id = properties.getMessageId();
    return new Message(id == null ? "no id" : id, "", headers, body, System.currentTimeMillis());
  }

  @Override
  public void close() {
    try {
      connection.close(2_000);
    } catch (IOException | AlreadyClosedException e) {
      // The broker is gone already.
    }
  }
}
