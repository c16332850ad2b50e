package io.waybill.examples.polyglot;

import io.waybill.examples.polyshop.OrderServer;
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
final class FlowRun {
  private static final String ORDERS = "orders";
  private static final String ORDER_PLACED = OrderServer.ORDER_PLACED;
  private static final String PAID = Service.PAYMENT.topic();
  private static final List<String> LETTERS = List.of(ORDER_PLACED + ".dlt", PAID + ".dlt");
  private static final List<JavaConsumer> JAVA =
      List.of(Inventory.consumer(), Analytics.consumer());
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PARTITIONS = 4;
  private static final int CONSUMERS = 4;

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final String otlp;
  private final PrintStream out;
  private final Rows rows;

  /** Spans go to the receiver at the given URL. */
  FlowRun(PostgresServer postgres, KafkaServer kafka, String otlp, PrintStream out) {
    this.postgres = postgres;
    this.kafka = kafka;
    this.otlp = otlp;
    this.out = out;
    this.rows = new Rows(postgres);
  }

  /** Runs to the comparison. All spans are exported by then. */
  FlowResult run(int orders) throws Exception {
    prepare();
    KafkaMessage poison = Copies.poison(ORDER_PLACED, UUID.randomUUID().toString());
    try (KafkaTail letters = new KafkaTail(kafka.bootstrapServers(), LETTERS)) {
      List<String> traceIds = flow(orders, poison);
      Awaitility.await("dead letters").atMost(PATIENCE).until(() -> letters.count() >= CONSUMERS);
      return new FlowResult(
          new FlowAudit(rows).checks(ORDERS, poison, letters.messages()), traceIds);
    }
  }

  private List<String> flow(int orders, KafkaMessage poison) throws Exception {
    try (Telemetry telemetry = new Telemetry(otlp);
        OrderServer server =
            OrderServer.start(
                postgres.dataSource(ORDERS),
                kafka.bootstrapServers(),
                telemetry.of(OrderServer.NAME));
        JavaConsumers java = new JavaConsumers(JAVA, postgres, kafka, telemetry);
        Programs programs = new Programs(postgres)) {
      out.println("starting the relay and the consumers in Java, Node.js and Python");
      java.start();
      List<Process> started = start(programs);
      Buyers buyers = new Buyers(server.port(), telemetry.of(Buyers.NAME));
      List<String> traceIds = new ArrayList<>();
      for (int number = 0; number < orders; number++) {
        traceIds.add(buyers.order(number));
      }
      out.println(orders + " orders placed; a copy of every event follows, and poison");
      copy(orders, poison, programs);
      try (Backlog backlog = new Backlog(kafka.admin(), PARTITIONS)) {
        awaitUntil("consumers", programs, () -> consumed(backlog) && published());
      }
      for (Process process : started) {
        Programs.stop(process);
      }
      return traceIds;
    }
  }

  private void copy(int orders, KafkaMessage poison, Programs programs) throws Exception {
    try (KafkaTail events = new KafkaTail(kafka.bootstrapServers(), List.of(ORDER_PLACED, PAID))) {
      awaitUntil("events", programs, () -> events.count() >= 2 * orders);
      List<KafkaMessage> copies = new ArrayList<>(events.messages());
      copies.add(poison);
      new Copies(kafka.bootstrapServers()).send(copies);
    }
  }

  private void prepare() throws SQLException, IOException {
    postgres.createDatabase(ORDERS);
    for (Service service : Service.values()) {
      service.createDatabase(postgres);
    }
    for (JavaConsumer consumer : JAVA) {
      postgres.createDatabase(consumer.database());
      consumer.createTables(postgres.dataSource(consumer.database()));
    }
    for (String topic : List.of(ORDER_PLACED, PAID, Service.NOTIFICATION.topic())) {
      kafka.createTopic(topic, PARTITIONS, Map.of());
    }
    for (String topic : LETTERS) {
      kafka.createTopic(topic, PARTITIONS, Map.of());
    }
  }

  /** In the order in which they are stopped: what the relay publishes comes from the others. */
  private List<Process> start(Programs programs) {
    return List.of(
        programs.startConsumer(Service.PAYMENT, kafka, otlp),
        programs.startConsumer(Service.NOTIFICATION, kafka, otlp),
        programs.startRelay(kafka, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", otlp)));
  }

  private static boolean consumed(Backlog backlog) throws InterruptedException {
    for (JavaConsumer consumer : JAVA) {
      if (backlog.of(consumer.name(), ORDER_PLACED) > 0) {
        return false;
      }
    }
    return backlog.of(Service.PAYMENT.source(), ORDER_PLACED) == 0
        && backlog.of(Service.NOTIFICATION.source(), ORDER_PLACED) == 0
        && backlog.of(Service.NOTIFICATION.source(), PAID) == 0;
  }

  /** Whether the relay has marked all that the services have written. */
  private boolean published() throws SQLException {
    for (Service service : Service.values()) {
      if (!rows.of(service.database(), "select id::text, 1 from outbox_events where not processed")
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Waits; what the programs printed is in the failure. */
  private static void awaitUntil(String what, Programs programs, Callable<Boolean> done)
      throws IOException {
    try {
      Awaitility.await(what).atMost(PATIENCE).until(done);
    } catch (ConditionTimeoutException e) {
      StringBuilder printed = new StringBuilder();
      for (String name : List.of("relay", "payment-service", "notification-service")) {
        printed.append('\n').append(name).append(": ").append(programs.output(name));
      }
      throw new IllegalStateException(e.getMessage() + printed, e);
    }
  }
}
