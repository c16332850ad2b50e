package io.waybill.examples.wallet;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.MySqlDatabases;
import io.waybill.proof.server.PostgresServer;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/** A database of each product, with the tables, started when it is first asked for. */
final class TestDatabases {
  static final Supplier<WalletDatabase> POSTGRES = once(TestDatabases::postgres);
  static final Supplier<WalletDatabase> MARIADB = once(TestDatabases::mariaDb);

  private TestDatabases() {}

  private interface Start {
    WalletDatabase run() throws SQLException;
  }

  private static WalletDatabase postgres() {
    return new WalletDatabase(PostgresServer.launch().dataSource(), DatabaseKind.POSTGRESQL);
  }

  private static WalletDatabase mariaDb() throws SQLException {
    return new WalletDatabase(new MariaDbDataSource(MySqlDatabases.create()), DatabaseKind.MARIADB);
  }

  /** The servers end with the JVM. */
  private static Supplier<WalletDatabase> once(Start start) {
    return new Supplier<>() {
      private @Nullable WalletDatabase database;

      @Override
      public synchronized WalletDatabase get() {
        WalletDatabase running = database;
        if (running == null) {
          try {
            running = start.run();
            running.createTables();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
          database = running;
        }
        return running;
      }
    };
  }
}
