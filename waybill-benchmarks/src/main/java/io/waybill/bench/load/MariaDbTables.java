package io.waybill.bench.load;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.outbox.MySqlAppend;
import io.waybill.outbox.Outbox;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Waybill's own table on MariaDB or MySQL, filled through the write API, and the plain loop's.
 *
 * @param url JDBC URL of the database, whose name is also the schema's
 */
public record MariaDbTables(String url) {
  private static final int EVENTS_PER_TRANSACTION = 5_000;
  private static final int ROWS_PER_STATEMENT = 1_000;
  private static final String PLAIN =
      """
      create table plain_outbox (
        id bigint not null auto_increment primary key,
        event_id varchar(36) character set ascii collate ascii_bin not null unique,
        event_type varchar(255) not null,
        aggregate_type varchar(255) not null,
        aggregate_id varchar(255) not null,
        payload longblob not null,
        status tinyint not null default 0,
        created_at datetime(6) not null default current_timestamp(6),
        published_at datetime(6),
        key plain_outbox_pending (status, id)
      ) engine = InnoDB default charset = utf8mb4
      """;
  private static final String INSERT =
      """
      insert into plain_outbox (event_id, event_type, aggregate_type, aggregate_id, payload) values
      """;
  private static final String ROW = "(uuid(), 'order.placed', 'order', ?, ?)";

  /**
   * Creates the tables and writes a backlog.
   *
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void fill(long events, int keys) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      SchemaOptions options = SchemaOptions.ofDefaults().schema(connection.getCatalog());
      Schema.of(DatabaseKind.of(connection), options).apply(connection);
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

  /**
   * Creates the plain loop's table and writes a backlog.
   *
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void fillPlain(long events, int keys) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(PLAIN);
      connection.setAutoCommit(false);
      List<byte[]> templates = Payloads.templates();
      for (long first = 0; first < events; first += ROWS_PER_STATEMENT) {
        int rows = (int) Math.min(ROWS_PER_STATEMENT, events - first);
        try (PreparedStatement insert =
            connection.prepareStatement(
                INSERT + String.join(", ", Collections.nCopies(rows, ROW)))) {
          int parameter = 0;
          for (long i = first; i < first + rows; i++) {
            byte[] body = templates.get((int) (i % templates.size())).clone();
            int key = (int) (i % keys);
            Ref.put(body, Ref.of(key, i / keys));
            insert.setString(++parameter, Integer.toString(key));
            insert.setBytes(++parameter, body);
          }
          insert.executeUpdate();
        }
        connection.commit();
      }
      connection.setAutoCommit(true);
      statement.execute("analyze table plain_outbox");
    }
  }

  private static Event event(int key, byte[] body) {
    return Event.builder("order.placed", "order", Integer.toString(key))
        .payload(Payload.of(body, Payload.JSON))
        .build();
  }
}
