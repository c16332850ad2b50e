package io.waybill.rabbitmq;

import io.waybill.broker.Delivery;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import io.waybill.rabbitmq.internal.consume.DeliveryBuffer;
import io.waybill.rabbitmq.internal.consume.SubscriberLink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Consumes from queues on its own connection, which it reopens when it is lost. A lane is a queue.
 *
 * <p>The order of a lane holds across several processes only if the queue has a single active
 * consumer ({@code x-single-active-consumer}, see {@link
 * RabbitTopology.Builder#singleActiveQueue}). Otherwise the broker spreads its messages over all of
 * them and the lane has no order; {@link RabbitChecks#checkConsumed} reports such queues. To read
 * with several processes in parallel and keep the order of each key, hash the keys over several
 * such queues with {@link RabbitHashedQueues}.
 *
 * <p>A message that the listener gives back stays unacknowledged in memory and is delivered again
 * before anything newer. The subscriber does not nack it: quorum queues count a nack as a failed
 * delivery and drop a message after some of them. The message returns to the queue when the channel
 * ends. A held lane fetches at most {@link RabbitSubscriberConfig#prefetch} messages from the
 * broker and delivers none of them.
 *
 * <p>When the broker ends a consumer, for example because its queue was deleted, the subscriber
 * reopens it with growing pauses, while the other queues continue. Its lane is then lost, as all
 * lanes are when the connection is lost: the subscriber ignores acknowledgements of earlier
 * messages, and these messages come again.
 *
 * <p>Thread-safe.
 */
public final class RabbitSubscriber implements Subscriber {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private final RabbitSubscriberConfig config;
  private final Connector connector;
  private final DeliveryBuffer buffer = new DeliveryBuffer();
  private @Nullable SubscriberLink link;
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * Creates a subscriber that is not connected yet.
   *
   * @param config its configuration
   * @throws IllegalArgumentException when the TLS stores cannot be read
   */
  public RabbitSubscriber(RabbitSubscriberConfig config) {
    this.config = config;
    this.connector = new Connector(config.connection());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when it was started or closed before
   */
  @Override
  public synchronized void start(SubscriberListener listener) {
    if (closed || link != null) {
      throw new IllegalStateException("start: only once, and before close");
    }
    RabbitPublisherConfig connection = config.connection();
    String name = connection.clientProperties().getOrDefault("connection_name", "waybill-inbox");
    SubscriberLink started =
        new SubscriberLink(
            config.queues(),
            config.prefetch(),
            connection.maxBackoff(),
            () -> connector.open(name),
            buffer,
            listener);
    link = started;
    thread = new Thread(started, "waybill-rabbit-subscriber");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    buffer.acknowledge(deliveries);
  }

  @Override
  public void release(List<Delivery> deliveries) {
    buffer.release(deliveries);
  }

  @Override
  public boolean isExclusive() {
    return true;
  }

  @Override
  public void pause(String lane) {
    buffer.pause(lane, true);
  }

  @Override
  public void resume(String lane) {
    buffer.pause(lane, false);
  }

  @Override
  public synchronized Map<String, Long> lag() {
    SubscriberLink current = link;
    return current == null ? Map.of() : current.lag();
  }

  @Override
  public synchronized void stop() {
    SubscriberLink current = link;
    if (current != null) {
      current.stop();
    }
  }

  @Override
  public void close() {
    stop();
    Thread ending = beginClose();
    if (ending == null || ending == Thread.currentThread()) {
      return;
    }
    try {
      ending.join(CLOSE_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // Frees a thread that a silent broker keeps waiting.
    connector.close();
    ending.interrupt();
  }

  private synchronized @Nullable Thread beginClose() {
    if (closed) {
      return null;
    }
    closed = true;
    buffer.close();
    return thread;
  }
}
