package io.waybill.bench.wire;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** One channel with a window of outstanding confirms; acks of ranges are taken as ranges. */
final class RabbitWire implements Wire {
  private static final int WINDOW = 1000;
  private static final int SLOTS = 1 << 20;
  private static final Integer PERSISTENT = 2;

  private final String queue;
  private final Connection connection;
  private final Channel channel;
  private final Semaphore window = new Semaphore(WINDOW);
  // By publish number; the window is far smaller than the ring.
  private final AtomicReferenceArray<Runnable> outstanding = new AtomicReferenceArray<>(SLOTS);
  private volatile boolean refused;
  private long lowest = 1;

  RabbitWire(String address, String queue) throws IOException {
    this.queue = queue;
    this.connection = connect(address);
    this.channel = connection.createChannel();
    channel.confirmSelect();
    channel.addConfirmListener(this::confirmed, this::refused);
  }

  static Connection connect(String address) throws IOException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setAutomaticRecoveryEnabled(false);
    try {
      factory.setUri(address);
      return factory.newConnection("bench");
    } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
      throw new IOException("Cannot connect to RabbitMQ", e);
    }
  }

  @Override
  public void send(Message message, Runnable confirmed) {
    window.acquireUninterruptibly();
    BasicProperties properties =
        new BasicProperties.Builder()
            .deliveryMode(PERSISTENT)
            .contentType("application/json")
            .messageId(message.eventId())
            .type(message.eventType())
            .headers(headers(message))
            .build();
    outstanding.set((int) (channel.getNextPublishSeqNo() % SLOTS), confirmed);
    try {
      channel.basicPublish(BrokerKind.EXCHANGE, queue, true, properties, message.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> headers(Message message) {
    Map<String, Object> headers = new HashMap<>();
    message.headers().forEach(header -> headers.put(header.name(), header.value()));
    return headers;
  }

  private void refused(long number, boolean multiple) {
    refused = true;
    confirmed(number, multiple);
  }

  /** Called by the connection's thread alone. */
  private void confirmed(long number, boolean multiple) {
    if (!multiple) {
      release(number);
      return;
    }
    for (; lowest <= number; lowest++) {
      release(lowest);
    }
  }

  private void release(long number) {
    Runnable confirmed = outstanding.getAndSet((int) (number % SLOTS), null);
    if (confirmed != null) {
      confirmed.run();
      window.release();
    }
  }

  @Override
  public void await() {
    window.acquireUninterruptibly(WINDOW);
    window.release(WINDOW);
    if (refused) {
      throw new IllegalStateException("The broker refused a message");
    }
  }

  @Override
  public void close() {
    connection.abort();
  }
}
