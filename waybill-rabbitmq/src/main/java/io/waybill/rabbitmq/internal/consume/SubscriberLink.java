package io.waybill.rabbitmq.internal.consume;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ChannelContinuationTimeoutException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.broker.SubscriberListener;
import io.waybill.rabbitmq.internal.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that connects, acknowledges and calls the listener. Opens a lost connection again,
 * and a consumer that ended alone without disturbing the others.
 */
public final class SubscriberLink implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SubscriberLink.class);
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LAG_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int CLOSE_MILLIS = 2_000;

  /** Opens connections. */
  @FunctionalInterface
  public interface Opener {
    /** Opens one; blocks within the configured limits. */
    Connection open() throws IOException, TimeoutException;
  }

  private enum Told {
    NOTHING,
    UP,
    DOWN
  }

  private final List<String> queues;
  private final int prefetch;
  private final Duration maxPause;
  private final Opener opener;
  private final DeliveryBuffer buffer;
  private final SubscriberListener listener;
  private final Map<String, Integer> failures = new HashMap<>();
  private final Map<String, Long> notBefore = new HashMap<>();
  // Consumers whose end the listener does not know yet, with the reason.
  private final Map<QueueConsumer, String> untold = new LinkedHashMap<>();
  private final Object gate = new Object();
  private volatile Map<String, Long> lag = Map.of();
  private long nextLag = System.nanoTime() + LAG_NANOS;
  private int lostConnections;
  private Told told = Told.NOTHING;
  private boolean stopped;

  /** Consumes with pauses between attempts of at most {@code maxPause}. */
  public SubscriberLink(
      List<String> queues,
      int prefetch,
      Duration maxPause,
      Opener opener,
      DeliveryBuffer buffer,
      SubscriberListener listener) {
    this.queues = queues;
    this.prefetch = prefetch;
    this.maxPause = maxPause;
    this.opener = opener;
    this.buffer = buffer;
    this.listener = listener;
  }

  @Override
  public void run() {
    try {
      while (!buffer.isClosed()) {
        String reason = useOne();
        if (!buffer.isClosed()) {
          buffer.lostAll(reason);
          untold.putAll(buffer.take().lost());
          backOff(reason);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The subscriber was interrupted and ends.");
    } finally {
      // Only an error of the JVM ends it before its time.
      tellDown("the subscriber's thread has ended");
    }
  }

  /** Uses one connection until it ends or fails; says why it did. */
  private String useOne() throws InterruptedException {
    Connection connection;
    try {
      connection = connect();
    } catch (IOException | TimeoutException | RuntimeException | Error e) {
      return "cannot connect to RabbitMQ: " + Failures.describe(e);
    }
    try {
      serve(connection);
      return "the connection ended";
    } catch (IOException | ShutdownSignalException e) {
      return Failures.describe(e);
    } catch (RuntimeException | Error e) {
      LOG.error("The subscriber failed; it reconnects, and messages are delivered again.", e);
      return Failures.describe(e);
    } finally {
      end(connection);
    }
  }

  private Connection connect() throws IOException, TimeoutException {
    Connection connection = opener.open();
    LOG.info("The subscriber is connected to RabbitMQ, queues {}.", queues);
    return connection;
  }

  private void serve(Connection connection) throws IOException, InterruptedException {
    failures.clear();
    notBefore.clear();
    tellLost();
    while (!buffer.isClosed() && connection.isOpen()) {
      long wait = openMissing(connection);
      DeliveryBuffer.Work work = buffer.await(wait);
      untold.putAll(work.lost());
      if (work.lost().keySet().stream().anyMatch(consumer -> consumer.failed)) {
        throw new IOException("a consumer failed: the log says why");
      }
      if (connection.isOpen()) {
        work.lost().forEach((consumer, reason) -> retryLater(consumer.queue, reason));
      }
      tellLost();
      deliver(work);
      acknowledge(work);
      measure(connection);
    }
  }

  /** Opens consumers that are missing; gives the time until the next thing is due. */
  private long openMissing(Connection connection) throws IOException {
    long now = System.nanoTime();
    long wait = nextLag - now;
    for (String queue : queues) {
      if (!buffer.has(queue)) {
        long left = notBefore.getOrDefault(queue, now) - now;
        if (left <= 0) {
          left = open(connection, queue);
        }
        wait = left > 0 ? Math.min(wait, left) : wait;
      }
    }
    if (told != Told.UP && !buffer.isClosed() && queues.stream().allMatch(buffer::has)) {
      listener.available();
      // Last: after an error of the listener this is repeated.
      told = Told.UP;
      lostConnections = 0;
    }
    return Math.max(1, wait);
  }

  /** Opens one consumer; 0, or how long to wait before another attempt. */
  private long open(Connection connection, String queue) throws IOException {
    try {
      QueueConsumer opened = QueueConsumer.open(connection, queue, prefetch, buffer);
      LOG.debug("Consuming from queue {}.", opened.queue);
      failures.remove(queue);
      return 0;
    } catch (IOException | AlreadyClosedException e) {
      if (!connection.isOpen()) {
        throw e;
      }
      return retryLater(
          queue, "cannot consume from queue '" + queue + "': " + Failures.describe(e));
    }
  }

  private long retryLater(String queue, String reason) {
    int before = failures.merge(queue, 1, Integer::sum) - 1;
    long nanos = Duration.ofMillis(pauseMillis(before)).toNanos();
    notBefore.put(queue, System.nanoTime() + nanos);
    if (before == 0) {
      LOG.warn(
          "{}. The subscriber retries with growing pauses; the other queues continue.", reason);
    } else {
      LOG.debug("{}. The subscriber retries.", reason);
    }
    tellDown(reason);
    return nanos;
  }

  private long pauseMillis(int failuresBefore) {
    long most = maxPause.toMillis();
    long ceiling = Math.min(most, FIRST_PAUSE_MILLIS << Math.min(failuresBefore, 16));
    return ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1);
  }

  private void tellLost() {
    Iterator<Map.Entry<QueueConsumer, String>> each = untold.entrySet().iterator();
    while (each.hasNext() && !buffer.isClosed()) {
      Map.Entry<QueueConsumer, String> lost = each.next();
      String queue = lost.getKey().queue;
      LOG.debug("Queue {} is lost: {}", queue, lost.getValue());
      listener.revoked(Set.of(queue), true);
      each.remove();
    }
  }

  private void tellDown(String reason) {
    if (told != Told.DOWN && !buffer.isClosed()) {
      listener.unavailable(reason);
      told = Told.DOWN;
    }
  }

  private void deliver(DeliveryBuffer.Work work) {
    synchronized (gate) {
      if (!stopped && !work.deliveries().isEmpty()) {
        listener.delivered(work.deliveries());
      }
    }
  }

  private void acknowledge(DeliveryBuffer.Work work) throws IOException {
    for (Map.Entry<QueueConsumer, List<AckLedger.Ack>> each : work.acks().entrySet()) {
      Channel channel = each.getKey().getChannel();
      try {
        for (AckLedger.Ack ack : each.getValue()) {
          channel.basicAck(ack.tag(), ack.multiple());
        }
      } catch (AlreadyClosedException e) {
        // Its consumer hears of it; what was not acknowledged comes again.
        LOG.debug("The channel of queue {} has ended.", each.getKey().queue);
      }
    }
  }

  private void measure(Connection connection) throws IOException {
    if (System.nanoTime() - nextLag < 0) {
      return;
    }
    nextLag = System.nanoTime() + LAG_NANOS;
    Map<String, Long> now = new HashMap<>();
    for (QueueConsumer consumer : buffer.consumers()) {
      try {
        now.put(
            consumer.queue,
            (long) consumer.getChannel().queueDeclarePassive(consumer.queue).getMessageCount());
      } catch (ChannelContinuationTimeoutException e) {
        // To be asked again every second it would hold up all others for as long as it is silent.
        throw e;
      } catch (IOException | AlreadyClosedException e) {
        if (!connection.isOpen()) {
          throw e;
        }
        // The queue has gone, or can't be asked: that costs its own channel, and no other.
        LOG.debug("The length of queue {} can't be read: {}", consumer.queue, e.toString());
      }
    }
    lag = Map.copyOf(now);
  }

  /** Closes the connection; when all is well, after the last acknowledgements have arrived. */
  private void end(Connection connection) {
    lag = Map.of();
    try {
      if (buffer.isClosed() && connection.isOpen()) {
        acknowledge(buffer.take());
        for (QueueConsumer consumer : buffer.consumers()) {
          consumer.getChannel().close();
        }
      }
    } catch (IOException | TimeoutException | RuntimeException | Error e) {
      LOG.warn(
          "The last acknowledgements may be lost ({}); messages are delivered again.",
          e.toString());
    }
    connection.abort(CLOSE_MILLIS);
  }

  private void backOff(String reason) throws InterruptedException {
    long millis = pauseMillis(lostConnections);
    if (lostConnections == 0) {
      LOG.warn("RabbitMQ: {}. The subscriber connects again in {} ms.", reason, millis);
    } else {
      LOG.debug("RabbitMQ: {}. The subscriber connects again in {} ms.", reason, millis);
    }
    lostConnections++;
    try {
      tellLost();
      tellDown(reason);
    } catch (RuntimeException | Error e) {
      LOG.error(
          "The listener threw an exception at the end of the connection; the subscriber repeats the"
              + " call.",
          e);
    }
    buffer.pause(Duration.ofMillis(millis).toNanos());
  }

  /** How many messages each queue holds. */
  public Map<String, Long> lag() {
    return lag;
  }

  /** Under the lock of a delivery: nothing is delivered after its return. */
  public void stop() {
    synchronized (gate) {
      stopped = true;
    }
    buffer.stop();
  }
}
