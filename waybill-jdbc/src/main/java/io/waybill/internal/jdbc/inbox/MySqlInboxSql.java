package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.inbox.ProcessedTable.Row;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The inbox on MySQL and MariaDB. Duplicates are told by the error of a plain INSERT, which ends
 * the statement and not the transaction: {@code insert ignore} would swallow other errors too, and
 * what {@code on duplicate key update} returns depends on the driver's options.
 */
final class MySqlInboxSql extends InboxSql {
  private static final int DUPLICATE_ENTRY = 1062;
  private static final int NO_SUCH_SAVEPOINT = 1305;
  private static final String GUARD = "savepoint waybill_inbox";
  // Temporary: to handle the event again can help.
  private static final String TRANSACTION_ROLLED_BACK = "40001";

  private final String take;
  private final String takeInAnyCase;

  MySqlInboxSql(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    super(dialect, schema, processed);
    // Put together once: it is asked for with every event.
    take = takeText(false);
    takeInAnyCase = takeText(true);
  }

  /**
   * Most errors end the statement alone, but a deadlock rolls back everything, and what follows is
   * a transaction of its own. A savepoint tells: it went with the first one. To look for the note
   * would not do, since by then another consumer may have written it.
   */
  @Override
  public void guard(Connection connection) throws SQLException {
    run(connection, GUARD);
  }

  /** As a statement: drivers send their own release only if they think that it is needed. */
  @Override
  public boolean isAborted(Connection connection, boolean guarded) throws SQLException {
    if (!guarded) {
      return false;
    }
    try {
      run(connection, "release " + GUARD);
      return false;
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_SAVEPOINT) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public String mark(Connection connection) throws SQLException {
    guard(connection);
    return GUARD;
  }

  @Override
  public boolean hasEnded(Connection connection, String mark) throws SQLException {
    return isAborted(connection, true);
  }

  @Override
  boolean leavesAlone(String word) {
    return false;
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public boolean commitsImplicitly() {
    return true;
  }

  /** As a statement: MySQL's own driver goes by what it was told itself. */
  @Override
  public void leaveAutoCommit(Connection connection) throws SQLException {
    run(connection, "set autocommit = 0");
  }

  @Override
  public String abortedState() {
    return TRANSACTION_ROLLED_BACK;
  }

  @Override
  public String take(boolean inAnyCase) {
    return inAnyCase ? takeInAnyCase : take;
  }

  private String takeText(boolean inAnyCase) {
    String free =
        """
         from dual
        where not exists (
            select 1 from ${deferred} d where d.consumer = ? and d.event_id = ?)
          and not exists (
            select 1 from ${deferred} d where d.consumer = ? and d.order_key = ?)""";
    return sql("insert into ${processed} (${columns}) select " + row() + (inAnyCase ? "" : free));
  }

  private String row() {
    return "?, ".repeat(processed.parameters()) + "${time}";
  }

  @Override
  public String takeAllText(int rows) {
    String row = "(" + row() + ")";
    return sql(
        "insert into ${processed} (${columns}) values " + row + (", " + row).repeat(rows - 1));
  }

  @Override
  public Set<String> takeAll(PreparedStatement statement, String consumer, List<Row> rows)
      throws SQLException {
    int index = 0;
    for (Row row : rows) {
      for (String value : processed.values(consumer, row)) {
        statement.setString(++index, value);
      }
    }
    statement.executeUpdate();
    return rows.stream().map(Row::id).collect(Collectors.toSet());
  }

  @Override
  public boolean isDuplicate(SQLException failure) {
    return failure.getErrorCode() == DUPLICATE_ENTRY;
  }

  @Override
  String time() {
    return dialect.timeNow(processed.timeType());
  }

  @Override
  String skipDuplicates() {
    return "";
  }

  @Override
  String holdLock() {
    return "lock in share mode";
  }

  @Override
  String freeLock() {
    return "for update skip locked";
  }

  @Override
  public String promote() {
    return sql(
        """
        update ${deferred} set behind = false
        where consumer = ? and order_key = ? order by seq limit 1""");
  }

  @Override
  public String promoteOrphans() {
    // The statement may not read the table that it changes, but what was read before.
    return sql(
        """
        update ${deferred} set behind = false where seq in (
          select o.seq from (
            select d.seq from ${deferred} d
            where d.consumer = ? and d.behind = true and not exists (
              select 1 from ${deferred} e
              where e.consumer = d.consumer and e.order_key = d.order_key and e.seq < d.seq)) o)""");
  }

  @Override
  public String start(int rows) {
    return sql(
        """
        insert into ${attempt} (consumer, event_id, started, finished)
        values %s
        on duplicate key update started = started + 1, started_at = ${now}"""
            .formatted(startRows(rows)));
  }

  @Override
  public String openNotes(int rows) {
    return sql(
        """
        insert into ${attempt} (consumer, event_id, started, finished)
        values %s
        on duplicate key update started = values(started), started_at = ${now}"""
            .formatted(noteRows(rows)));
  }

  @Override
  public String register() {
    return sql(
        """
        insert into ${consumer} (table_name, consumer) values (?, ?)
        on duplicate key update table_name = values(table_name)""");
  }

  @Override
  public String noteLane() {
    return sql(
        """
        insert into ${lane} (consumer, lane, server, done_before) values (?, ?, ?, ?)
        on duplicate key update
        server = values(server), done_before = values(done_before), noted_at = ${now}""");
  }

  @Override
  public String sweepProcessed() {
    return sql(
        "delete from ${processed} where "
            + (processed.consumer() ? "consumer = ? and " : "")
            + old()
            + " order by processed_at limit ?");
  }

  @Override
  public String sweepAttempts() {
    return sql(
        "delete from ${attempt} where consumer = ? and started_at < %s order by event_id limit ?"
            .formatted(dialect.later("${now}", "?")));
  }
}
