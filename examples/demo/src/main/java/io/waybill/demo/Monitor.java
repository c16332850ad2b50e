package io.waybill.demo;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** Looks at the database and at what the consumer recorded. Not thread-safe. */
final class Monitor implements AutoCloseable {
  private static final String COUNTS =
      """
      select
        (select count(*) from order_changes),
        (select count(*) from waybill_outbox),
        (select count(*) from waybill_row_state where state = 'DEAD'),
        (select count(*) from order_notes join waybill_outbox using (event_id)),
        (select count(distinct event_id)
         from waybill_audit join order_changes using (event_id)
         where done and verb in ('SKIP', 'BURY')),
        (select count(*) from waybill_row_state where state = 'PARKED')
          + (select count(*) from waybill_destination where paused)""";

  private static final String LANES =
      """
      select s.relay, count(l.lane)
      from waybill_session s left join waybill_lane l on l.fence = s.fence
      group by s.relay""";

  private final Connection connection;
  private final ReceivedTail received;

  Monitor(String url, ReceivedTail received) throws SQLException {
    this.connection = DriverManager.getConnection(url);
    this.received = received;
  }

  Progress look() throws SQLException, IOException {
    received.advance();
    try (Statement statement = connection.createStatement()) {
      Map<String, Integer> lanes = lanes(statement);
      try (ResultSet counts = statement.executeQuery(COUNTS)) {
        counts.next();
        long written = counts.getLong(1);
        long rows = counts.getLong(2);
        return new Progress(
            written,
            written - (rows - counts.getLong(4)),
            received.distinct(),
            counts.getLong(5),
            rows - counts.getLong(3),
            counts.getLong(6),
            lanes);
      }
    }
  }

  private static Map<String, Integer> lanes(Statement statement) throws SQLException {
    Map<String, Integer> lanes = new TreeMap<>();
    try (ResultSet rows = statement.executeQuery(LANES)) {
      while (rows.next()) {
        lanes.merge(relay(rows.getString(1)), rows.getInt(2), Integer::sum);
      }
    }
    return lanes;
  }

  /** A relay's session is named after the relay and the outbox. */
  private static String relay(String session) {
    return session.replace("-" + RelayProcess.OUTBOX, "");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
