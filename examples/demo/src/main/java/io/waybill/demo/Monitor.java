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
        (select count(*) from waybill_outbox)""";

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
      long written;
      long published;
      try (ResultSet counts = statement.executeQuery(COUNTS)) {
        counts.next();
        written = counts.getLong(1);
        published = written - counts.getLong(2);
      }
      return new Progress(written, published, received.distinct(), lanes(statement));
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
