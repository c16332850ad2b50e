package io.waybill.internal.start;

import io.waybill.internal.jdbc.outbox.NotificationReceiver;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.work.Worker;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the notifications of {@link io.waybill.jdbc.CommitNotifier}s in other processes, on a
 * separate thread and connection. Without a connection it receives nothing, and nothing is lost:
 * relays keep polling.
 */
public final class CommitListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommitListener.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final NotificationReceiver receiver;
  private final Runnable wake;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Worker worker;

  private CommitListener(String name, NotificationReceiver receiver, Runnable wake) {
    this.receiver = receiver;
    this.wake = wake;
    this.worker = Worker.tireless("waybill-" + name + "-listener", this::turn);
  }

  /**
   * Starts listening.
   *
   * @param name of the relay, for the thread
   * @param tables the outbox
   * @param wake run after each notification, for example {@code relay::wake}
   * @return the listener, to be closed
   */
  public static CommitListener start(String name, PostgresOutbox tables, Runnable wake) {
    return new CommitListener(name, tables.receiver(), wake);
  }

  private int turn() throws InterruptedException {
    try {
      if (receiver.await(LONGEST_WAIT)) {
        wake.run();
        return 1;
      }
    } catch (StoreException e) {
      if (closed.getCount() > 0) {
        LOG.warn(
            "Notifications of commits in other processes can't be received for now; polling"
                + " continues",
            e);
        closed.await(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS);
      }
    }
    return 0;
  }

  /** Closes the connection and ends the thread. */
  @Override
  public void close() {
    closed.countDown();
    receiver.close();
    worker.close();
  }
}
