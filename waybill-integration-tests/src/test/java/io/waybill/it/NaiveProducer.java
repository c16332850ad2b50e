package io.waybill.it;

import com.rabbitmq.client.Channel;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The producer as the document describes it: it inserts a claim, publishes, and skips an event
 * whose claim is there already.
 */
final class NaiveProducer {
  private static final int BATCH = 100;

  private final DataSource database;
  private final Channel channel;
  private final Fault fault;

  /** What goes wrong once, at the first claim. */
  enum Fault {
    NONE,
    /** The process dies when the claim is committed and nothing is published. */
    DIES_AFTER_THE_CLAIM,
    /** The claim is committed, and its reply gets lost. */
    LOSES_THE_REPLY
  }

  /** The process is gone. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  NaiveProducer(DataSource database, Channel channel, Fault fault) {
    this.database = database;
    this.channel = channel;
    this.fault = fault;
  }

  /** One cycle of polling; returns the number of events that were published. */
  int cycle() throws Exception {
    int published = 0;
    try (Connection connection = database.getConnection()) {
      for (String[] event : pending(connection)) {
        try {
          claim(connection, event[0]);
        } catch (SQLException e) {
          continue; // "event already processed: skip"
        }
        channel.confirmSelect();
        channel.basicPublish(
            ProducerWorld.EXCHANGE,
            ProducerWorld.queue(event[1]),
            null,
            event[2].getBytes(StandardCharsets.UTF_8));
        channel.waitForConfirmsOrDie();
        try (PreparedStatement mark =
            connection.prepareStatement(
                """
                update event_outbox set status = 'PROCESSED', published_at = current_timestamp
                where event_id = ?""")) {
          mark.setString(1, event[0]);
          mark.executeUpdate();
        }
        published++;
      }
    }
    return published;
  }

  private void claim(Connection connection, String eventId) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into processed_event (event_id, status) values (?, 'PROCESSING')")) {
      insert.setString(1, eventId);
      insert.executeUpdate();
    }
    if (fault == Fault.DIES_AFTER_THE_CLAIM) {
      throw new Died();
    }
    if (fault == Fault.LOSES_THE_REPLY) {
      throw new SQLException("The connection was lost", "08006");
    }
  }

  private static List<String[]> pending(Connection connection) throws SQLException {
    List<String[]> events = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                """
                select event_id, aggregate_type, payload from event_outbox
                where status = 'PENDING' order by created_at limit %d"""
                    .formatted(BATCH))) {
      while (result.next()) {
        events.add(new String[] {result.getString(1), result.getString(2), result.getString(3)});
      }
    }
    return events;
  }
}
