package io.waybill.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/**
 * A queue of dead letters from its head to its end as it was at the start. What is read is withheld
 * from other readers until it is closed. A queue with a limit of deliveries counts each reading:
 * queues of dead letters should have none.
 */
public final class RabbitDeadLetterReader implements DeadLetterReader {
  private final Connection connection;
  private final Channel channel;
  private final String queue;
  private long left;

  private RabbitDeadLetterReader(
      Connection connection, Channel channel, String queue, long messages) {
    this.connection = connection;
    this.channel = channel;
    this.queue = queue;
    this.left = messages;
  }

  /**
   * Opens a queue.
   *
   * @param config how to reach the broker
   * @param queue name of the queue of dead letters
   * @return reader, to be closed
   * @throws DeadLetterAccessException if the broker does not answer, or has no such queue
   */
  public static RabbitDeadLetterReader open(RabbitPublisherConfig config, String queue) {
    Connection connection = null;
    boolean ready = false;
    try {
      connection = new Connector(config).openPlain();
      Channel channel =
          connection
              .openChannel()
              .orElseThrow(() -> new IOException("the broker allows no further channel"));
      long messages = channel.queueDeclarePassive(queue).getMessageCount();
      ready = true;
      return new RabbitDeadLetterReader(connection, channel, queue, messages);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw failure(queue, e);
    } finally {
      if (connection != null && !ready) {
        connection.abort(1000);
      }
    }
  }

  private static DeadLetterAccessException failure(String queue, Exception e) {
    Throwable said = e.getCause() == null ? e : e.getCause();
    return new DeadLetterAccessException(
        "The dead letters of queue " + queue + " can't be read: " + said.getMessage(), e);
  }

  @Override
  public List<Delivery> next() {
    if (left <= 0) {
      return List.of();
    }
    try {
      GetResponse message = channel.basicGet(queue, false);
      left = message == null ? 0 : left - 1;
      return message == null ? List.of() : List.of(delivery(message));
    } catch (IOException | AlreadyClosedException e) {
      throw failure(queue, e);
    }
  }

  private Delivery delivery(GetResponse message) {
    Envelope envelope = message.getEnvelope();
    return RabbitDeliveries.of(
        queue, envelope, message.getProps(), message.getBody(), envelope.getDeliveryTag());
  }

  @Override
  public boolean keeps() {
    return false;
  }

  @Override
  public void remove(Delivery delivery) {
    try {
      channel.basicAck((Long) delivery.token(), false);
    } catch (IOException | AlreadyClosedException e) {
      throw failure(queue, e);
    }
  }

  @Override
  public void close() {
    try {
      // What was removed is gone before the rest is given back.
      channel.close();
      connection.close(1000);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      connection.abort(1000);
    }
  }
}
