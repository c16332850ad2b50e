package io.waybill.rabbitmq.internal.consume;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Envelope;
import io.waybill.broker.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What lies between the threads of the client library, the callers of the subscriber and its own
 * thread. Waits only for its lock, which is never held during I/O or calls of the listener.
 */
public final class DeliveryBuffer {
  /**
   * What the subscriber's thread has to do.
   *
   * @param lost reasons by consumers that have ended
   * @param deliveries for the listener
   * @param acks for the broker, by their consumer
   */
  record Work(
      Map<QueueConsumer, String> lost,
      List<Delivery> deliveries,
      Map<QueueConsumer, List<AckLedger.Ack>> acks) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, QueueConsumer> consumers = new LinkedHashMap<>();
  private final Map<QueueConsumer, String> lost = new LinkedHashMap<>();
  private boolean stopped;
  private boolean closed;

  /** Empty, and without a consumer. */
  public DeliveryBuffer() {}

  /** Takes a consumer in, if it has not ended meanwhile. */
  void add(QueueConsumer consumer) {
    lock.lock();
    try {
      if (!consumer.dead) {
        consumers.put(consumer.queue, consumer);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  void arrived(
      QueueConsumer consumer, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    lock.lock();
    try {
      if (!consumer.dead) {
        consumer.add(envelope, properties, body);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A consumer has ended: what it delivered belongs to nobody any more. Idempotent. */
  void lost(QueueConsumer consumer, String reason) {
    lock.lock();
    try {
      if (!consumer.dead) {
        consumer.dead = true;
        lost.put(consumer, reason);
        if (consumers.get(consumer.queue) == consumer) {
          consumers.remove(consumer.queue);
        }
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  void lostAll(String reason) {
    lock.lock();
    try {
      new ArrayList<>(consumers.values()).forEach(consumer -> lost(consumer, reason));
    } finally {
      lock.unlock();
    }
  }

  /** They need not come again. */
  public void acknowledge(List<Delivery> deliveries) {
    forEach(deliveries, (token, delivery) -> token.consumer().acknowledge(token.entry()));
  }

  /** They are delivered again. */
  public void release(List<Delivery> deliveries) {
    forEach(deliveries, (token, delivery) -> token.consumer().release(token.entry(), delivery));
  }

  private void forEach(List<Delivery> deliveries, Change change) {
    lock.lock();
    try {
      for (Delivery each : deliveries) {
        if (each.token() instanceof QueueConsumer.Token token && !token.consumer().dead) {
          change.apply(token, each);
        }
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Delivers nothing of a queue while it is paused. */
  public void pause(String queue, boolean paused) {
    lock.lock();
    try {
      QueueConsumer consumer = consumers.get(queue);
      if (consumer != null) {
        consumer.paused = paused;
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    lock.lock();
    try {
      stopped = true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread that works for it. */
  public void close() {
    lock.lock();
    try {
      stopped = true;
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  boolean has(String queue) {
    lock.lock();
    try {
      return consumers.containsKey(queue);
    } finally {
      lock.unlock();
    }
  }

  List<QueueConsumer> consumers() {
    lock.lock();
    try {
      return List.copyOf(consumers.values());
    } finally {
      lock.unlock();
    }
  }

  /** Waits for something to do, for so long at most. */
  Work await(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && !hasWork() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return take();
    } finally {
      lock.unlock();
    }
  }

  /** Waits out the time, or until it is closed. */
  void pause(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean hasWork() {
    return !lost.isEmpty()
        || consumers.values().stream().anyMatch(consumer -> consumer.hasWork(stopped));
  }

  /** Takes what there is to do. */
  Work take() {
    lock.lock();
    try {
      Map<QueueConsumer, String> ended = new LinkedHashMap<>(lost);
      lost.clear();
      List<Delivery> deliveries = new ArrayList<>();
      Map<QueueConsumer, List<AckLedger.Ack>> acks = new HashMap<>();
      for (QueueConsumer consumer : consumers.values()) {
        if (!stopped) {
          deliveries.addAll(consumer.takeDeliveries());
        }
        List<AckLedger.Ack> some = consumer.takeAcks();
        if (!some.isEmpty()) {
          acks.put(consumer, some);
        }
      }
      return new Work(ended, deliveries, acks);
    } finally {
      lock.unlock();
    }
  }

  /** What is said of one delivery. */
  private interface Change {
    void apply(QueueConsumer.Token token, Delivery delivery);
  }
}
