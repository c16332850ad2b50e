package io.waybill.kafka.internal.send;

import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one client send what it collects, on a thread of its own, because the client's flush waits
 * until all of it has an outcome. While it waits, the client sends whatever comes at once. So
 * {@code linger.ms} holds only while many sends are out, when larger batches are what is wanted.
 */
final class Flusher {
  private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;
  private final Semaphore asked = new Semaphore(0);
  private volatile boolean ended;

  Flusher(KafkaProducer<byte[], byte[]> producer, String name) {
    this.producer = producer;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Does not block; calls during a flush lead to one more. */
  void ask() {
    if (asked.availablePermits() == 0) {
      asked.release();
    }
  }

  /** Ends the thread, also out of a flush that the client never ends. */
  void end() {
    ended = true;
    asked.release();
    thread.interrupt();
  }

  private void run() {
    asked.acquireUninterruptibly();
    while (!ended) {
      asked.drainPermits();
      try {
        producer.flush();
      } catch (InterruptException e) {
        return;
      } catch (RuntimeException | Error e) {
        // The batches go out a little later, and the next flush is tried.
        LOG.debug("A flush of the Kafka client failed", e);
      }
      asked.acquireUninterruptibly();
    }
  }
}
