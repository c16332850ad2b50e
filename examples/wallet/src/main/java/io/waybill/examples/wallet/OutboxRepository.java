package io.waybill.examples.wallet;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code outbox}, on PostgreSQL and MariaDB alike. Everything happens in the transaction
 * of the given connection. Thread-safe.
 */
final class OutboxRepository {
  private static final int PAGE = 500;
  private static final int MOST_PER_PAGE = 10_000;

  private static final String INSERT =
      """
      insert into outbox (event_type, payload, correlation_id, created_at, sent)
      values (?, ?, ?, ?, ?)""";

  private static final String UPDATE = "update outbox set sent = ? where id = ?";

  private static final String UNSENT =
      """
      select id, event_type, payload, correlation_id, created_at, sent
      from outbox where sent = false and id > ? order by id limit ?""";

  private static final String COUNT_UNSENT =
      "select count(*) from (select 1 from outbox where sent = false limit ?) as unsent";

  /**
   * Inserts a new event, or writes whether a saved one is sent; nothing else of it ever changes.
   *
   * @return the event with its id
   * @throws IllegalStateException if there is no event of its id
   */
  OutboxEvent save(Connection connection, OutboxEvent event) throws SQLException {
    Long id = event.id();
    if (id == null) {
      return insert(connection, event);
    }
    try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
      statement.setBoolean(1, event.sent());
      statement.setLong(2, id);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("The table outbox has no event of id " + id);
      }
      return event;
    }
  }

  private static OutboxEvent insert(Connection connection, OutboxEvent event) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT, new String[] {"id"})) {
      statement.setString(1, event.eventType());
      statement.setString(2, event.payload());
      statement.setString(3, event.correlationId());
      statement.setObject(4, event.createdAt());
      statement.setBoolean(5, event.sent());
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return event.withId(keys.getLong(1));
      }
    }
  }

  /** All unsent events, whatever their number: where there may be many, ask page by page. */
  List<OutboxEvent> findBySentFalse(Connection connection) throws SQLException {
    List<OutboxEvent> all = new ArrayList<>();
    List<OutboxEvent> page;
    long last = Long.MIN_VALUE;
    do {
      page = findBySentFalse(connection, last, PAGE);
      all.addAll(page);
      last = page.isEmpty() ? last : idOf(page.get(page.size() - 1));
    } while (page.size() == PAGE);
    return all;
  }

  /**
   * A page of unsent events. Pages are for looking at: an event that commits late can have an id
   * below {@code afterId}, which is why the relay reads in another way.
   *
   * @param afterId id of the last event of the page before; 0 for the first page
   * @param limit most events, 1 to 10,000
   */
  List<OutboxEvent> findBySentFalse(Connection connection, long afterId, int limit)
      throws SQLException {
    if (limit < 1 || limit > MOST_PER_PAGE) {
      throw new IllegalArgumentException(
          "limit must be from 1 to " + MOST_PER_PAGE + ", but is " + limit);
    }
    try (PreparedStatement statement = connection.prepareStatement(UNSENT)) {
      statement.setLong(1, afterId);
      statement.setInt(2, limit);
      List<OutboxEvent> page = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          page.add(event(rows));
        }
      }
      return page;
    }
  }

  /** How many events are unsent, counted no further than a limit. */
  int countBySentFalse(Connection connection, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COUNT_UNSENT)) {
      statement.setInt(1, limit);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  private static OutboxEvent event(ResultSet row) throws SQLException {
    return new OutboxEvent(
        row.getLong("id"),
        row.getString("event_type"),
        row.getString("payload"),
        row.getString("correlation_id"),
        row.getObject("created_at", LocalDateTime.class),
        row.getBoolean("sent"));
  }

  private static long idOf(OutboxEvent saved) {
    Long id = saved.id();
    if (id == null) {
      throw new IllegalStateException("A row without id was read");
    }
    return id;
  }
}
