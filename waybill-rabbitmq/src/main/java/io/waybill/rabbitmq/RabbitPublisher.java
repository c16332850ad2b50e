package io.waybill.rabbitmq;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.rabbitmq.internal.send.Availability;
import io.waybill.rabbitmq.internal.send.Link;
import io.waybill.rabbitmq.internal.send.MessageCheck;
import io.waybill.rabbitmq.internal.send.PublishWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to RabbitMQ with asynchronous confirms.
 *
 * <p>Messages are persistent and mandatory. The publisher rejects a message that reaches no queue
 * as {@code unroutable}, and one that a queue refuses as {@code nacked}. It rejects one whose
 * exchange is missing as {@code exchange-missing}, and one whose exchange is not permitted as
 * {@code access-refused}. When the broker closes a channel because of one of many messages, the
 * outcome of all of them is unknown. When they are sent again, each goes alone until the faulty one
 * is found; other messages are not delayed. The faulty message goes alone from then on; one that
 * was refused for its exchange (missing, or not permitted) does so until the exchange has accepted
 * a message.
 *
 * <p>A null body becomes an empty one with the header {@code waybill-tombstone}.
 *
 * <p>{@link #close} and {@link #flush} may be called from any thread.
 */
public final class RabbitPublisher implements Publisher {
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private final RabbitPublisherConfig config;
  private final MessageCheck check;
  private final List<Connector> connectors = new ArrayList<>();
  private final List<PublishWindow> windows = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(RabbitPublisher::clockThread);
  private volatile @Nullable PublisherListener listener;

  /**
   * Creates a publisher that is not connected yet.
   *
   * @param config its configuration
   * @throws IllegalArgumentException when the TLS stores cannot be read
   */
  public RabbitPublisher(RabbitPublisherConfig config) {
    this.config = config;
    this.check = new MessageCheck(config.maxMessageBytes());
    for (int i = 0; i < config.connections(); i++) {
      connectors.add(new Connector(config));
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when it was started before
   */
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // expire() reports its own failures
  public void start(PublisherListener listener) {
    if (this.listener != null) {
      throw new IllegalStateException("the publisher was started before");
    }
    Availability availability = new Availability(connectors.size(), listener);
    for (int i = 0; i < connectors.size(); i++) {
      Availability.Part part = availability.part(i);
      PublishWindow publishWindow =
          new PublishWindow(
              maxInFlightPerKey() > 1, listener, part, check, config.confirmTimeout());
      windows.add(publishWindow);
      Link link =
          new Link(
              i,
              connectors.get(i)::open,
              publishWindow,
              part,
              config.maxBackoff(),
              listener::failed);
      Thread thread = new Thread(link, "waybill-rabbit-writer-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    this.listener = listener;
    threads.forEach(Thread::start);
    clock.scheduleWithFixedDelay(
        this::expire, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when the publisher was not started
   */
  @Override
  public void send(Outgoing message) {
    PublisherListener told = listener;
    if (told == null) {
      throw new IllegalStateException("the publisher is not started");
    }
    Confirmation.Rejected refusal = check.refusal(message);
    if (refusal != null) {
      told.onConfirmation(refusal);
      return;
    }
    long deadline = System.nanoTime() + config.confirmTimeout().toNanos();
    windows.get(linkOf(message)).offer(message, deadline);
  }

  @Override
  public void flush() {
    windows.forEach(PublishWindow::flush);
  }

  private int linkOf(Outgoing message) {
    int hash =
        message.key() == null ? Long.hashCode(message.sendId()) : Arrays.hashCode(message.key());
    return Math.floorMod(hash, windows.size());
  }

  @Override
  public String toString() {
    return "RabbitMQ at %s, virtual host %s"
        .formatted(String.join(",", config.addresses()), config.virtualHost());
  }

  @Override
  public int maxInFlightPerKey() {
    return config.maxInFlightPerKey();
  }

  @Override
  public Duration deliveryTimeout() {
    return config.confirmTimeout().plus(TICK.multipliedBy(2));
  }

  private void expire() {
    windows.forEach(PublishWindow::giveUpOverdue);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    windows.forEach(PublishWindow::close);
    connectors.forEach(Connector::close);
    awaitEnd();
  }

  private void awaitEnd() {
    long end = System.nanoTime() + CLOSE_LIMIT.toNanos();
    try {
      for (Thread thread : threads) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        thread.join(Math.max(1, left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread clockThread(Runnable task) {
    Thread thread = new Thread(task, "waybill-rabbit-clock");
    thread.setDaemon(true);
    return thread;
  }
}
