package io.waybill.bench.rival.transactionoutbox;

import com.gruelbox.transactionoutbox.DefaultPersistor;
import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Invocation;
import com.gruelbox.transactionoutbox.InvocationSerializer;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.bench.load.Backlog;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** transaction-outbox without order, as version 4 has it. */
public final class TransactionOutboxRival implements Rival {
  static final String THREADS = "executor.threads";
  static final String PAUSE_MILLIS = "flush.pauseMillis";
  static final String POOL = "hikari.maximumPoolSize";
  static final String LINGER = "kafka.linger.ms";

  // Columns as DefaultPersistor.save fills them; the time of the first attempt has come.
  private static final String FILL =
      """
      insert into TXNO_OUTBOX (id, uniqueRequestId, invocation, lastAttemptTime, nextAttemptTime,
        attempts, blocked, processed, version)
      select gen_random_uuid()::text, null, %s, null, localtimestamp - interval '1 second',
        0, false, false, 0
      %s
      """;

  @Override
  public Map<String, String> settings(boolean tuned) {
    Map<String, String> all = new TreeMap<>();
    // README, "Set up the background worker": flush until nothing is left, then pause a minute.
    all.put(PAUSE_MILLIS, tuned ? "100" : "60000");
    // README, "Configuration reference": an executor of one's own. The default one has a thread.
    all.put(THREADS, tuned ? "16" : "1");
    // HikariCP, "About Pool Sizing": its default is 10; one connection for each thread.
    all.put(POOL, tuned ? "20" : "10");
    // One send per transaction waits for the linger of Kafka's client.
    all.put(LINGER, tuned ? "0" : "5");
    return all;
  }

  @Override
  public void prepare(Task task) throws Exception {
    try (HikariDataSource pool = pool(task.database(), 2)) {
      persistor().migrate(TransactionManager.fromDataSource(pool));
    }
    List<byte[]> templates = templates();
    String text = Backlog.text(templates, task.keys());
    new Backlog(task.database())
        .fill(
            "TXNO_OUTBOX",
            task.events(),
            templates,
            (first, last) -> FILL.formatted(text, Backlog.range(first, last)));
  }

  /** Invocations as the library serializes them. */
  private static List<byte[]> templates() {
    InvocationSerializer serializer = InvocationSerializer.createDefaultJsonSerializer();
    return Payloads.templates().stream()
        .map(
            body -> {
              StringWriter writer = new StringWriter();
              serializer.serializeInvocation(
                  new Invocation(
                      Sender.class.getName(),
                      "send",
                      new Class<?>[] {String.class, String.class},
                      new Object[] {Backlog.KEY, new String(body, StandardCharsets.UTF_8)}),
                  writer);
              return writer.toString().getBytes(StandardCharsets.UTF_8);
            })
        .toList();
  }

  @Override
  public Running start(Task task, Deliveries deliveries) {
    Map<String, String> settings = settings(task.tuned());
    HikariDataSource pool =
        pool(task.database(), Integer.parseInt(settings.getOrDefault(POOL, "10")));
    return new Relay(pool, settings, new Sender(task, settings, deliveries));
  }

  static Persistor persistor() {
    return DefaultPersistor.builder().dialect(Dialect.POSTGRESQL_9).build();
  }

  private static HikariDataSource pool(String url, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }
}
