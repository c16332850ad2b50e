package io.waybill.examples.eventoutbox;

import io.waybill.Preset;
import io.waybill.Waybill;
import io.waybill.kafka.KafkaBroker;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** One run on one database. */
final class EventOutboxRun {
  private static final List<String> VIEWS =
      List.of(
          "vw_event_outbox",
          "vw_event_outbox_due",
          "vw_event_outbox_waiting",
          "vw_event_outbox_latency",
          "vw_event_outbox_metrics",
          "vw_event_throughput_hourly",
          "vw_sync_backlog_by_node");
  private static final String PENDING =
      "select count(*) from event_outbox where status = 'pending'";
  private static final int SHOWN_ROWS = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long LOOK_MILLIS = 100;
  private static final int ATTEMPTS = 3;

  private final Shop shop;
  private final String bootstrap;
  private final String prefix;
  private final PrintStream out;

  EventOutboxRun(Shop shop, String bootstrap, String prefix, PrintStream out) {
    this.shop = shop;
    this.bootstrap = bootstrap;
    this.prefix = prefix;
    this.out = out;
  }

  boolean run(String topic) throws Exception {
    shop.createTables();
    shop.writeEvents();
    out.println("before the relay:");
    print("vw_event_outbox_metrics");
    try (Waybill relay = start()) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      // One event waits for tomorrow.
      while (number(PENDING) > 1 && System.nanoTime() < end) {
        Thread.sleep(LOOK_MILLIS);
      }
      out.println("relay " + (relay.stop(PATIENCE) ? "stopped" : "did not stop in time"));
    }
    for (String view : VIEWS) {
      out.println(view);
      print(view);
    }
    return reconcile(topic);
  }

  private Waybill start() {
    return Waybill.relay("relay")
        .outbox(shop.database())
        .preset(Preset.EVENT_OUTBOX)
        .broker(KafkaBroker.at(bootstrap))
        .route(prefix + "{aggregateType}-events")
        .retry(RetryPolicy.builder().constant(Duration.ofSeconds(1)).attemptLimit(ATTEMPTS).build())
        .failure(new FailurePolicy.Bury(null))
        .start();
  }

  /** What was due is sent and arrived once; what nobody can take is failed; the rest waits. */
  private boolean reconcile(String topic) throws SQLException {
    long sent = number("select count(*) from event_outbox where status = 'sent'");
    long due = number("select count(*) from vw_event_outbox_due");
    long failed = number("select count(*) from event_outbox where status = 'failed'");
    List<String> arrived = Topic.eventIds(bootstrap, topic, (int) sent, PATIENCE);
    long distinct = arrived.stream().distinct().count();
    boolean clean =
        due == 0 && failed == 1 && sent > 0 && distinct == sent && arrived.size() == sent;
    out.printf(
        "%s: %d events sent, %d arrived, %d of them different; %d still due, %d failed%n%n",
        clean ? "OK" : "NOT as it should be", sent, arrived.size(), distinct, due, failed);
    return clean;
  }

  private long number(String query) throws SQLException {
    try (Connection connection = shop.database().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getLong(1);
    }
  }

  private void print(String view) throws SQLException {
    try (Connection connection = shop.database().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select * from " + view)) {
      out.print(TextTable.of(result, SHOWN_ROWS));
    }
  }
}
