package io.waybill.kafka.internal.send;

import io.waybill.broker.PublisherListener;
import io.waybill.kafka.internal.DeepestCause;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the broker answers and tells the listener when that changes. Used by one thread
 * at a time.
 */
final class Availability {
  private static final Logger LOG = LoggerFactory.getLogger(Availability.class);
  private static final long LIMIT_MILLIS = 2_500;

  private final PublisherListener listener;
  private final String servers;
  private volatile boolean up;
  private volatile boolean down;
  private volatile boolean closed;

  Availability(PublisherListener listener, String servers) {
    this.listener = listener;
    this.servers = servers;
  }

  /**
   * Asks the broker.
   *
   * @param prepared whether messages can be sent if it answers, asked afterwards
   * @return whether it is known to accept messages
   */
  boolean probe(Admin admin, BooleanSupplier prepared) throws InterruptedException {
    try {
      admin.describeCluster().nodes().get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
      boolean isPrepared = prepared.getAsBoolean();
      if (isPrepared) {
        up();
      }
      return isPrepared;
    } catch (ExecutionException e) {
      down(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      down(e);
    }
    return false;
  }

  private void up() {
    if (!up) {
      LOG.debug("Kafka at {} answers", servers);
      listener.available();
      // Last: what the listener did not get is told again.
      up = true;
      down = false;
    }
  }

  boolean isDown() {
    return down;
  }

  /** From now on calls fail because of us. */
  void close() {
    closed = true;
  }

  /** Whoever listens logs it, with what it means for whom. */
  void down(Throwable why) {
    if (!down && !closed) {
      LOG.debug("Kafka at {} does not answer", servers, why);
      listener.unavailable("Kafka at " + servers + " does not answer: " + DeepestCause.text(why));
      up = false;
      down = true;
    }
  }
}
