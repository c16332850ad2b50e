package io.waybill.examples.quickstart;

import io.waybill.RunningInbox;
import io.waybill.Waybill;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.Schema;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/** Places an order, publishes its event, and ships the order in the service that receives it. */
public final class Quickstart {
  private Quickstart() {}

  /**
   * Runs once.
   *
   * @param arguments JDBC URL of a database on PostgreSQL, bootstrap servers of Kafka
   * @throws Exception if the database refuses
   */
  public static void main(String[] arguments) throws Exception {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(arguments[0]);
    KafkaBroker kafka = KafkaBroker.at(arguments[1]);
    createTables(database);
    CountDownLatch shipped = new CountDownLatch(1);
    try (Waybill orders =
            Waybill.relay("orders").outbox(database).broker(kafka).route("orders").start();
        RunningInbox shipping =
            Waybill.inbox("shipping")
                .database(database)
                .broker(kafka)
                .sources("orders")
                .handler(
                    "order.placed",
                    (event, connection) -> {
                      run(connection, "insert into shipment values ('42')");
                      shipped.countDown();
                    })
                .start()) {
      placeOrder(database, orders);
      shipped.await();
      System.out.println("shipped; problems: " + shipping.problem().orElse("none"));
    }
  }

  private static void createTables(PGSimpleDataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      InboxSchema.of(DatabaseKind.POSTGRESQL, "public", InboxTables.own()).apply(connection);
      run(connection, "create table if not exists customer_order (id text)");
      run(connection, "create table if not exists shipment (order_id text)");
    }
  }

  private static void placeOrder(PGSimpleDataSource database, Waybill orders) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      run(connection, "insert into customer_order values ('42')");
      orders
          .outbox()
          .append(
              connection, Event.builder("order.placed", "order", "42").json("{\"id\":42}").build());
      connection.commit();
      orders.outbox().committed();
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
