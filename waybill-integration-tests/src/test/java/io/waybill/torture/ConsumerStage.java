package io.waybill.torture;

import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.message.Transport;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Servers, tables, topics and letters of a run with consumers. */
final class ConsumerStage implements AutoCloseable {
  private final Pair pair;
  private final TortureDatabase database;
  private final String secret;
  private final TortureBroker broker;
  private final Feed feed;
  private final Network network;

  /** Starts servers. */
  ConsumerStage(Pair pair, String password) throws SQLException {
    this.pair = pair;
    CompletableFuture<TortureBroker> starting =
        CompletableFuture.supplyAsync(() -> TortureBroker.launch(pair, password));
    this.database = new TortureDatabase(pair.database());
    this.broker = starting.join();
    try (Connection connection = database.connect()) {
      String schema = database.isPostgres() ? connection.getSchema() : TortureDatabase.NAME;
      int unused = InboxSchema.of(pair.database(), schema, InboxTables.own()).apply(connection);
    }
    database.execute(
        """
        create table effect (place %s primary key, event_id varchar(64) not null,
          version integer not null)"""
            .formatted(database.isPostgres() ? "bigserial" : "bigint auto_increment"));
    this.secret = database.createUser(password);
    this.feed = broker.feed();
    this.network = new Network(database.protocol(), database.server().port(), broker);
  }

  /** Those of {@link TortureConsumer}, but for the version. */
  List<String> arguments(int consumer) {
    Transport transport = pair.kafka() ? Transport.KAFKA : Transport.RABBITMQ;
    return List.of(
        pair.database().name(),
        database.url(network.databasePort(consumer)),
        transport.name(),
        "127.0.0.1:" + network.brokerPort(consumer),
        String.join(",", feed.sources()));
  }

  /** Password of the consumers. */
  String secret() {
    return secret;
  }

  /** Ids of the effects in their order. */
  List<String> applied() throws SQLException {
    return database.texts("select event_id from effect order by place");
  }

  List<String> letters() {
    return feed.letters().copies().stream().map(copy -> copy.eventId()).toList();
  }

  long deferred() throws SQLException {
    return database.number("select count(*) from waybill_inbox_deferred");
  }

  long unacknowledged() {
    return feed.unacknowledged(Set.copyOf(feed.sources()));
  }

  TortureDatabase database() {
    return database;
  }

  TortureBroker broker() {
    return broker;
  }

  Feed feed() {
    return feed;
  }

  Network network() {
    return network;
  }

  @Override
  public void close() {
    feed.close();
    network.close();
    broker.close();
    database.close();
  }
}
