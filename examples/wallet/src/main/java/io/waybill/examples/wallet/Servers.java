package io.waybill.examples.wallet;

import io.waybill.database.DatabaseKind;
import io.waybill.examples.wallet.WalletEvent.FundsAddedEvent;
import io.waybill.examples.wallet.WalletEvent.FundsTransferredEvent;
import io.waybill.examples.wallet.WalletEvent.FundsWithdrawnEvent;
import io.waybill.examples.wallet.WalletEvent.WalletCreatedEvent;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A database and a broker of the example's own, from their Maven packages. */
final class Servers implements AutoCloseable {
  /** Where the wallet's events go. */
  static final List<String> TOPICS =
      Stream.of(
              WalletCreatedEvent.class,
              FundsAddedEvent.class,
              FundsWithdrawnEvent.class,
              FundsTransferredEvent.class,
              FeeChangedEvent.class)
          .map(type -> OutboxService.destination(type.getSimpleName()))
          .toList();

  private static final int PARTITIONS = 4;
  private static final String NAME = "wallet";

  private final Runnable stopDatabase;
  private final WalletDatabase database;
  private final KafkaServer kafka;

  private Servers(Runnable stopDatabase, WalletDatabase database, KafkaServer kafka) {
    this.stopDatabase = stopDatabase;
    this.database = database;
    this.kafka = kafka;
  }

  /** Starts both, with tables and topics. */
  static Servers launch(DatabaseKind kind) throws SQLException {
    KafkaServer kafka = KafkaServer.launch();
    Stream.concat(TOPICS.stream(), Stream.of(WalletRelay.DEAD_LETTERS))
        .forEach(topic -> kafka.createTopic(topic, PARTITIONS, Map.of()));
    Servers servers = kind == DatabaseKind.POSTGRESQL ? postgres(kafka) : mariaDb(kafka);
    servers.database.createTables();
    return servers;
  }

  private static Servers postgres(KafkaServer kafka) {
    PostgresServer server = PostgresServer.launch();
    server.createDatabase(NAME);
    return new Servers(
        server::close, new WalletDatabase(server.dataSource(NAME), DatabaseKind.POSTGRESQL), kafka);
  }

  private static Servers mariaDb(KafkaServer kafka) {
    MariaDbServer server = MariaDbServer.launch();
    server.createDatabase(NAME);
    return new Servers(
        server::close, new WalletDatabase(server.dataSource(NAME), DatabaseKind.MARIADB), kafka);
  }

  WalletDatabase database() {
    return database;
  }

  String bootstrap() {
    return kafka.bootstrapServers();
  }

  @Override
  public void close() {
    stopDatabase.run();
    kafka.close();
  }
}
