package io.waybill.bench.counts;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Tables;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import io.waybill.proof.proxy.RoundTripCounter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an append adds to a business transaction: the same transactions with it and without it. */
record AppendCounts(CountedDatabase database, int transactions, int eventsEach) {
  private static final String WRITER = "counted_writer";
  // The driver describes and prepares statements in the first of them.
  private static final int WARM = 8;
  private static final List<byte[]> PAYLOADS = Payloads.templates();
  private static final String BUSINESS =
      """
      insert into orders (customer, amount) values (?, ?)
      """;

  /** What a transaction of a kind costs. */
  private record Cost(double statements, double roundTrips, double walBytes, double rowWrites) {}

  /** Per transaction; names are those of the report. */
  Map<String, Double> count() throws SQLException {
    new Tables(database.url()).createWaybill();
    database.run(
        "create table orders (id bigint generated always as identity primary key,"
            + " customer text not null, amount bigint not null)");
    Cost without = cost(0);
    Cost with = cost(eventsEach);
    Map<String, Double> figures = new TreeMap<>();
    figures.put("statements", with.statements - without.statements);
    figures.put("roundTrips", with.roundTrips - without.roundTrips);
    figures.put("walBytes", with.walBytes - without.walBytes);
    figures.put("rowWrites", with.rowWrites - without.rowWrites);
    return figures;
  }

  private Cost cost(int events) throws SQLException {
    double wal;
    double roundTrips;
    database.run("select pg_stat_reset()");
    try (Connection connection = database.connections(WRITER).open()) {
      connection.setAutoCommit(false);
      Outbox outbox = Outbox.of(PostgresAppend.ofDefaults());
      database.run("checkpoint");
      for (int i = 0; i < WARM; i++) {
        transaction(connection, outbox, events);
      }
      database.resetStatements();
      wal = database.walBytes();
      roundTrips = RoundTripCounter.roundTrips();
      for (int i = 0; i < transactions; i++) {
        transaction(connection, outbox, events);
      }
      roundTrips = RoundTripCounter.roundTrips() - roundTrips;
      wal = database.walBytes() - wal;
    }
    double statements = database.statements().getOrDefault(WRITER, 0.0);
    return new Cost(
        statements / transactions,
        roundTrips / transactions,
        wal / transactions,
        database.rowWrites() / (transactions + WARM));
  }

  private static void transaction(Connection connection, Outbox outbox, int events)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(BUSINESS)) {
      insert.setString(1, "customer");
      insert.setLong(2, 42);
      insert.executeUpdate();
    }
    if (events > 0) {
      List<Event> all = new ArrayList<>();
      for (int i = 0; i < events; i++) {
        all.add(
            Event.builder("order.placed", "order", Integer.toString(i))
                .payload(Payload.of(PAYLOADS.get(i), Payload.JSON))
                .build());
      }
      outbox.append(connection, all);
    }
    connection.commit();
  }
}
