package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.inbox.ProcessedTable.Row;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The inbox on PostgreSQL. */
final class PostgresInboxSql extends InboxSql {
  private static final String UNIQUE_VIOLATION = "23505";

  PostgresInboxSql(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    super(dialect, schema, processed);
  }

  /** The values of a row, typed, since a SELECT does not see the columns that they are for. */
  @Override
  String row() {
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
  String fromNothing() {
    return "";
  }

  @Override
  String takeAllText(int rows) {
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
    return fill(
        """
        insert into ${processed} (${columns})
        select %s, ${time} from unnest(%s) as s (%s)
        on conflict do nothing returning event_id::text"""
            .formatted(
                String.join(", ", values), String.join(", ", arrays), String.join(", ", names)));
  }

  @Override
  Set<String> takeAll(PreparedStatement statement, String consumer, List<Row> rows)
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
  boolean isDuplicate(SQLException failure) {
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
  String promote() {
    return fill(
        """
        update ${deferred} set behind = false
        where behind and seq = (
          select min(d.seq) from ${deferred} d where d.consumer = ? and d.order_key = ?)""");
  }

  @Override
  String promoteOrphans() {
    return fill(
        """
        update ${deferred} d set behind = false
        where d.consumer = ? and d.behind and not exists (
          select 1 from ${deferred} e
          where e.consumer = d.consumer and e.order_key = d.order_key and e.seq < d.seq)""");
  }

  @Override
  String start(int rows) {
    return fill(
        """
        insert into ${attempt} as a (consumer, event_id, started, finished)
        values %s
        on conflict (consumer, event_id)
          do update set started = a.started + 1, started_at = ${now}"""
            .formatted(startRows(rows)));
  }

  @Override
  String register() {
    return fill(
        "insert into ${consumer} (table_name, consumer) values (?, ?) on conflict do nothing");
  }

  @Override
  String sweepProcessed() {
    String key = processed.consumer() ? "(consumer, event_id)" : "(event_id)";
    String columns = processed.consumer() ? "p.consumer, p.event_id" : "p.event_id";
    return fill(
        """
        delete from ${processed} where %s in (
          select %s from ${processed} p where ${mine} and %s
          order by p.processed_at limit ?)"""
            .formatted(key, columns, "p." + old()));
  }

  @Override
  String sweepAttempts() {
    return fill(
        """
        delete from ${attempt} where (consumer, event_id) in (
          select a.consumer, a.event_id from ${attempt} a
          where a.consumer = ? and a.started_at < ${later}
          order by a.event_id limit ? for update skip locked)""");
  }
}
