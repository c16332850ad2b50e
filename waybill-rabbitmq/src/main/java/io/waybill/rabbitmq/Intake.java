package io.waybill.rabbitmq;

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
final class Intake {
  /**
   * What the subscriber's thread has to do.
   *
   * @param lost reasons by consumers that have ended
   * @param deliveries for the listener
   * @param acks for the broker, by their consumer
   */
  record Work(
      Map<Tap, String> lost, List<Delivery> deliveries, Map<Tap, List<AckLedger.Ack>> acks) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Tap> taps = new LinkedHashMap<>();
  private final Map<Tap, String> lost = new LinkedHashMap<>();
  private boolean stopped;
  private boolean closed;

  /** Takes a consumer in, if it has not ended meanwhile. */
  void add(Tap tap) {
    lock.lock();
    try {
      if (!tap.dead) {
        taps.put(tap.queue, tap);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  void arrived(Tap tap, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
    lock.lock();
    try {
      if (!tap.dead) {
        tap.add(envelope, properties, body);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A consumer has ended: what it delivered belongs to nobody any more. Idempotent. */
  void lost(Tap tap, String reason) {
    lock.lock();
    try {
      if (!tap.dead) {
        tap.dead = true;
        lost.put(tap, reason);
        if (taps.get(tap.queue) == tap) {
          taps.remove(tap.queue);
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
      new ArrayList<>(taps.values()).forEach(tap -> lost(tap, reason));
    } finally {
      lock.unlock();
    }
  }

  void acknowledge(List<Delivery> deliveries) {
    forEach(deliveries, (token, delivery) -> token.tap().acknowledge(token.entry()));
  }

  void giveBack(List<Delivery> deliveries) {
    forEach(deliveries, (token, delivery) -> token.tap().giveBack(token.entry(), delivery));
  }

  private void forEach(List<Delivery> deliveries, Change change) {
    lock.lock();
    try {
      for (Delivery each : deliveries) {
        if (each.token() instanceof Tap.Token token && !token.tap().dead) {
          change.apply(token, each);
        }
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  void hold(String queue, boolean held) {
    lock.lock();
    try {
      Tap tap = taps.get(queue);
      if (tap != null) {
        tap.held = held;
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

  void close() {
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
      return taps.containsKey(queue);
    } finally {
      lock.unlock();
    }
  }

  List<Tap> taps() {
    lock.lock();
    try {
      return List.copyOf(taps.values());
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
    return !lost.isEmpty() || taps.values().stream().anyMatch(tap -> tap.hasWork(stopped));
  }

  /** Takes what there is to do. */
  Work take() {
    lock.lock();
    try {
      Map<Tap, String> ended = new LinkedHashMap<>(lost);
      lost.clear();
      List<Delivery> deliveries = new ArrayList<>();
      Map<Tap, List<AckLedger.Ack>> acks = new HashMap<>();
      for (Tap tap : taps.values()) {
        if (!stopped) {
          deliveries.addAll(tap.takeDeliveries());
        }
        List<AckLedger.Ack> some = tap.takeAcks();
        if (!some.isEmpty()) {
          acks.put(tap, some);
        }
      }
      return new Work(ended, deliveries, acks);
    } finally {
      lock.unlock();
    }
  }

  /** What is said of one delivery. */
  private interface Change {
    void apply(Tap.Token token, Delivery delivery);
  }
}
