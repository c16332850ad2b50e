package io.waybill.bench.child;

import io.waybill.bench.load.AdoptedTable;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.MySqlAppend;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/** Writes a steady load into Waybill's outbox, an adopted table or the plain loop's. */
final class Writer {
  private static final String PLAIN =
      """
      insert into plain_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      values (uuidv7()::text, 'order.placed', 'order', ?, ?)
      """;

  private static final String PLAIN_MARIADB =
      """
      insert into plain_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
      values (uuid(), 'order.placed', 'order', ?, ?)
      """;

  private final Settings settings;
  private final Outbox outbox;
  private final SteadyLoad load;

  Writer(Settings settings, Outbox outbox) {
    this.settings = settings;
    this.outbox = outbox;
    this.load = new SteadyLoad(settings);
  }

  static Outbox outbox(String url) {
    return Outbox.of(Sql.isMariaDb(url) ? MySqlAppend.ofDefaults() : PostgresAppend.ofDefaults());
  }

  /** Writes everything, or until it is stopped, and the file of stamps. */
  void run(BooleanSupplier stopped) throws Exception {
    load.run(this::open, stopped);
  }

  /** Events that are committed. */
  long count() {
    return load.count();
  }

  private SteadyLoad.Append open() throws SQLException {
    Connection connection = Sql.open(settings.text("database"));
    connection.setAutoCommit(false);
    if (settings.has("layout")) {
      String one = AdoptedTable.of(settings.text("layout")).insertOne();
      return new Adopted(connection, connection.prepareStatement(one));
    }
    if (!settings.has("plain")) {
      return new Own(connection, outbox, Sick.of(settings));
    }
    String insert = Sql.isMariaDb(settings.text("database")) ? PLAIN_MARIADB : PLAIN;
    return new Plain(connection, connection.prepareStatement(insert));
  }

  private record Plain(Connection connection, PreparedStatement insert)
      implements SteadyLoad.Append {
    @Override
    public void append(String key, byte[] body) throws SQLException {
      insert.setString(1, key);
      insert.setBytes(2, body);
      insert.executeUpdate();
      connection.commit();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private record Adopted(Connection connection, PreparedStatement insert)
      implements SteadyLoad.Append {
    @Override
    public void append(String key, byte[] body) throws SQLException {
      insert.setLong(1, Ref.find(body));
      insert.setLong(2, Long.parseLong(key));
      insert.setString(3, new String(body, StandardCharsets.US_ASCII));
      insert.executeUpdate();
      connection.commit();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private record Own(Connection connection, Outbox outbox, Sick sick) implements SteadyLoad.Append {
    @Override
    public void append(String key, byte[] body) throws SQLException {
      outbox.append(connection, event(key, body, sick));
      connection.commit();
    }

    @Override
    public void committed() {
      outbox.committed();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static Event event(String key, byte[] body, Sick sick) {
    return Event.builder(sick.type(body, "order.placed"), "order", key)
        .payload(Payload.of(sick.payload(body), Payload.JSON))
        .build();
  }
}
