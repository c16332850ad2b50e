package io.waybill.bench.load;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Fills a table with many events, each made by the database from one of some payloads. */
public final class Backlog {
  /** Stands in templates for the key of the event. */
  public static final String KEY = "@KEY@";

  private static final int ROWS_PER_TRANSACTION = 20_000;
  private static final String TEMPLATES =
      """
      create unlogged table template (n integer primary key, body bytea not null)
      """;

  private final String url;

  /**
   * Of one database.
   *
   * @param url JDBC URL
   */
  public Backlog(String url) {
    this.url = url;
  }

  /** The statement that inserts a range of events. */
  @FunctionalInterface
  public interface Insert {
    /**
     * SQL that reads payloads from {@code template (n, body)}.
     *
     * @param first number of the first event
     * @param last number of the last one
     * @return the statement
     */
    String of(long first, long last);
  }

  /**
   * Writes a backlog, in transactions of some thousand events, and lets the database settle it.
   *
   * @param table name of the table
   * @param events number of events
   * @param payloads what the payloads are made from
   * @param insert statement for a range of events
   * @throws SQLException when the database refuses
   */
  public void fill(String table, long events, List<byte[]> payloads, Insert insert)
      throws SQLException {
    prepare(payloads);
    insert(events, insert);
    settle(table);
  }

  void insert(long events, Insert insert) throws SQLException {
    for (long first = 0; first < events; first += ROWS_PER_TRANSACTION) {
      execute(insert.of(first, Math.min(events, first + ROWS_PER_TRANSACTION) - 1));
    }
  }

  void settle(String table) throws SQLException {
    execute("vacuum analyze " + table);
    execute("checkpoint");
  }

  void prepare(List<byte[]> payloads) throws SQLException {
    execute(TEMPLATES);
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement insert =
            connection.prepareStatement("insert into template (n, body) values (?, ?)")) {
      int n = 0;
      for (byte[] body : payloads) {
        insert.setInt(1, n++);
        insert.setBytes(2, body);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    execute("analyze template");
  }

  /**
   * SQL for the text of event {@code g} from template {@code t}: the template with the event's
   * reference in place of the first one's, and its key in place of {@link #KEY}.
   *
   * @param templates payloads as text, all with the reference at one place
   * @param keys number of keys, which take turns
   * @return an expression
   */
  public static String text(List<byte[]> templates, int keys) {
    String sample = new String(templates.get(0), StandardCharsets.UTF_8);
    int position = sample.indexOf(Ref.text(0)) + 1;
    return """
        replace(overlay(convert_from(t.body, 'UTF8') placing
          lpad((g %% %d)::text, 6, '0') || '-' || lpad((g / %d)::text, 9, '0') from %d),
          '%s', (g %% %d)::text)"""
        .formatted(keys, keys, position, KEY, keys);
  }

  /**
   * SQL that yields the events of a range with their templates, to select from.
   *
   * @param first number of the first event
   * @param last number of the last one
   * @return a from clause with {@code g} and {@code t}, in the order of the events
   */
  public static String range(long first, long last) {
    return "from generate_series(%d::bigint, %d::bigint) g join template t on t.n = g %% %d order by g"
        .formatted(first, last, Payloads.COUNT);
  }

  /**
   * Executes a statement in a transaction of its own.
   *
   * @param sql the statement
   * @throws SQLException when the database refuses
   */
  public void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
