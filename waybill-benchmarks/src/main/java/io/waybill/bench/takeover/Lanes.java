package io.waybill.bench.takeover;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the database says of lanes, on a connection of its own. Used by one thread. */
final class Lanes implements AutoCloseable {
  private static final String INSERT =
      """
      insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id)
      values (?, 'order.placed', 'order', ?)
      """;

  private static final String POSTGRES_HOLDER =
      """
      select pid from pg_locks
      where locktype = 'advisory' and classid = 'waybill_session'::regclass::oid
        and objid::bigint = ${fence} % 2147483648""";

  private static final String MYSQL_HOLDER =
      """
      select is_used_lock(concat('waybill.',
        left(sha2(concat(database(), '.waybill_session'), 256), 24), '.', ${fence}))""";

  private final Connection connection;
  private final boolean postgres;
  private final Set<Integer> moved = new HashSet<>();
  private Owners last = new Owners(Map.of());

  Lanes(String url) {
    try {
      connection = DriverManager.getConnection(url);
      postgres = url.startsWith("jdbc:postgresql:");
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  /** The lane of each key, as the database computes it for rows that are then taken back. */
  int[] ofKeys(int keys) {
    int[] lanes = new int[keys];
    try {
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        for (int key = 0; key < keys; key++) {
          insert.setString(1, "lane-of-" + key);
          insert.setString(2, Integer.toString(key));
          insert.addBatch();
        }
        insert.executeBatch();
      }
      read(
          "select aggregate_id, lane from waybill_outbox",
          row -> lanes[Integer.parseInt(row.getString(1))] = row.getInt(2));
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw refused(e);
    }
    return lanes;
  }

  /** Also notes which lanes have moved since they were last looked at. */
  Owners owners() {
    Map<Integer, Long> owners = new HashMap<>();
    read(
        "select lane, coalesce(fence, 0) from waybill_lane",
        row -> owners.put(row.getInt(1), row.getLong(2)));
    Owners now = new Owners(owners);
    moved.addAll(now.movedSince(last));
    last = now;
    return now;
  }

  /** Lanes that have moved since this was last asked, also those that have come back. */
  Set<Integer> moved() {
    owners();
    Set<Integer> all = Set.copyOf(moved);
    moved.clear();
    return all;
  }

  /** Fences of all sessions, also those of relays that have died. */
  Set<Long> sessions() {
    Set<Long> fences = new HashSet<>();
    read("select fence from waybill_session", row -> fences.add(row.getLong(1)));
    return fences;
  }

  /** Ends the connection that holds the lock of a session. */
  void endLock(long fence) {
    end((postgres ? POSTGRES_HOLDER : MYSQL_HOLDER).replace("${fence}", Long.toString(fence)));
  }

  /** Ends the connections of all relays. */
  void endConnections() {
    if (!postgres) {
      throw new IllegalStateException("Only PostgreSQL tells connections of relays from others");
    }
    end("select pid from pg_stat_activity where application_name like 'waybill%'");
  }

  private void end(String connections) {
    List<Long> ids = new ArrayList<>();
    read(connections, row -> ids.add(row.getLong(1)));
    ids.remove(0L);
    if (ids.isEmpty()) {
      throw new IllegalStateException("No connection was found that could be ended");
    }
    for (long id : ids) {
      try (Statement statement = connection.createStatement()) {
        statement.execute((postgres ? "select pg_terminate_backend(%d)" : "kill %d").formatted(id));
      } catch (SQLException e) {
        // It has ended since.
      }
    }
  }

  private interface Row {
    void of(ResultSet row) throws SQLException;
  }

  private void read(String query, Row each) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        each.of(rows);
      }
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  private static IllegalStateException refused(SQLException e) {
    return new IllegalStateException("The lanes could not be looked at", e);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
