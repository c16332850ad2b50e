package io.waybill.bench.rival.transactionoutbox;

import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.rival.Rival;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The outbox with its background worker. */
final class Relay implements Rival.Running {
  private static final int QUEUE = 1024;

  private final HikariDataSource pool;
  private final Sender sender;
  private final ThreadPoolExecutor executor;
  private final TransactionManager transactions;
  private final TransactionOutbox outbox;
  private final Thread worker;

  Relay(HikariDataSource pool, Map<String, String> settings, Sender sender) {
    this.pool = pool;
    this.sender = sender;
    int threads = Integer.parseInt(settings.getOrDefault(TransactionOutboxRival.THREADS, "1"));
    this.executor = threads == 1 ? asByDefault() : patient(threads);
    this.transactions = TransactionManager.fromDataSource(pool);
    this.outbox =
        TransactionOutbox.builder()
            .transactionManager(transactions)
            .persistor(TransactionOutboxRival.persistor())
            .instantiator(Instantiator.using(type -> sender))
            .submitter(Submitter.withExecutor(executor))
            .build();
    long pause = Long.parseLong(settings.getOrDefault(TransactionOutboxRival.PAUSE_MILLIS, "0"));
    this.worker = new Thread(() -> work(pause), "flush");
    worker.start();
  }

  /** As {@code Submitter.withDefaultExecutor()}: what does not fit is left for a later flush. */
  private static ThreadPoolExecutor asByDefault() {
    return new ThreadPoolExecutor(
        1, 1, 0L, TimeUnit.MILLISECONDS, new ArrayBlockingQueue<>(16_384));
  }

  /** What does not fit makes the flush wait instead of being pushed back for two minutes. */
  private static ThreadPoolExecutor patient(int threads) {
    return new ThreadPoolExecutor(
        threads,
        threads,
        0L,
        TimeUnit.MILLISECONDS,
        new ArrayBlockingQueue<>(QUEUE),
        new ThreadPoolExecutor.CallerRunsPolicy());
  }

  private void work(long pause) {
    try {
      while (!Thread.interrupted()) {
        while (outbox.flush()) {
          // Until nothing is left.
        }
        Thread.sleep(pause);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public SteadyLoad.Append append() {
    return (key, body) ->
        transactions.inTransaction(
            transaction -> send(key, new String(body, StandardCharsets.UTF_8)));
  }

  private void send(String key, String body) {
    try {
      outbox.schedule(Sender.class).send(key, body);
    } catch (Exception e) {
      throw new IllegalStateException("Not scheduled", e);
    }
  }

  @Override
  public void close() {
    worker.interrupt();
    executor.shutdownNow();
    try {
      worker.join(TimeUnit.SECONDS.toMillis(5));
      executor.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sender.close();
    pool.close();
  }
}
