package io.waybill.rabbitmq.internal.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.broker.Delivery;
import io.waybill.rabbitmq.internal.CloseCause;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer of one queue on one channel. All but the channel is guarded by the lock of its
 * {@link DeliveryBuffer}.
 */
final class QueueConsumer extends DefaultConsumer {
  /** The token of a delivery. */
  record Token(QueueConsumer consumer, AckLedger.Entry entry) {}

  private static final Logger LOG = LoggerFactory.getLogger(QueueConsumer.class);
  private static final String FAILED = "its consumer failed";

  final String queue;
  private final DeliveryBuffer buffer;
  private final AckLedger ledger = new AckLedger();
  private final Deque<Delivery> arrived = new ArrayDeque<>();
  private final TreeMap<Long, Delivery> givenBack = new TreeMap<>();
  private boolean ofStream;
  boolean paused;
  boolean dead;
  volatile boolean failed;

  private QueueConsumer(Channel channel, String queue, DeliveryBuffer buffer) {
    super(channel);
    this.queue = queue;
    this.buffer = buffer;
  }

  /** Consumes from a queue that is there. */
  static QueueConsumer open(
      Connection connection, String queue, int prefetch, DeliveryBuffer buffer) throws IOException {
    Channel channel =
        connection
            .openChannel()
            .orElseThrow(() -> new IOException("the broker allows no further channel"));
    QueueConsumer consumer = new QueueConsumer(channel, queue, buffer);
    boolean opened = false;
    try {
      channel.basicQos(prefetch);
      channel.queueDeclarePassive(queue);
      channel.basicConsume(queue, false, consumer);
      opened = true;
    } finally {
      if (!opened) {
        consumer.discard();
      }
    }
    buffer.add(consumer);
    return consumer;
  }

  /**
   * Ends the channel without waiting for the broker. A consumer that it opens late would end the
   * whole connection, for nobody here knows it; one that it has ended would keep the channel.
   */
  private void discard() {
    Thread thread = new Thread(this::end, "waybill-rabbit-channel-end");
    thread.setDaemon(true);
    thread.start();
  }

  private void end() {
    try {
      // From amqp-client 5.37.1 on a request that is not answered in time closes its channel. To
      // end it once more would free its number, which the broker still uses.
      if (getChannel().isOpen()) {
        getChannel().abort();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("Queue {}: its channel ends with the connection.", queue, e);
    }
  }

  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    guard(() -> buffer.arrived(this, envelope, properties, body));
  }

  @Override
  public void handleCancel(String consumerTag) {
    guard(() -> buffer.lost(this, "the broker ended the consumer of queue '" + queue + "'"));
    discard();
  }

  @Override
  public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
    guard(
        () -> {
          CloseCause cause = CloseCause.of(signal);
          String code = cause.replyCode() == 0 ? "" : cause.replyCode() + " ";
          buffer.lost(this, "queue '" + queue + "': " + code + cause.text());
        });
  }

  /**
   * Runs what the client library calls on its own threads, where nobody else hears of an error: a
   * message that was not taken in would be missing until the channel ends.
   */
  private void guard(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      failed = true;
      buffer.lost(this, FAILED);
      LOG.error("Queue {}: the subscriber could not accept a message and reconnects.", queue, e);
    }
  }

  void add(Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    if (!ofStream && RabbitDeliveries.isOfStream(properties)) {
      ofStream = true;
      LOG.warn(
          "Queue {} is a stream, or holds copies of a stream's messages: they have x-stream-offset."
              + " A consumer of a stream skips all messages published while it is away; consume"
              + " from a quorum queue that is bound to the same exchange.",
          queue);
    }
    AckLedger.Entry entry = ledger.add(envelope.getDeliveryTag());
    arrived.add(RabbitDeliveries.of(queue, envelope, properties, body, new Token(this, entry)));
  }

  void acknowledge(AckLedger.Entry entry) {
    ledger.acknowledge(entry);
    givenBack.remove(entry.tag());
  }

  void release(AckLedger.Entry entry, Delivery delivery) {
    if (entry.isOut()) {
      givenBack.put(entry.tag(), delivery);
    }
  }

  boolean hasWork(boolean stopped) {
    boolean delivers = !stopped && !paused && !(arrived.isEmpty() && givenBack.isEmpty());
    return ledger.hasNews() || delivers;
  }

  /** What is to be delivered: what was given back first. */
  List<Delivery> takeDeliveries() {
    if (paused) {
      return List.of();
    }
    List<Delivery> all = new ArrayList<>(givenBack.size() + arrived.size());
    givenBack.values().forEach(each -> all.add(each.repeated()));
    all.addAll(arrived);
    givenBack.clear();
    arrived.clear();
    return all;
  }

  List<AckLedger.Ack> takeAcks() {
    return ledger.take();
  }
}
