package io.waybill.examples.wallet;

import io.waybill.examples.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.wallet.WalletEvent.WalletCreatedEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The use cases. Each changes wallets, records the operation and produces its event in one
 * transaction. Thread-safe.
 */
final class WalletService {
  static final String TABLES =
      """
      create table wallets (
        id varchar(36) primary key,
        owner varchar(100) not null,
        cents bigint not null check (cents >= 0),
        revision bigint not null
      );
      create table operations (
        id varchar(36) primary key,
        wallet_id varchar(36),
        revision bigint not null
      );
      """;

  private static final String CREATE =
      "insert into wallets (id, owner, cents, revision) values (?, ?, 0, 1)";
  private static final String BOOK =
      "update wallets set cents = cents + ?, revision = revision + 1 where id = ? and cents >= ?";
  private static final String RECEIVE = "update wallets set cents = cents + ? where id = ?";
  private static final String REVISION = "select revision from wallets where id = ?";
  private static final String RECORD =
      "insert into operations (id, wallet_id, revision) values (?, ?, ?)";

  private final WalletDatabase database;
  private final EventProducer producer;
  private final DomainEventPublisher publisher;

  WalletService(WalletDatabase database, EventProducer producer, DomainEventPublisher publisher) {
    this.database = database;
    this.producer = producer;
    this.publisher = publisher;
  }

  /** Opens a wallet; returns its id. */
  String create(String owner) throws SQLException {
    String wallet = UUID.randomUUID().toString();
    return database.transaction(
        connection -> {
          update(connection, CREATE, wallet, owner);
          String operation = record(connection, wallet, 1);
          producer.produceWalletCreatedEvent(
              connection, new WalletCreatedEvent(operation, wallet, 1, owner));
          return wallet;
        });
  }

  /** Adds money. */
  void addFunds(String wallet, long cents) throws SQLException {
    database.transaction(
        connection -> {
          long revision = book(connection, wallet, cents);
          String operation = record(connection, wallet, revision);
          producer.produceFundsAddedEvent(
              connection, new FundsAddedEvent(operation, wallet, revision, cents));
          return operation;
        });
  }

  /** Takes money out. */
  void withdraw(String wallet, long cents) throws SQLException {
    database.transaction(
        connection -> {
          long revision = book(connection, wallet, -cents);
          String operation = record(connection, wallet, revision);
          producer.produceFundsWithdrawnEvent(
              connection, new FundsWithdrawnEvent(operation, wallet, revision, cents));
          return operation;
        });
  }

  /** Moves money. A recipient that is not there is noticed after the event was written. */
  void transfer(String from, String to, long cents) throws SQLException {
    database.transaction(
        connection -> {
          long revision = book(connection, from, -cents);
          String operation = record(connection, from, revision);
          producer.produceFundsTransferredEvent(
              connection, new FundsTransferredEvent(operation, from, revision, to, cents));
          if (update(connection, RECEIVE, cents, to) != 1) {
            throw new RefusedException("There is no wallet " + to);
          }
          return operation;
        });
  }

  /** Changes the fee: an event without a key. */
  void changeFee(long cents) throws SQLException {
    database.transaction(
        connection -> {
          String operation = record(connection, null, 1);
          publisher.publish(connection, new FeeChangedEvent(operation, cents));
          return operation;
        });
  }

  /** Ids of all committed operations, the business's own record. */
  Set<String> operations() throws SQLException {
    try (Connection connection = database.source().getConnection();
        PreparedStatement statement = connection.prepareStatement("select id from operations");
        ResultSet rows = statement.executeQuery()) {
      Set<String> ids = new HashSet<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    }
  }

  /** Returns the wallet's new revision; its row is locked until the end of the transaction. */
  private static long book(Connection connection, String wallet, long cents) throws SQLException {
    if (update(connection, BOOK, cents, wallet, -cents) != 1) {
      throw new RefusedException("There is no wallet " + wallet + " with " + -cents + " cents");
    }
    try (PreparedStatement statement = connection.prepareStatement(REVISION)) {
      statement.setString(1, wallet);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static String record(Connection connection, @Nullable String wallet, long revision)
      throws SQLException {
    String operation = UUID.randomUUID().toString();
    update(connection, RECORD, operation, wallet, revision);
    return operation;
  }

  private static int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  /** The business says no. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }
}
