package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.inbox.ProcessedTable.Row;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** The inbox on PostgreSQL. */
final class PostgresInboxSql extends InboxSql {
  private static final String UNIQUE_VIOLATION = "23505";
  private static final String IN_FAILED_TRANSACTION = "25P02";
  // A transaction is ended by words of its own alone: these define, set and lock within it.
  private static final Set<String> WITHIN =
      Set.of(
          "CREATE",
          "ALTER",
          "DROP",
          "TRUNCATE",
          "SET",
          "LOCK",
          "COPY",
          "NOTIFY",
          "SAVEPOINT",
          "RELEASE");

  private final String take;
  private final String takeInAnyCase;

  PostgresInboxSql(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    super(dialect, schema, processed);
    // Put together once: it is asked for with every event.
    take = takeText(false);
    takeInAnyCase = takeText(true);
  }

  /** The server keeps an ended transaction until its end. */
  @Override
  public void guard(Connection connection) {}

  @Override
  public String mark(Connection connection) throws SQLException {
    return String.valueOf(transaction(connection));
  }

  @Override
  public boolean hasEnded(Connection connection, String mark) throws SQLException {
    return !mark.equals(transaction(connection));
  }

  private static @Nullable String transaction(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("select pg_current_xact_id_if_assigned()::text")) {
      result.next();
      return result.getString(1);
    }
  }

  @Override
  boolean leavesAlone(String word) {
    return WITHIN.contains(word);
  }

  @Override
  public boolean commitsImplicitly() {
    return false;
  }

  /** The server knows no such mode. */
  @Override
  public void leaveAutoCommit(Connection connection) {}

  @Override
  public String abortedState() {
    return IN_FAILED_TRANSACTION;
  }

  /** The driver knows it from the server's last answer; others have to ask. */
  @Override
  public boolean isAborted(Connection connection, boolean guarded) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)) {
      return connection.unwrap(BaseConnection.class).getTransactionState()
          == TransactionState.FAILED;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1");
      return false;
    } catch (SQLException e) {
      if (IN_FAILED_TRANSACTION.equals(e.getSQLState())) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public String take(boolean inAnyCase) {
    return inAnyCase ? takeInAnyCase : take;
  }

  private String takeText(boolean inAnyCase) {
    String free =
        """

        where not exists (
            select 1 from ${deferred} d where d.consumer = ? and d.event_id = ?)
          and not exists (
            select 1 from ${deferred} d where d.consumer = ? and d.order_key = ?)""";
    return sql(
        "insert into ${processed} (${columns}) select "
            + row()
            + (inAnyCase ? "" : free)
            + " on conflict do nothing");
  }

  /** The values of a row, typed, since a SELECT does not see the columns that they are for. */
  private String row() {
    String id = processed.uuids() ? "cast(? as uuid)" : "cast(? as text)";
    List<String> values = new ArrayList<>();
    if (processed.consumer()) {
      values.add("cast(? as text)");
    }
    values.add(id);
    while (values.size() < processed.parameters()) {
      values.add("cast(? as text)");
    }
    return String.join(", ", values) + ", ${time}";
  }

  @Override
  public String takeAllText(int rows) {
    List<String> names = new ArrayList<>();
    List<String> arrays = new ArrayList<>();
    for (int i = 0; i < processed.parameters(); i++) {
      names.add("c" + i);
      arrays.add("cast(? as text[])");
    }
    int id = processed.consumer() ? 1 : 0;
    List<String> values = new ArrayList<>(names);
    if (processed.uuids()) {
      values.set(id, "cast(" + names.get(id) + " as uuid)");
    }
    return sql(
        """
        insert into ${processed} (${columns})
        select %s, ${time} from unnest(%s) as s (%s)
        on conflict do nothing returning event_id::text"""
            .formatted(
                String.join(", ", values), String.join(", ", arrays), String.join(", ", names)));
  }

  @Override
  public Set<String> takeAll(PreparedStatement statement, String consumer, List<Row> rows)
      throws SQLException {
    String[][] columns = new String[processed.parameters()][rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      List<String> values = processed.values(consumer, rows.get(i));
      for (int c = 0; c < columns.length; c++) {
        columns[c][i] = values.get(c);
      }
    }
    for (int c = 0; c < columns.length; c++) {
      statement.setArray(c + 1, statement.getConnection().createArrayOf("text", columns[c]));
    }
    Set<String> written = new HashSet<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        written.add(processed.id(result.getString(1)));
      }
    }
    return written;
  }

  @Override
  public boolean isDuplicate(SQLException failure) {
    return UNIQUE_VIOLATION.equals(failure.getSQLState());
  }

  @Override
  String time() {
    return dialect.isZoned(processed.timeType())
        ? dialect.now()
        : "(" + dialect.now() + " at time zone 'UTC')";
  }

  @Override
  String skipDuplicates() {
    return " on conflict do nothing";
  }

  @Override
  String holdLock() {
    return "for no key update";
  }

  @Override
  String freeLock() {
    return "for no key update of d skip locked";
  }

  @Override
  public String promote() {
    return sql(
        """
        update ${deferred} set behind = false
        where behind and seq = (
          select min(d.seq) from ${deferred} d where d.consumer = ? and d.order_key = ?)""");
  }

  @Override
  public String promoteOrphans() {
    return sql(
        """
        update ${deferred} d set behind = false
        where d.consumer = ? and d.behind and not exists (
          select 1 from ${deferred} e
          where e.consumer = d.consumer and e.order_key = d.order_key and e.seq < d.seq)""");
  }

  @Override
  public String start(int rows) {
    return sql(
        """
        insert into ${attempt} as a (consumer, event_id, started, finished)
        values %s
        on conflict (consumer, event_id)
          do update set started = a.started + 1, started_at = ${now}"""
            .formatted(startRows(rows)));
  }

  @Override
  public String openNotes(int rows) {
    return sql(
        """
        insert into ${attempt} (consumer, event_id, started, finished)
        values %s
        on conflict (consumer, event_id)
          do update set started = excluded.started, started_at = ${now}"""
            .formatted(noteRows(rows)));
  }

  @Override
  public String register() {
    return sql(
        "insert into ${consumer} (table_name, consumer) values (?, ?) on conflict do nothing");
  }

  @Override
  public String noteLane() {
    return sql(
        """
        insert into ${lane} (consumer, lane, server, done_before) values (?, ?, ?, ?)
        on conflict (consumer, lane) do update
        set server = excluded.server, done_before = excluded.done_before, noted_at = ${now}""");
  }

  @Override
  public String sweepProcessed() {
    String key = processed.consumer() ? "(consumer, event_id)" : "(event_id)";
    String columns = processed.consumer() ? "p.consumer, p.event_id" : "p.event_id";
    return sql(
        """
        delete from ${processed} where %s in (
          select %s from ${processed} p where ${mine} and %s
          order by p.processed_at limit ?)"""
            .formatted(key, columns, "p." + old()));
  }

  @Override
  public String sweepAttempts() {
    return sql(
        """
        delete from ${attempt} where (consumer, event_id) in (
          select a.consumer, a.event_id from ${attempt} a
          where a.consumer = ? and a.started_at < %s
          order by a.event_id limit ? for update skip locked)"""
            .formatted(dialect.later("${now}", "?")));
  }
}
