package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.rabbitmq.internal.Failures;
import io.waybill.rabbitmq.internal.consume.RabbitDeliveries;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a dead-letter queue from its head to the end that it had when the reader was opened. Other
 * readers cannot get the messages it has read until it is closed. A queue with a delivery limit
 * counts each read, so dead-letter queues should have no limit; {@link #hazard} reports a limit
 * that can be seen.
 */
public final class RabbitDeadLetterReader implements DeadLetterReader {
  private static final long UNKNOWN = -1;

  private final Connection connection;
  private final Channel channel;
  private final String queue;
  private final DeliveryCountGuard hazard;
  // Told by the first message: the count that a declaration answers lags behind what was given back
  // a moment ago.
  private long left = UNKNOWN;

  private RabbitDeadLetterReader(
      Connection connection, Channel channel, String queue, DeliveryCountGuard hazard) {
    this.connection = connection;
    this.channel = channel;
    this.queue = queue;
    this.hazard = hazard;
  }

  /**
   * Opens a queue.
   *
   * @param config how to reach the broker
   * @param queue name of the dead-letter queue
   * @param management access to the management API, the only way to see a delivery limit; null when
   *     there is none
   * @return reader, to be closed
   * @throws DeadLetterAccessException if the broker does not answer, or has no such queue
   * @throws IllegalArgumentException if the password of the management API would go to another
   *     machine in plaintext and the configuration does not allow that
   */
  public static RabbitDeadLetterReader open(
      RabbitPublisherConfig config, String queue, @Nullable RabbitManagement management) {
    Connection connection = null;
    boolean ready = false;
    try {
      connection = new Connector(config).openPlain();
      Channel channel =
          connection
              .openChannel()
              .orElseThrow(() -> new IOException("the broker allows no further channel"));
      channel.queueDeclarePassive(queue);
      JsonValue seen =
          management == null ? null : seen(new ManagementApi(management, config), queue);
      DeliveryCountGuard hazard =
          new DeliveryCountGuard(queue, seen, DeliveryLimit.version(connection));
      ready = true;
      return new RabbitDeadLetterReader(connection, channel, queue, hazard);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw failure(queue, e);
    } finally {
      if (connection != null && !ready) {
        connection.abort(1000);
      }
    }
  }

  private static @Nullable JsonValue seen(ManagementApi api, String queue) throws IOException {
    try {
      return api.queue(queue);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking the management API", e);
    } catch (IOException e) {
      throw new IOException(
          "the management API does not say whether it has a delivery limit: "
              + Failures.describe(e));
    }
  }

  private static DeadLetterAccessException failure(String queue, Exception e) {
    return failure("The dead letters of queue %s can't be read", queue, e);
  }

  private static DeadLetterAccessException failure(String what, String queue, Exception e) {
    Throwable said = e.getCause() == null ? e : e.getCause();
    boolean missing =
        said instanceof ShutdownSignalException shutdown
            && shutdown.getReason() instanceof AMQP.Channel.Close close
            && close.getReplyCode() == AMQP.NOT_FOUND;
    return new DeadLetterAccessException(
        missing ? "There is no queue " + queue : what.formatted(queue) + ": " + said.getMessage(),
        missing,
        e);
  }

  @Override
  public List<Delivery> next() {
    if (left == 0) {
      return List.of();
    }
    try {
      GetResponse message = channel.basicGet(queue, false);
      if (message == null) {
        left = 0;
        return List.of();
      }
      left = left == UNKNOWN ? message.getMessageCount() : left - 1;
      return List.of(delivery(message));
    } catch (IOException | AlreadyClosedException e) {
      throw failure(queue, e);
    }
  }

  private Delivery delivery(GetResponse message) {
    Envelope envelope = message.getEnvelope();
    Delivery delivery =
        RabbitDeliveries.of(
            queue, envelope, message.getProps(), message.getBody(), envelope.getDeliveryTag());
    hazard.saw(delivery.deliveries());
    return delivery;
  }

  @Override
  public Optional<String> hazard() {
    return hazard.tell();
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
      throw failure("A dead letter can't be removed from queue %s", queue, e);
    }
  }

  @Override
  public void close() {
    try {
      // What was removed is gone before the rest is given back, and that is there for the next one.
      channel.basicNack(0, true, true);
      channel.close();
      connection.close(1000);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      connection.abort(1000);
    }
  }
}
