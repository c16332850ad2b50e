package io.waybill.examples.polyshop;

import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One run: orders, copies of everything, poison; then what every service made of it. */
final class PolyShopRun {
  private static final int PARTITIONS = 4;
  private static final int USERS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final String otlp;
  private final PrintStream out;
  private final Rows rows;

  /** Spans go to the receiver at the given URL. */
  PolyShopRun(PostgresServer postgres, KafkaServer kafka, String otlp, PrintStream out) {
    this.postgres = postgres;
    this.kafka = kafka;
    this.otlp = otlp;
    this.out = out;
    this.rows = new Rows(postgres);
  }

  /**
   * Runs to the comparison. All spans are exported by then.
   *
   * @param kill whether each process is killed once
   */
  Result run(int orders, boolean kill) throws Exception {
    for (String topic : Topics.ALL) {
      kafka.createTopic(topic, PARTITIONS, Map.of());
      kafka.createTopic(Topics.letters(topic), PARTITIONS, Map.of());
    }
    KafkaMessage poison = Copies.poison(Topics.ORDER_PLACED, UUID.randomUUID().toString());
    try (Shop shop = new Shop(postgres, kafka, otlp);
        KafkaTail events = new KafkaTail(kafka.bootstrapServers(), Topics.ALL);
        KafkaTail letters =
            new KafkaTail(
                kafka.bootstrapServers(), Topics.ALL.stream().map(Topics::letters).toList())) {
      shop.createDatabases();
      out.println("starting the gateway, eight services and the relay");
      shop.start();
      order(shop, orders, kill);
      awaitUntil("effects of the orders", shop, () -> isDone(events));
      out.println(orders + " orders placed; a copy of every event follows, and poison");
      List<KafkaMessage> once = new ArrayList<>(events.messages());
      List<KafkaMessage> copies = new ArrayList<>(once);
      copies.add(poison);
      new Copies(kafka.bootstrapServers()).send(copies);
      try (Backlog backlog = new Backlog(kafka.admin(), PARTITIONS)) {
        awaitUntil("consumers", shop, () -> isConsumed(backlog));
      }
      awaitUntil("dead letters", shop, () -> letters.count() >= Audit.POISONED.size());
      shop.stop();
      Audit audit = new Audit(rows, once, poison, letters.messages());
      return new Result(audit.checks(), audit.traceIds());
    }
  }

  /** Places the orders, the processes dying one after the other meanwhile. */
  private static void order(Shop shop, int orders, boolean kill) throws InterruptedException {
    Buyers buyers = new Buyers(shop.gateway());
    buyers.prepare(USERS);
    List<String> mortal = kill ? Shop.names() : List.of();
    int killed = 0;
    for (int number = 0; number < orders; number++) {
      buyers.order(number);
      while (killed * orders < number * mortal.size()) {
        shop.killAndStart(mortal.get(killed));
        killed++;
      }
    }
  }

  /** Whether every order has gone as far as it goes, and every event of it is published. */
  private boolean isDone(KafkaTail events) throws SQLException {
    long orders = number(Shop.database(JavaService.ORDER), "select 'n', count(*) from orders");
    String order = Shop.database(JavaService.ORDER);
    return number(order, "select 'n', count(*) from orders where status = 'PAID'") == orders
        && number(Service.NOTIFICATION.database(), "select 'n', count(*) from emails") == 2 * orders
        && number(Shop.database(JavaService.SEARCH), "select 'n', count(*) from words") > 0
        && unpublished() == 0
        && events.messages().stream().map(PolyShopRun::id).distinct().count() == written();
  }

  private static String id(KafkaMessage message) {
    return message.headers().getOrDefault("waybill-event-id", "");
  }

  private long number(String database, String sql) throws SQLException {
    return rows.of(database, sql).getOrDefault("n", 0L);
  }

  private long unpublished() throws SQLException {
    return outboxes("where not processed");
  }

  private long written() throws SQLException {
    return outboxes("");
  }

  private long outboxes(String where) throws SQLException {
    long sum = 0;
    for (String database : Audit.PRODUCERS) {
      sum += number(database, "select 'n', count(*) from outbox_events " + where);
    }
    return sum;
  }

  private static boolean isConsumed(Backlog backlog) throws InterruptedException {
    for (Map.Entry<String, List<String>> consumer : Topics.CONSUMERS.entrySet()) {
      for (String topic : consumer.getValue()) {
        if (backlog.of(consumer.getKey(), topic) > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Waits; what the processes printed is in the failure. */
  private static void awaitUntil(String what, Shop shop, Callable<Boolean> done)
      throws IOException {
    try {
      // A service that is still starting has no tables.
      Awaitility.await(what)
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(SQLException.class)
          .until(done);
    } catch (ConditionTimeoutException e) {
      StringBuilder printed = new StringBuilder();
      for (String name : Shop.names()) {
        printed.append('\n').append(name).append(": ").append(shop.output(name));
      }
      throw new IllegalStateException(e.getMessage() + printed, e);
    }
  }
}
