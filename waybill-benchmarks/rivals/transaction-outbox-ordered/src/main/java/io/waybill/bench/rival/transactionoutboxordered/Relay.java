package io.waybill.bench.rival.transactionoutboxordered;

import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.rival.Rival;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The outbox with its background worker. */
final class Relay implements Rival.Running {
  private final HikariDataSource pool;
  private final Sender sender;
  private final ExecutorService executor;
  private final TransactionManager transactions;
  private final TransactionOutbox outbox;
  private final Thread worker;

  Relay(HikariDataSource pool, Map<String, String> settings, Sender sender) {
    this.pool = pool;
    this.sender = sender;
    this.executor =
        Executors.newFixedThreadPool(
            Integer.parseInt(settings.getOrDefault(TransactionOutboxOrderedRival.THREADS, "1")));
    this.transactions = TransactionManager.fromDataSource(pool);
    this.outbox =
        TransactionOutboxOrderedRival.outbox(
            transactions, Instantiator.using(type -> sender), Submitter.withExecutor(executor));
    long pause =
        Long.parseLong(settings.getOrDefault(TransactionOutboxOrderedRival.PAUSE_MILLIS, "0"));
    this.worker = new Thread(() -> work(pause), "flush");
    worker.start();
  }

  private void work(long pause) {
    try {
      while (!Thread.interrupted()) {
        while (outbox.flush(executor)) {
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
            transaction -> TransactionOutboxOrderedRival.append(outbox, key, body));
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
