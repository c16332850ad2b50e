package io.waybill.bench.load;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What consumers write to: one row for each event that they handle, and the tables of an inbox.
 * Nothing keeps a consumer from writing a row twice.
 *
 * @param url JDBC URL of the database
 */
public record EffectTables(String url) {
  /** The effect of an event. Parameters: key, position. */
  public static final String INSERT = "insert into effect (k, position) values (?, ?)";

  /** The effects of several events on PostgreSQL. Parameters: array of keys, array of positions. */
  public static final String INSERT_ALL =
      "insert into effect (k, position) select * from unnest(?::integer[], ?::bigint[])";

  /** Whether handlers are to fail for a key. Parameter: key. */
  public static final String FAILS = "select 1 from failing where k = ?";

  private static final String EFFECT =
      "create table effect (n bigint %s primary key, k integer not null, position bigint not null)";
  private static final String COUNTS =
      """
      select coalesce(sum(rows_of_it), 0), count(*) from (
        select count(*) as rows_of_it from effect group by k, position) events
      """;
  private static final String INVERSIONS =
      """
      select count(*) from (
        select position, max(position) over (
          partition by k order by n rows between unbounded preceding and 1 preceding) as highest
        from effect) effects
      where position < highest
      """;

  /**
   * What is in the table.
   *
   * @param lost events without effect
   * @param duplicates second and later effects of an event
   * @param inversions effects after that of a later event of their key
   */
  public record Verdict(long lost, long duplicates, long inversions) {}

  /**
   * Creates the tables.
   *
   * @throws SQLException when the database refuses
   */
  public void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      DatabaseKind kind = DatabaseKind.of(connection);
      boolean postgres = kind == DatabaseKind.POSTGRESQL;
      String schema = postgres ? "public" : connection.getCatalog();
      InboxSchema.of(kind, schema, InboxTables.own()).apply(connection);
      statement.execute(
          EFFECT.formatted(postgres ? "generated always as identity" : "not null auto_increment"));
      statement.execute("create table failing (k integer not null primary key)");
    }
  }

  /**
   * Lets handlers fail for a key.
   *
   * @param key the key
   * @throws SQLException when the database refuses
   */
  public void fail(int key) throws SQLException {
    run("insert into failing values (?)", key);
  }

  /**
   * Lets handlers succeed for a key.
   *
   * @param key the key
   * @throws SQLException when the database refuses
   */
  public void mend(int key) throws SQLException {
    run("delete from failing where k = ?", key);
  }

  private void run(String sql, int key) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key);
      statement.executeUpdate();
    }
  }

  /**
   * Counts the effects.
   *
   * @return how many there are
   * @throws SQLException when the database refuses
   */
  public long effects() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("select count(*) from effect")) {
      count.next();
      return count.getLong(1);
    }
  }

  /**
   * Looks at all effects.
   *
   * @param events how many events there were
   * @return what is wrong with them
   * @throws SQLException when the database refuses
   */
  public Verdict verdict(long events) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      long rows;
      long distinct;
      try (ResultSet counts = statement.executeQuery(COUNTS)) {
        counts.next();
        rows = counts.getLong(1);
        distinct = counts.getLong(2);
      }
      try (ResultSet inversions = statement.executeQuery(INVERSIONS)) {
        inversions.next();
        return new Verdict(events - distinct, rows - distinct, inversions.getLong(1));
      }
    }
  }
}
