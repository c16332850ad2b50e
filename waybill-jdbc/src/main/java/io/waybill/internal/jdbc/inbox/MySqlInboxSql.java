package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.inbox.ProcessedTable.Row;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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

  MySqlInboxSql(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    super(dialect, schema, processed);
  }

  @Override
  String row() {
    return "?, ".repeat(processed.parameters()) + "${time}";
  }

  @Override
  String fromNothing() {
    return " from dual";
  }

  @Override
  String takeAllText(int rows) {
    String row = "(" + row() + ")";
    return fill(
        "insert into ${processed} (${columns}) values " + row + (", " + row).repeat(rows - 1));
  }

  @Override
  Set<String> takeAll(PreparedStatement statement, String consumer, List<Row> rows)
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
  boolean isDuplicate(SQLException failure) {
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
  String promote() {
    return fill(
        """
        update ${deferred} set behind = false
        where consumer = ? and order_key = ? order by seq limit 1""");
  }

  @Override
  String promoteOrphans() {
    // The statement may not read the table that it changes, but what was read before.
    return fill(
        """
        update ${deferred} set behind = false where seq in (
          select o.seq from (
            select d.seq from ${deferred} d
            where d.consumer = ? and d.behind = true and not exists (
              select 1 from ${deferred} e
              where e.consumer = d.consumer and e.order_key = d.order_key and e.seq < d.seq)) o)""");
  }

  @Override
  String start(int rows) {
    return fill(
        """
        insert into ${attempt} (consumer, event_id, started, finished)
        values %s
        on duplicate key update started = started + 1, started_at = ${now}"""
            .formatted(startRows(rows)));
  }

  @Override
  String register() {
    return fill(
        """
        insert into ${consumer} (table_name, consumer) values (?, ?)
        on duplicate key update table_name = values(table_name)""");
  }

  @Override
  String sweepProcessed() {
    return fill(
        "delete from ${processed} where "
            + (processed.consumer() ? "consumer = ? and " : "")
            + old()
            + " order by processed_at limit ?");
  }

  @Override
  String sweepAttempts() {
    return fill(
        "delete from ${attempt} where consumer = ? and started_at < ${later}"
            + " order by event_id limit ?");
  }
}
