package io.waybill.jdbc;

import io.waybill.database.OutboxTables;
import io.waybill.internal.jdbc.outbox.NotificationSender;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.work.Worker;
import io.waybill.outbox.RelaySignal;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes relays in other processes after commits. An {@link io.waybill.outbox.Outbox} that has this
 * notifier calls it from {@code committed()}; a separate thread and connection then send the
 * notification, apart from every business transaction. Commits in quick succession share a
 * notification. Relays receive it if they listen; a lost notification costs only the time until
 * their next poll.
 */
public final class CommitNotifier implements RelaySignal, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommitNotifier.class);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  private final NotificationSender sender;
  private final Duration pause;
  private final AtomicBoolean wanted = new AtomicBoolean();
  private final Semaphore commits = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Worker worker;

  private CommitNotifier(NotificationSender sender, Duration pause) {
    this.sender = sender;
    this.pause = pause;
    this.worker = Worker.tireless("waybill-notifier", this::turn);
  }

  /**
   * Starts the thread; the first commit opens the connection.
   *
   * @param tables Waybill's own table on PostgreSQL
   * @param pause shortest time between two notifications, from 1 ms to 1 minute
   * @return the notifier, to be closed
   * @throws IllegalArgumentException if the pause is out of its bounds, or the table is another
   */
  public static CommitNotifier start(OutboxTables tables, Duration pause) {
    checkPause(pause);
    if (tables instanceof PostgresOutbox own) {
      return new CommitNotifier(own.sender(), pause);
    }
    throw new IllegalArgumentException(
        "Notifications need Waybill's own table on PostgreSQL, but the table is " + tables);
  }

  /**
   * Checks the time between two notifications.
   *
   * @param pause from 1 ms to 1 minute
   * @throws IllegalArgumentException if it is out of these bounds
   */
  public static void checkPause(Duration pause) {
    if (pause.compareTo(Duration.ofMillis(1)) < 0 || pause.compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException("pause must be from 1 ms to 1 minute, is " + pause);
    }
  }

  @Override
  public void wake() {
    if (wanted.compareAndSet(false, true)) {
      commits.release();
    }
  }

  private int turn() throws InterruptedException {
    if (!commits.tryAcquire(1, TimeUnit.SECONDS)) {
      return 0;
    }
    // Before the sending: a commit from now on may come too late for it and wants one of its own.
    wanted.set(false);
    Duration rest = pause;
    try {
      sender.send();
    } catch (StoreException e) {
      LOG.warn("Relays could not be notified; they find the events by polling", e);
      rest = PAUSE_AFTER_FAILURE;
    }
    return closed.await(rest.toNanos(), TimeUnit.NANOSECONDS) ? 0 : 1;
  }

  /**
   * Ends the thread and closes the connection. Commits just before may go without a notification.
   */
  @Override
  public void close() {
    closed.countDown();
    worker.close();
    sender.close();
  }
}
