package io.waybill.bench.rival.transactionoutboxordered;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.bench.load.Backlog;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/**
 * transaction-outbox with a topic of its own for each partition of Kafka, as its README advises
 * under "Topics and FIFO ordering".
 */
public final class TransactionOutboxOrderedRival implements Rival {
  static final String THREADS = "executor.threads";
  static final String PAUSE_MILLIS = "flush.pauseMillis";
  static final String POOL = "hikari.maximumPoolSize";
  static final String LINGER = "kafka.linger.ms";

  private static final int PARTITIONS = 8;
  private static final int ROWS_PER_TRANSACTION = 1000;

  @Override
  public Map<String, String> settings(boolean tuned) {
    Map<String, String> all = new TreeMap<>();
    // README, "Set up the background worker": ordered tasks are done by flushing alone.
    all.put(PAUSE_MILLIS, tuned ? "10" : "60000");
    // README, "Topics and FIFO ordering": topics are done in parallel, each by one thread.
    all.put(THREADS, tuned ? Integer.toString(PARTITIONS) : "1");
    all.put(POOL, tuned ? "20" : "10");
    all.put(LINGER, tuned ? "0" : "5");
    return all;
  }

  /** Through its API, for what it stores about topics is its own business. */
  @Override
  public void prepare(Task task) throws Exception {
    try (HikariDataSource pool = pool(task.database(), 2)) {
      TransactionManager transactions = TransactionManager.fromDataSource(pool);
      Executor nobody = command -> {};
      TransactionOutbox outbox =
          outbox(transactions, Instantiator.using(type -> nobody), Submitter.withExecutor(nobody));
      List<byte[]> templates = Payloads.templates();
      for (long first = 0; first < task.events(); first += ROWS_PER_TRANSACTION) {
        long from = first;
        long to = Math.min(task.events(), first + ROWS_PER_TRANSACTION);
        transactions.inTransaction(
            transaction -> {
              for (long i = from; i < to; i++) {
                byte[] body = templates.get((int) (i % templates.size())).clone();
                Ref.put(body, Ref.of((int) (i % task.keys()), i / task.keys()));
                append(outbox, Long.toString(i % task.keys()), body);
              }
            });
      }
      Backlog backlog = new Backlog(task.database());
      // Ordered tasks are due at once; the index of what is due has to know them.
      backlog.execute("vacuum analyze TXNO_OUTBOX");
      backlog.execute("checkpoint");
    }
  }

  @Override
  public Running start(Task task, Deliveries deliveries) {
    Map<String, String> settings = settings(task.tuned());
    HikariDataSource pool =
        pool(task.database(), Integer.parseInt(settings.getOrDefault(POOL, "10")));
    return new Relay(pool, settings, new Sender(task, settings, deliveries));
  }

  static TransactionOutbox outbox(
      TransactionManager transactions, Instantiator instantiator, Submitter submitter) {
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
        .instantiator(instantiator)
        .submitter(submitter)
        .build();
  }

  static void append(TransactionOutbox outbox, String key, byte[] body) {
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    int partition = BuiltInPartitioner.partitionForKey(name, PARTITIONS);
    try {
      outbox
          .with()
          .ordered("bench-" + partition)
          .schedule(Sender.class)
          .send(key, new String(body, StandardCharsets.UTF_8));
    } catch (Exception e) {
      throw new IllegalStateException("Not scheduled", e);
    }
  }

  private static HikariDataSource pool(String url, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }
}
