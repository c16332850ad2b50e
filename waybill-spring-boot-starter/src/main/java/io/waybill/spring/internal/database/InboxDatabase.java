package io.waybill.spring.internal.database;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.spring.SpringTransactions;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.store.InboxStore;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The database side of the inbox: its tables are there once this is made.
 *
 * @param source data source of the handlers' transactions
 * @param transactions the transactions
 * @param connections for what needs no handler, beside the pool where the pool says how
 * @param kind database product
 * @param tables which tables
 * @param consumer who consumes
 */
public record InboxDatabase(
    DataSource source,
    SpringTransactions transactions,
    ConnectionFactory connections,
    DatabaseKind kind,
    InboxTables tables,
    String consumer) {
  // Looking for deferred events and cleaning up.
  private static final int OWN_CONNECTIONS = 2;

  /** Makes or compares the tables, and begins a transaction to see whether that can be done. */
  public static InboxDatabase open(
      WaybillProperties properties, DataSource source, ListableBeanFactory beans, String consumer) {
    ConnectionFactory connections =
        RelayConnections.of(source, List.of()).behind(properties.relay().pooler());
    String schema = properties.schema().name();
    InboxTables tables = tables(schema, properties.inbox().table());
    DatabaseKind kind =
        new SchemaStep(connections, properties.schema(), "waybill."::concat).inbox(tables);
    SameTable.require(source, connections, tables.table());
    String manager = properties.inbox().transactionManager();
    SpringTransactions transactions = new SpringTransactions(manager(beans, manager), source);
    probe(transactions);
    InboxDatabase database =
        new InboxDatabase(source, transactions, connections, kind, tables, consumer);
    database.checkConsumer();
    return database;
  }

  private static InboxTables tables(@Nullable String schema, @Nullable String table) {
    try {
      return new InboxTables(schema, table);
    } catch (IllegalArgumentException e) {
      throw Problems.failure(
          List.of(e.getMessage() + " (from waybill.inbox.table or waybill.schema.name)"), e);
    }
  }

  private void checkConsumer() {
    try {
      InboxStore unused = store();
    } catch (IllegalArgumentException e) {
      throw Problems.failure(
          List.of(e.getMessage() + " (from waybill.inbox.consumer, else spring.application.name)"),
          e);
    }
  }

  /** A new store, which its inbox opens and closes. */
  public InboxStore store() {
    InboxOptions options =
        InboxOptions.ofDefaults()
            .tables(tables)
            .applicationName("waybill " + consumer)
            .idleConnections(OWN_CONNECTIONS);
    return JdbcInboxStore.of(connections, kind, consumer, options).joining(transactions);
  }

  private static PlatformTransactionManager manager(
      ListableBeanFactory beans, @Nullable String name) {
    String known = Arrays.toString(beans.getBeanNamesForType(PlatformTransactionManager.class));
    if (name != null && !beans.containsBean(name)) {
      throw Problems.failure(
          List.of(
              "waybill.inbox.transaction-manager names no transaction manager, is "
                  + name
                  + "; there are "
                  + known),
          null);
    }
    PlatformTransactionManager manager =
        name == null
            ? beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique()
            : beans.getBean(name, PlatformTransactionManager.class);
    if (manager == null) {
      throw Problems.failure(
          List.of(
              "waybill.inbox.transaction-manager must name the one of the outbox's data source;"
                  + " there are "
                  + known),
          null);
    }
    return manager;
  }

  private static void probe(SpringTransactions transactions) {
    try {
      transactions.begin().rollback();
    } catch (SQLException e) {
      throw new WaybillStartException(
          "The inbox cannot begin a transaction: " + e.getMessage(),
          "Start the database, or correct the data source's URL, user, password and privileges.",
          e);
    } catch (IllegalStateException e) {
      throw new WaybillStartException(
          String.valueOf(e.getMessage()),
          "Set waybill.inbox.transaction-manager to the manager of the outbox's data source, or"
              + " waybill.outbox.data-source to the manager's data source.",
          e);
    }
  }
}
