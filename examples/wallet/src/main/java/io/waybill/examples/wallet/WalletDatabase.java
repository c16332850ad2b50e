package io.waybill.examples.wallet;

import io.waybill.database.DatabaseKind;
import io.waybill.database.OutboxTables;
import io.waybill.database.SideNames;
import io.waybill.jdbc.OutboxDefinition;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The wallet's database and transactions on it. Thread-safe.
 *
 * @param source opens connections
 * @param kind its product
 */
record WalletDatabase(DataSource source, DatabaseKind kind) {
  private static final Layout LAYOUT = Layouts.WALLET;

  /** What happens in a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs work in a transaction: committed if it returns, rolled back whatever it throws. */
  <T> T transaction(Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      T result;
      try {
        result = work.run(connection);
      } catch (SQLException | RuntimeException | Error e) {
        connection.rollback();
        throw e;
      }
      connection.commit();
      return result;
    }
  }

  /** Creates the documented outbox, what a relay needs beside it, and the wallets. */
  void createTables() throws SQLException {
    try (Connection connection = source.getConnection()) {
      TableSchema.run(connection, TableSchema.documentedTable(LAYOUT.name(), kind));
      TableSchema.of(LAYOUT, kind, SideNames.of(LAYOUT), 1).apply(connection);
      TableSchema.run(connection, WalletService.TABLES);
    }
  }

  /** The outbox as a relay sees it. */
  OutboxTables outbox() {
    return OutboxDefinition.of(LAYOUT).open(source::getConnection, kind);
  }
}
