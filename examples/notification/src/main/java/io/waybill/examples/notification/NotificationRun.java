package io.waybill.examples.notification;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.Waybill;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.examples.notification.Reservations.Reservation;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layouts;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import java.io.PrintStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** One run: tables and queues, two producers, reservations, and what became of their events. */
final class NotificationRun {
  private static final int ROLLED_BACK_EVERY = 7;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_MILLIS = 100;
  private static final long CALM_MILLIS = 500;

  private final Servers servers;
  private final PrintStream out;
  private final Reservations reservations;

  NotificationRun(Servers servers, PrintStream out) {
    this.servers = servers;
    this.out = out;
    this.reservations = new Reservations(servers.database(), servers.kind());
  }

  Result run(int count) throws Exception {
    createTables();
    createQueues();
    try (RabbitTail consumer =
            new RabbitTail(servers.brokerUri(), Recipients.queues(), this::show);
        Waybill first = ProducerRelay.start("producer-1", servers);
        Waybill second = ProducerRelay.start("producer-2", servers)) {
      int rolledBack = reserve(count);
      awaitArrival(consumer);
      for (Waybill producer : List.of(first, second)) {
        if (!producer.stop(PATIENCE)) {
          out.println("a producer did not stop in time");
        }
      }
      Thread.sleep(CALM_MILLIS); // Copies that are on their way would be duplicates.
      return Result.of(
          reservations.committed(), consumer.messages(), rolledBack, number(UNFINISHED));
    }
  }

  /** What is not as documented for a published event. */
  private static final String UNFINISHED =
      """
      select count(*) from event_outbox o
      left join processed_event p on p.event_id = o.event_id and p.status = 'SUCCESS'
      where o.status <> 'PROCESSED' or o.published_at is null or p.event_id is null""";

  private static final String WAITING =
      "select count(*) from event_outbox where status = 'PENDING'";

  private void createTables() throws SQLException {
    DatabaseKind kind = servers.kind();
    try (java.sql.Connection connection = servers.database().getConnection()) {
      TableSchema.run(connection, TableSchema.documentedTable("notification", kind));
      TableSchema.of(Layouts.NOTIFICATION, kind, SideNames.of(Layouts.NOTIFICATION), 1)
          .apply(connection);
      TableSchema.run(connection, Reservations.TABLE);
    }
  }

  private void createQueues() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(servers.brokerUri());
    try (Connection connection = factory.newConnection("setup");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(Recipients.EXCHANGE, BuiltinExchangeType.TOPIC, true);
      for (String queue : Recipients.queues()) {
        channel.queueDeclare(queue, true, false, false, null);
        channel.queueBind(queue, Recipients.EXCHANGE, queue);
      }
    }
  }

  private int reserve(int count) throws SQLException {
    int rolledBack = 0;
    for (int i = 1; i <= count; i++) {
      boolean accepted = i % ROLLED_BACK_EVERY != 0;
      reservations.reserve(
          new Reservation(i, 1 + i % 3, 100 + i % 5, i % 4 == 0 ? 7 : 0, 1 + i % 12), accepted);
      rolledBack += accepted ? 0 : 1;
    }
    out.printf("%,d reservations committed, %,d rolled back%n", count - rolledBack, rolledBack);
    return rolledBack;
  }

  private synchronized void show(RabbitMessage message) {
    out.printf("%-24s %s%n", message.queue(), message.body());
  }

  private void awaitArrival(RabbitTail consumer) throws SQLException, InterruptedException {
    long expected = reservations.committed().stream().mapToInt(one -> one.notified().size()).sum();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while ((number(WAITING) > 0 || consumer.count() < expected) && System.nanoTime() < end) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private long number(String query) throws SQLException {
    try (java.sql.Connection connection = servers.database().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getLong(1);
    }
  }
}
