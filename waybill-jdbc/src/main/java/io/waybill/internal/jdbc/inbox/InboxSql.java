package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.inbox.ProcessedTable.Row;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.TableName;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of an inbox's tables in its statements, and those statements that no two databases
 * write alike. Immutable.
 */
public abstract sealed class InboxSql permits PostgresInboxSql, MySqlInboxSql {
  final SqlDialect dialect;
  final ProcessedTable processed;
  private final @Nullable String schema;
  private final String take;
  private final String takeInAnyCase;

  InboxSql(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    this.dialect = dialect;
    this.schema = schema;
    this.processed = processed;
    // Put together once: it is asked for with every event.
    this.take = takeText(false);
    this.takeInAnyCase = takeText(true);
  }

  /**
   * Statements for a database.
   *
   * @param dialect the database's dialect
   * @param schema plain name of the schema of the tables, or null for the connection's
   * @param processed table of processed events
   * @return statements
   */
  static InboxSql of(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    return switch (dialect.kind()) {
      case POSTGRESQL -> new PostgresInboxSql(dialect, schema, processed);
      case MYSQL, MARIADB -> new MySqlInboxSql(dialect, schema, processed);
    };
  }

  /**
   * Fills a template in.
   *
   * @param template statement with {@code ${processed}}, {@code ${deferred}}, {@code ${attempt}},
   *     {@code ${consumer}} and {@code ${lane}} for the tables, {@code ${now}}, {@code ${later}}
   *     for a point in time after a parameter's microseconds, and the database's words for locks
   * @return statement
   */
  String fill(String template) {
    return template
        .replace("${processed}", processed.name())
        .replace("${mine}", processed.consumer() ? "p.consumer = ?" : "1 = 1")
        .replace("${columns}", processed.columns())
        .replace("${time}", time())
        .replace("${deferred}", side("waybill_inbox_deferred"))
        .replace("${attempt}", side("waybill_inbox_attempt"))
        .replace("${consumer}", side("waybill_inbox_consumer"))
        .replace("${lane}", side("waybill_inbox_lane"))
        .replace("${share}", dialect.shareLock())
        .replace("${hold}", holdLock())
        .replace("${free}", freeLock())
        .replace("${skip}", skipDuplicates())
        .replace("${later}", dialect.later("${now}", "?"))
        .replace("${now}", dialect.now());
  }

  private String side(String table) {
    return dialect.table(new TableName(schema, table));
  }

  /** The present as the column has it, the same for a whole statement, so that an index serves. */
  abstract String time();

  /** Condition for what was processed long enough ago: negative microseconds. */
  String old() {
    return "processed_at < " + dialect.later(time(), "?");
  }

  /** A lock that {@code ${free}} passes over and {@code ${share}} does not wait for. */
  abstract String holdLock();

  /** Locks rows and passes over those that are locked. */
  abstract String freeLock();

  /** What follows an INSERT that leaves duplicates out, where there is such a thing. */
  abstract String skipDuplicates();

  /**
   * Whether a row was already there.
   *
   * @param failure the database's error
   * @return true for a duplicate key
   */
  abstract boolean isDuplicate(SQLException failure);

  /**
   * Writes one processed event unless it is there. Parameters: the row, and if it may have to wait:
   * consumer, event id, consumer, order key.
   *
   * @param inAnyCase whether it is written although its key waits, since it is deferred itself or
   *     dead
   * @return update statement; a duplicate changes no row or is {@link #isDuplicate}
   */
  String take(boolean inAnyCase) {
    return inAnyCase ? takeInAnyCase : take;
  }

  private String takeText(boolean inAnyCase) {
    String free =
        """

        where not exists (
            select 1 from ${deferred} d where d.consumer = ? and d.event_id = ?)
          and not exists (
            select 1 from ${deferred} d where d.consumer = ? and d.order_key = ?)""";
    return fill(
        "insert into ${processed} (${columns}) select "
            + row()
            + (inAnyCase ? "" : fromNothing() + free)
            + "${skip}");
  }

  /** The values of a row, each a parameter but the time. */
  abstract String row();

  /** What stands between the values of a SELECT without a table and its condition. */
  abstract String fromNothing();

  /**
   * Writes processed events unless they are there. Bound and run by {@link #takeAll}.
   *
   * @param rows number of rows
   * @return statement
   */
  abstract String takeAllText(int rows);

  /**
   * Runs the statement of {@link #takeAllText}.
   *
   * @param statement the statement
   * @param consumer the consumer
   * @param rows the rows in the order of their ids, which prevents deadlocks between transactions
   * @return ids that were written: all of them, or without duplicates if the statement leaves those
   *     out
   * @throws SQLException {@link #isDuplicate} if the statement can't leave them out: nothing was
   *     written, and the transaction continues
   */
  abstract Set<String> takeAll(PreparedStatement statement, String consumer, List<Row> rows)
      throws SQLException;

  /** Makes the first event of a key due. Parameters: consumer, order key. */
  abstract String promote();

  /** Makes due what waits behind events that others removed. Parameter: consumer. */
  abstract String promoteOrphans();

  /** Records starts. Parameters: consumer and event id of each. */
  abstract String start(int rows);

  static String startRows(int rows) {
    return "(?, ?, 1, 0)" + ", (?, ?, 1, 0)".repeat(rows - 1);
  }

  /** Registers a consumer for a table unless one is registered. Parameters: table, consumer. */
  abstract String register();

  /**
   * Removes events that were processed long ago. Parameters: consumer where the table has one, age
   * as negative microseconds, most rows.
   */
  abstract String sweepProcessed();

  /**
   * Removes old records of starts. Parameters: consumer, age as negative microseconds, most rows.
   */
  abstract String sweepAttempts();
}
