package io.waybill.internal.jdbc.table;

import io.waybill.database.Retention;
import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.RowIdKind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Walks a table by its primary key, so it needs no additional index. */
public final class TableRetention implements Retention {
  private final Database database;
  private final SqlDialect dialect;
  private final RetentionSql sql;
  private final @Nullable RecordSql record;
  private @Nullable Object after;

  /**
   * Prepares the removal.
   *
   * @param database opens the connection
   * @param dialect the database's
   * @param sql statements for the table
   * @param record statements for its record of events, or null
   */
  public TableRetention(
      Database database, SqlDialect dialect, RetentionSql sql, @Nullable RecordSql record) {
    this.database = database;
    this.dialect = dialect;
    this.sql = sql;
    this.record = record;
  }

  private record Slice(List<Object> old, @Nullable Object last, boolean more) {}

  @Override
  public Purged purge(Duration olderThan, int maxRows) {
    if (olderThan.isNegative()) {
      throw new IllegalArgumentException("The age must not be negative, but is " + olderThan);
    }
    if (maxRows < 1) {
      throw new IllegalArgumentException("maxRows must be at least 1, but is " + maxRows);
    }
    long age = -olderThan.toNanos() / 1000;
    return database.transaction(
        "remove published rows",
        statements -> {
          Slice slice = slice(statements, age, maxRows);
          int removed = slice.old().isEmpty() ? 0 : remove(statements, slice.old(), age);
          after = slice.more() ? slice.last() : null;
          return new Purged(removed, slice.more());
        });
  }

  private Slice slice(Statements statements, long age, int maxRows) throws SQLException {
    PreparedStatement statement = statements.prepare(sql.slice(after == null));
    Binding binding = new Binding(statement, dialect);
    binding.number(age);
    binding.number(age);
    if (after != null) {
      binding.id(after);
    }
    binding.number(maxRows);
    List<Object> old = new ArrayList<>();
    Object last = null;
    int rows = 0;
    boolean lastIsYoung = false;
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows++;
        last = Objects.requireNonNull(dialect.readId(result, 1, sql.kind()), "row id");
        lastIsYoung = !result.getBoolean(2);
        if (result.getBoolean(3)) {
          old.add(last);
        }
      }
    }
    boolean more = rows == maxRows && !(lastIsYoung && sql.inOrderOfCreation());
    return new Slice(old, last, more);
  }

  private int remove(Statements statements, List<Object> ids, long age) throws SQLException {
    List<String> recorded = record == null ? List.of() : events(statements, record, ids);
    PreparedStatement remove = statements.prepare(sql.remove(ids.size()));
    Binding binding = new Binding(remove, dialect);
    binding.oneOf(sql.kind(), ids);
    binding.number(age);
    int removed = remove.executeUpdate();
    String forget = sql.forget(ids.size());
    if (forget != null) {
      PreparedStatement statement = statements.prepare(forget);
      dialect.bindOneOf(statement, 1, sql.kind(), ids);
      statement.executeUpdate();
    }
    if (record != null && !recorded.isEmpty()) {
      PreparedStatement statement = statements.prepare(record.forget(recorded.size()));
      dialect.bindOneOf(statement, 1, RowIdKind.STRING, recorded);
      statement.executeUpdate();
    }
    return removed;
  }

  private List<String> events(Statements statements, RecordSql record, List<Object> ids)
      throws SQLException {
    PreparedStatement statement = statements.prepare(record.events(ids.size()));
    dialect.bindOneOf(statement, 1, sql.kind(), ids);
    List<String> events = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        events.add(result.getString(1));
      }
    }
    // One order in all transactions, so that two never wait for each other in a circle.
    events.sort(null);
    return events;
  }

  @Override
  public void close() {
    database.close();
  }
}
