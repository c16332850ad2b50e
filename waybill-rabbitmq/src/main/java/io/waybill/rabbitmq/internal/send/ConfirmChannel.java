package io.waybill.rabbitmq.internal.send;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.message.Destination;
import io.waybill.rabbitmq.internal.AmqpProperties;
import io.waybill.rabbitmq.internal.CloseCause;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One channel in confirm mode. What it hears goes to the {@link PublishWindow}. */
final class ConfirmChannel implements ConfirmListener, ReturnCallback, ShutdownListener {
  private static final Logger LOG = LoggerFactory.getLogger(ConfirmChannel.class);
  private static final byte[] EMPTY = new byte[0];
  private static final long SHORTEST_LIFE = TimeUnit.SECONDS.toNanos(1);

  private final Channel channel;
  private final PublishWindow publishWindow;
  private final Outstanding outstanding;
  private final long openedAt = System.nanoTime();
  private boolean hasRefused;
  private volatile boolean dead;

  private ConfirmChannel(Channel channel, PublishWindow publishWindow, int window) {
    this.channel = channel;
    this.publishWindow = publishWindow;
    this.outstanding = new Outstanding(window);
  }

  static ConfirmChannel open(Connection connection, PublishWindow publishWindow, int window)
      throws IOException {
    Channel channel =
        connection
            .openChannel()
            .orElseThrow(() -> new IOException("the broker allows no further channel"));
    ConfirmChannel opened = new ConfirmChannel(channel, publishWindow, window);
    channel.addConfirmListener(opened);
    channel.addReturnListener(opened);
    channel.confirmSelect();
    channel.addShutdownListener(opened);
    return opened;
  }

  /** Guarded by the lock of the publish window. */
  Outstanding outstanding() {
    return outstanding;
  }

  boolean isDead() {
    return dead;
  }

  /**
   * The broker refused a message, and may go on with that on this channel when the queue has room
   * again: a channel keeps what a quorum queue has told it, and RabbitMQ 3.10 tells it nothing when
   * the queue's limit is taken away. Guarded by the lock of the publish window.
   */
  void refused() {
    hasRefused = true;
  }

  /** How many sends it takes now; none when it is to be opened anew. */
  int room() {
    return isWorn() ? 0 : outstanding.room();
  }

  private boolean isWorn() {
    return hasRefused && System.nanoTime() - openedAt > SHORTEST_LIFE;
  }

  /**
   * Ends its life when it is worn and nothing waits on it. Guarded by the lock of the publish
   * window.
   */
  void retire() {
    if (outstanding.isEmpty() && isWorn()) {
      die();
    }
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Closes it; may take as long as the broker does. */
  void abort() {
    try {
      channel.abort();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Closing a silent channel failed; it ends with its connection.", e);
    }
  }

  /** Guarded by the lock of the publish window. */
  void die() {
    dead = true;
  }

  /** Writes a send that was added to {@link #outstanding} before. May block. */
  void publish(Send send) throws IOException {
    Destination destination = send.message().destination();
    byte[] body = send.message().body();
    channel.basicPublish(
        destination.target(),
        destination.routingKey(),
        true,
        AmqpProperties.of(send.message()),
        body == null ? EMPTY : body);
  }

  @Override
  public void handleAck(long deliveryTag, boolean multiple) {
    publishWindow.guard(() -> publishWindow.answered(this, deliveryTag, multiple, true));
  }

  @Override
  public void handleNack(long deliveryTag, boolean multiple) {
    publishWindow.guard(() -> publishWindow.answered(this, deliveryTag, multiple, false));
  }

  @Override
  public void handle(Return returned) {
    publishWindow.guard(() -> publishWindow.returned(this, returned));
  }

  @Override
  public void shutdownCompleted(ShutdownSignalException cause) {
    publishWindow.guard(() -> publishWindow.channelClosed(this, CloseCause.of(cause)));
  }
}
