package io.waybill.bench.load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Fills Waybill's own table by {@code insert ... select}, on PostgreSQL or MariaDB.
 *
 * @param url JDBC URL
 * @param mariaDb whether it is a MariaDB
 */
public record BoundsSql(String url, boolean mariaDb) {
  private static final String INSERT =
      """
      insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload,
        available_at)
      select concat('%1$s-', n), 'order.placed', 'order', %2$s, %3$s, %4$s from %5$s""";
  private static final String PARK =
      """
      insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state,
        attempts, unknown_outcome, last_reason, last_detail)
      select id, %s, lane, aggregate_type, aggregate_id, 'PARKED', 1, false, 'bench', 'bench'
      from waybill_outbox""";
  private static final String CREATED = "cast(extract(epoch from created_at) * 1000000 as bigint)";
  private static final String CREATED_ON_MARIADB =
      "timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', created_at)";

  /**
   * Writes events in one transaction, each with a key of its own.
   *
   * @param name begins the event ids and keys
   * @param events how many
   * @throws SQLException when the database refuses
   */
  public void insert(String name, long events) throws SQLException {
    run(sql(name, "concat('" + name + ".', n)", "'{}'", "null", 1, events));
  }

  /**
   * Writes events in transactions of a thousand, over 20,000 keys.
   *
   * @param name begins the event ids and keys
   * @param events how many
   * @throws SQLException when the database refuses
   */
  public void write(String name, long events) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (long first = 1; first <= events; first += 1_000) {
        long last = Math.min(events, first + 999);
        statement.execute(
            sql(name, "concat('" + name + ".', n % 20000)", "'{}'", "null", first, last));
      }
    }
  }

  /**
   * Writes events that are due at one time.
   *
   * @param name begins the event ids and keys
   * @param events how many
   * @param time SQL of the time
   * @throws SQLException when the database refuses
   */
  public void insertDelayed(String name, long events, String time) throws SQLException {
    run(sql(name, "concat('" + name + ".', n)", "'{}'", time, 1, events));
  }

  /**
   * Writes an event of some megabytes.
   *
   * @param megabytes size of the payload
   * @throws SQLException when the database refuses
   */
  public void insertLarge(int megabytes) throws SQLException {
    run(sql("large", "'large'", "repeat('x', " + megabytes + " * 1048576)", "null", 1, 1));
  }

  /**
   * Parks all events that are there.
   *
   * @throws SQLException when the database refuses
   */
  public void parkAll() throws SQLException {
    run(PARK.formatted(mariaDb ? CREATED_ON_MARIADB : CREATED));
    run((mariaDb ? "analyze table " : "analyze ") + "waybill_outbox");
  }

  private String sql(String name, String key, String text, String due, long first, long last) {
    String numbers =
        mariaDb
            ? "(select seq as n from seq_%d_to_%d) numbers".formatted(first, last)
            : "generate_series(%d, %d) as n".formatted(first, last);
    String payload = mariaDb ? text : "convert_to(" + text + ", 'UTF8')";
    return INSERT.formatted(name, key, payload, due, numbers);
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
