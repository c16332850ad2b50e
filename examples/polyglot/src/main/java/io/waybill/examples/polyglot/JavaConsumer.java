package io.waybill.examples.polyglot;

import io.waybill.broker.BrokerClient;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.examples.polyshop.OrderServer;
import io.waybill.handler.Registration;
import io.waybill.handler.TypedHandler;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.jdbc.TableSchema;
import io.waybill.kafka.KafkaPublisher;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriber;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.message.Transport;
import io.waybill.opentelemetry.WaybillTracing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * A service in Java that consumes placed orders.
 *
 * @param name of the service: consumer and group
 * @param tables of its business
 * @param processed its table of processed events
 * @param handler what it does with an order
 */
record JavaConsumer(
    String name, String tables, InboxTables processed, TypedHandler<PlacedOrder> handler) {

  /** Name of its database. */
  String database() {
    return name.replace("-service", "");
  }

  /** Creates the tables: its own, and those of the inbox. */
  void createTables(DataSource database) throws SQLException {
    InboxSchema schema = InboxSchema.of(DatabaseKind.POSTGRESQL, "public", processed);
    try (Connection connection = database.getConnection()) {
      TableSchema.run(connection, tables);
      if (!processed.equals(InboxTables.own())) {
        TableSchema.run(connection, schema.printDocumented());
      }
      schema.apply(connection);
    }
  }

  /** Starts consuming. */
  Inbox start(DataSource database, String bootstrap, WaybillTracing tracing) {
    InboxOptions options = InboxOptions.ofDefaults().tables(processed).applicationName(name);
    return Inbox.builder()
        .name(name)
        .store(
            JdbcInboxStore.of(
                ConnectionFactory.of(database), DatabaseKind.POSTGRESQL, name, options))
        .subscriber(
            new KafkaSubscriber(
                KafkaSubscriberConfig.builder(bootstrap, name, List.of(OrderServer.ORDER_PLACED))
                    .build()))
        .deadLetters(
            new KafkaPublisher(KafkaPublisherConfig.builder(bootstrap).build()), Transport.KAFKA)
        .interceptor(tracing.interceptor(BrokerClient.of(Transport.KAFKA)))
        .handler(OrderServer.ORDER_PLACED, Registration.ANY_VERSION, PlacedOrder::read, handler)
        .start();
  }
}
