package io.waybill.bench.load;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.jdbc.dialect.MySqlAppend;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Waybill's own table on MariaDB, filled through the write API.
 *
 * @param url JDBC URL of the database, whose name is also the schema's
 */
public record MariaDbTables(String url) {
  private static final int EVENTS_PER_TRANSACTION = 5_000;

  /**
   * Creates the tables and writes a backlog.
   *
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void fill(long events, int keys) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      SchemaOptions options = SchemaOptions.defaults().schema(connection.getCatalog());
      Schema.of(DatabaseKind.MARIADB, options).apply(connection);
      connection.setAutoCommit(false);
      Outbox outbox = Outbox.of(MySqlAppend.ofDefaults());
      List<byte[]> templates = Payloads.templates();
      for (long first = 0; first < events; first += EVENTS_PER_TRANSACTION) {
        List<Event> batch = new ArrayList<>();
        for (long i = first; i < Math.min(events, first + EVENTS_PER_TRANSACTION); i++) {
          byte[] body = templates.get((int) (i % templates.size())).clone();
          int key = (int) (i % keys);
          Ref.put(body, Ref.of(key, i / keys));
          batch.add(event(key, body));
        }
        outbox.append(connection, batch);
        connection.commit();
      }
      connection.setAutoCommit(true);
      try (Statement statement = connection.createStatement()) {
        statement.execute("analyze table waybill_outbox");
      }
    }
  }

  private static Event event(int key, byte[] body) {
    return Event.builder("order.placed", "order", Integer.toString(key))
        .payload(Payload.of(body, Payload.JSON))
        .build();
  }
}
