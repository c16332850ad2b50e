package io.waybill.proof.load;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;

/**
 * Fills Waybill's own table with what operators look at: kept events and failures, by {@code insert
 * ... select} on PostgreSQL or MariaDB.
 *
 * @param url JDBC URL
 * @param mariaDb whether it is a MariaDB
 */
public record ListingsSql(String url, boolean mariaDb) {
  /** Kinds of failures. */
  public static final int GROUPS = 60;

  private static final String EVENTS =
      """
      insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload${columns})
      select concat('${name}-', n), concat('order.', n % 5), 'order', concat('${name}.', n % ${keys}), null${values}
      from ${numbers}""";

  // A third is parked, the others are dead.
  private static final String FAILURES =
      """
      insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state, attempts,
        unknown_outcome, last_reason, last_detail, destination, failure_group)
      select id, ${created}, lane, aggregate_type, aggregate_id, case when id % 3 = 0 then 'PARKED' else 'DEAD' end,
        10, false, concat('reason-', id % ${groups}), 'bench', concat('topic-', id % ${groups}),
        md5(concat('g', id % ${groups}))
      from waybill_outbox where event_id like 'failed-%'""";

  private static final String HELD =
      """
      insert into waybill_held (row_id, row_created, lane, aggregate_type, aggregate_id)
      select id, ${created}, lane, aggregate_type, aggregate_id from waybill_outbox where event_id like 'behind-%'""";

  // Each was tried again once, in vain.
  private static final String AUDIT =
      """
      insert into waybill_audit (requested_by, verb, row_id, event_id, reason, completed_at, done)
      select 'bench', 'RETRY', id, event_id, 'bench', created_at, true
      from waybill_outbox where event_id like 'failed-%'""";

  // A process of PostgreSQL makes its numbers known when it ends.
  private static final String CONNECTED =
      "select exists (select from pg_stat_activity where application_name = 'waybill admin')";
  // Pages would be more by one for each row as soon as an index has another level.
  private static final String POSTGRES_ROWS =
      "select tup_returned + tup_fetched from pg_stat_database where datname = current_database()";
  private static final String MARIADB_ROWS =
      "select sum(variable_value) from information_schema.global_status where variable_name like 'HANDLER_READ%'";

  /**
   * Writes events that failed, each of a key of its own and with a line in the audit, and one event
   * behind each that is parked.
   *
   * @param events how many failed
   * @throws SQLException when the database refuses
   */
  public void fail(long events) throws SQLException {
    run("create index waybill_outbox_key_idx on waybill_outbox (aggregate_type, aggregate_id, id)");
    run(events("failed", 1, events, events, false));
    run(FAILURES);
    run(events("behind", 1, events / 3, events, false));
    run(HELD);
    run(AUDIT);
  }

  /**
   * Writes events that were published and are kept.
   *
   * @param first number of the first one
   * @param last number of the last one
   * @throws SQLException when the database refuses
   */
  public void keep(long first, long last) throws SQLException {
    run(events("kept", first, last, 1_000_000, true));
    if (!mariaDb) {
      run(
          """
          insert into waybill_published (id, row_created)
          select id, ${created} from waybill_outbox o
          where event_id like 'kept-%' and not exists (select 1 from waybill_published p where p.id = o.id)""");
    }
    String analyze = mariaDb ? "analyze table " : "vacuum analyze ";
    for (String table : new String[] {"outbox", "row_state", "held", "audit"}) {
      run(analyze + "waybill_" + table);
    }
    if (!mariaDb) {
      run(analyze + "waybill_published");
    }
  }

  private String events(String name, long first, long last, long keys, boolean published) {
    boolean marked = mariaDb && published;
    String numbers =
        mariaDb
            ? "(select seq as n from seq_%d_to_%d) numbers".formatted(first, last)
            : "generate_series(%d, %d) as n".formatted(first, last);
    return EVENTS
        .replace("${columns}", marked ? ", published, published_at" : "")
        .replace("${values}", marked ? ", true, utc_timestamp(6)" : "")
        .replace("${name}", name)
        .replace("${keys}", Long.toString(keys))
        .replace("${numbers}", numbers);
  }

  /**
   * What statements have examined so far: rows, and entries of indexes on PostgreSQL.
   *
   * @return a number that grows
   * @throws SQLException when the database refuses
   */
  public long examined() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      while (!mariaDb && first(statement, CONNECTED).equals("t")) {
        LockSupport.parkNanos(1_000_000);
      }
      return Long.parseLong(first(statement, mariaDb ? MARIADB_ROWS : POSTGRES_ROWS));
    }
  }

  private static String first(Statement statement, String query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private void run(String sql) throws SQLException {
    String created =
        mariaDb
            ? "timestampdiff(microsecond, timestamp'1970-01-01 00:00:00.000000', created_at)"
            : "cast(extract(epoch from created_at) * 1000000 as bigint)";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          sql.replace("${created}", created).replace("${groups}", Integer.toString(GROUPS)));
    }
  }
}
