package io.waybill.bench.run;

import io.waybill.bench.load.Payloads;
import io.waybill.bench.load.Ref;
import io.waybill.bench.stage.Candidate;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A transaction that has written one event and stays open. */
final class HeldEvent implements AutoCloseable {
  private static final String PLAIN =
      """
      insert into plain_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      values ('held', 'order.placed', 'order', ?, ?)
      """;

  private final Connection connection;
  private final long ref;

  /**
   * Writes the event.
   *
   * @param url the database
   * @param table Waybill's or the plain loop's
   * @param key number of the event's key, which has no other
   */
  HeldEvent(String url, Candidate.Table table, int key) {
    this.ref = Ref.of(key, 0);
    byte[] body = Payloads.templates().get(0);
    Ref.put(body, ref);
    try {
      connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      if (table == Candidate.Table.PLAIN) {
        insertPlain(key, body);
      } else {
        Outbox.of(PostgresAppend.ofDefaults()).append(connection, event(key, body));
      }
    } catch (SQLException e) {
      throw new IllegalStateException("No event could be held", e);
    }
  }

  private void insertPlain(int key, byte[] body) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(PLAIN)) {
      insert.setString(1, Integer.toString(key));
      insert.setBytes(2, body);
      insert.executeUpdate();
    }
  }

  private static Event event(int key, byte[] body) {
    return Event.builder("order.placed", "order", Integer.toString(key))
        .payload(Payload.of(body, Payload.JSON))
        .build();
  }

  long ref() {
    return ref;
  }

  /** Returns the monotonic time at which the commit began. */
  long commit() {
    try {
      long now = System.nanoTime();
      connection.commit();
      return now;
    } catch (SQLException e) {
      throw new IllegalStateException("The held event was not committed", e);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
