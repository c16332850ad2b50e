package io.waybill.examples.wallet;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Empty tables before each test. */
@Tag("server")
abstract class WalletTables {
  final OutboxRepository repository = new OutboxRepository();
  final OutboxService outbox = new OutboxService(repository);

  /** A database with the tables. */
  abstract WalletDatabase database();

  @BeforeEach
  void empty() throws SQLException {
    execute("delete from outbox");
    execute("delete from wallets");
    execute("delete from operations");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database().source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  List<OutboxEvent> unsent() throws SQLException {
    return database().transaction(repository::findBySentFalse);
  }
}
