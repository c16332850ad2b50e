package io.waybill.bench.load;

import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables that candidates read from, filled with a backlog. */
public final class Tables {
  private static final String PLAIN =
      """
      create table plain_outbox (
        id bigint generated always as identity primary key,
        event_id text not null unique,
        event_type text not null,
        aggregate_type text not null,
        aggregate_id text not null,
        payload bytea not null,
        status smallint not null default 0,
        created_at timestamptz not null default now(),
        published_at timestamptz
      );
      create index plain_outbox_pending on plain_outbox (id) where status = 0
      """;
  // Position 9 is where the reference begins in the payloads.
  private static final String FILL =
      """
      insert into %s (event_id, event_type, aggregate_type, aggregate_id, payload)
      select uuidv7()::text, 'order.placed', 'order', (g %% %d)::text,
        overlay(t.body placing convert_to(
          lpad((g %% %d)::text, 6, '0') || '-' || lpad((g / %d)::text, 9, '0'), 'UTF8') from 9)
      from generate_series(%d::bigint, %d::bigint) g join template t on t.n = g %% %d
      order by g
      """;

  private final String url;

  /**
   * The tables of one database.
   *
   * @param url JDBC URL
   */
  public Tables(String url) {
    this.url = url;
  }

  /**
   * Creates Waybill's tables.
   *
   * @throws SQLException when the database refuses
   */
  public void createWaybill() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
    }
  }

  /**
   * Writes a large backlog into Waybill's table faster than {@link #fill}.
   *
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void load(long events, int keys) throws SQLException {
    new CopyLoad(url, events, keys).run();
    settle("waybill_outbox");
  }

  /**
   * Creates the plain loop's table.
   *
   * @throws SQLException when the database refuses
   */
  public void createPlain() throws SQLException {
    execute(PLAIN);
  }

  /**
   * Writes a backlog, in transactions of some thousand events, and lets the database settle it.
   *
   * @param table name of the table
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void fill(String table, long events, int keys) throws SQLException {
    prepareTemplates();
    insert(table, events, keys);
    settle(table);
  }

  /**
   * Writes the payloads that {@link #insert} takes its events from.
   *
   * @throws SQLException when the database refuses
   */
  public void prepareTemplates() throws SQLException {
    new Backlog(url).prepare(Payloads.templates());
  }

  /**
   * Writes events, in transactions of some thousand.
   *
   * @param table name of the table
   * @param events number of events
   * @param keys number of keys, in turn
   * @throws SQLException when the database refuses
   */
  public void insert(String table, long events, int keys) throws SQLException {
    insert(
        events,
        (first, last) -> FILL.formatted(table, keys, keys, keys, first, last, Payloads.COUNT));
  }

  void insert(long events, Backlog.Insert insert) throws SQLException {
    new Backlog(url).insert(events, insert);
  }

  void settle(String table) throws SQLException {
    new Backlog(url).settle(table);
  }

  String url() {
    return url;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
