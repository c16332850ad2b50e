package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.MySqlHistory;
import io.waybill.internal.jdbc.kernel.ServerHistory;
import io.waybill.internal.jdbc.kernel.SessionStart;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.RowIdKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Statements on the tables of an inbox, for any database. Immutable. */
public abstract sealed class InboxSql permits PostgresInboxSql, MySqlInboxSql {
  // These can't end a transaction, and neither can the functions and triggers that they call.
  private static final Set<String> DATA =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "WITH", "VALUES");

  final SqlDialect dialect;
  final ProcessedTable processed;
  private final @Nullable String schema;

  InboxSql(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    this.dialect = dialect;
    this.schema = schema;
    this.processed = processed;
  }

  /**
   * Statements for a database.
   *
   * @param dialect the database's dialect
   * @param schema plain name of the schema of the tables, or null for the connection's
   * @param processed table of processed events
   * @return statements
   */
  public static InboxSql of(SqlDialect dialect, @Nullable String schema, ProcessedTable processed) {
    return switch (dialect.kind()) {
      case POSTGRESQL -> new PostgresInboxSql(dialect, schema, processed);
      case MYSQL, MARIADB -> new MySqlInboxSql(dialect, schema, processed);
    };
  }

  /**
   * Prepares a fresh connection: READ COMMITTED, bounded, without other effects on a handler's
   * statements.
   *
   * @param dialect the database's dialect
   * @return the start to run on it
   */
  public static SessionStart session(SqlDialect dialect) {
    return switch (dialect.kind()) {
      case POSTGRESQL -> new PostgresInboxSession();
      case MYSQL -> new MySqlInboxSession(false);
      case MARIADB -> new MySqlInboxSession(true);
    };
  }

  /**
   * Distinguishes servers whose committed data may differ. Nodes of a cluster count as one, since a
   * transaction of an inbox may use any of them.
   *
   * @param dialect the database's dialect
   * @return reads the server's name
   */
  public static ServerHistory history(SqlDialect dialect) {
    return switch (dialect.kind()) {
      case POSTGRESQL -> dialect.history();
      case MYSQL -> new MySqlHistory(false, false);
      case MARIADB -> new MySqlHistory(true, false);
    };
  }

  /**
   * Marks the transaction before a handler gets its connection, where the server can't report the
   * end of a transaction otherwise.
   *
   * @param connection the connection
   * @throws SQLException if the database does not answer
   */
  public abstract void guard(Connection connection) throws SQLException;

  /**
   * Whether the transaction that began with the claim has ended, although its commit would not
   * report that. Called once, before the commit.
   *
   * @param connection the connection
   * @param guarded whether {@link #guard} was called
   * @return whether the current transaction is a different one, or can only be rolled back
   * @throws SQLException if the database does not answer
   */
  public abstract boolean isAborted(Connection connection, boolean guarded) throws SQLException;

  /**
   * Marks the transaction again, after {@link #guard}, for {@link #hasEnded}.
   *
   * @param connection the connection
   * @return the mark
   * @throws SQLException if the database does not answer
   */
  public abstract String mark(Connection connection) throws SQLException;

  /**
   * Whether a marked transaction has ended and another one has begun. It must then be marked again.
   *
   * @param connection the connection
   * @param mark result of {@link #mark}
   * @return whether the current transaction is a different one
   * @throws SQLException if the database does not answer
   */
  public abstract boolean hasEnded(Connection connection, String mark) throws SQLException;

  /**
   * Whether a statement may end the transaction, itself or through the procedures that it calls. A
   * statement may, unless it is known to be safe.
   *
   * @param text the statement
   * @return false only if it can't end it
   */
  public final boolean mayEnd(String text) {
    String word = FirstWord.of(text);
    return FirstWord.isOneOfSeveral(text) || !(DATA.contains(word) || leavesAlone(word));
  }

  /** Whether no statement that begins with this word, beside those on data, ends a transaction. */
  abstract boolean leavesAlone(String word);

  /**
   * Whether some statements, for example those that define tables, commit the work before them.
   *
   * @return false if only commit and rollback end a transaction
   */
  public abstract boolean commitsImplicitly();

  /**
   * Ends an auto-commit mode that a statement of a handler may have begun unnoticed by the driver.
   * Otherwise, the next transaction on the connection would not be one.
   *
   * @param connection the connection
   * @throws SQLException if the database does not answer
   */
  public abstract void leaveAutoCommit(Connection connection) throws SQLException;

  /**
   * SQLState of a transaction that {@link #isAborted}.
   *
   * @return five characters
   */
  public abstract String abortedState();

  /**
   * Writes one processed event unless it is there. Parameters: the row, and if it may have to wait:
   * consumer, event id, consumer, order key.
   *
   * @param inAnyCase whether it is written although its key waits, since it is deferred itself or
   *     dead
   * @return update statement; a duplicate changes no row or is {@link #isDuplicate}
   */
  public abstract String take(boolean inAnyCase);

  /**
   * Writes processed events unless they are there. Bound and run by {@link #takeAll}.
   *
   * @param rows number of rows
   * @return statement
   */
  public abstract String takeAllText(int rows);

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
  public abstract Set<String> takeAll(
      PreparedStatement statement, String consumer, List<ProcessedTable.Row> rows)
      throws SQLException;

  /**
   * Removes processed events that this transaction has written. Parameters: consumer where the
   * table has one, ids.
   *
   * @param ids number of ids
   * @return update statement
   */
  public String takeBack(int ids) {
    return sql(
        "delete from ${processed} where "
            + (processed.consumer() ? "consumer = ? and " : "")
            + dialect.oneOf("event_id", ids));
  }

  /**
   * Whether a row was already there.
   *
   * @param failure the database's error
   * @return true for a duplicate key
   */
  public abstract boolean isDuplicate(SQLException failure);

  /**
   * How long ago events were processed. Parameters: consumer where the table has one, ids.
   *
   * @param ids number of ids
   * @return statement returning ids and microseconds
   */
  public String ages(int ids) {
    return sql(
        """
        select %s, %s - %s from ${processed} p where ${mine} and %s"""
            .formatted(
                dialect.text("p.event_id"),
                dialect.micros(time()),
                dialect.micros("p.processed_at"),
                dialect.oneOf("p.event_id", ids)));
  }

  /**
   * Type of the ids in {@link #ages}.
   *
   * @return how {@link SqlDialect#bindOneOf} binds them
   */
  public RowIdKind idKind() {
    return processed.uuids() ? RowIdKind.UUID : RowIdKind.STRING;
  }

  /**
   * Finds events that wait, or whose key waits. Parameters: consumer, event ids, and with keys:
   * consumer, order keys.
   *
   * @param ids number of event ids
   * @param keys number of order keys, may be 0
   * @return statement returning event ids and order keys
   */
  public String behind(int ids, int keys) {
    String byId =
        "select d.event_id, d.order_key from ${deferred} d where d.consumer = ? and "
            + dialect.oneOf("d.event_id", ids);
    String byKey =
        " union all select d.event_id, d.order_key from ${deferred} d where d.consumer = ? and ";
    return sql(keys == 0 ? byId : byId + byKey + dialect.oneOf("d.order_key", keys));
  }

  /**
   * Locks the last deferred event of a key, which keeps it from being removed before the next event
   * is behind it. Parameters: consumer, order key.
   *
   * @return statement returning a row if there is one
   */
  public String lastOfKey() {
    return sql(
        """
        select d.seq from ${deferred} d where d.consumer = ? and d.order_key = ?
        order by d.seq desc limit 1 ${share}""");
  }

  /**
   * Defers an event. Parameters: consumer, event id, event type, source, message key, order key,
   * whether it is behind, attempts, delay in microseconds, failure, dead reason, microseconds of
   * the message, headers, body.
   *
   * @return update statement; a duplicate changes no row or is {@link #isDuplicate}
   */
  public String defer() {
    return sql(
        """
        insert into ${deferred} (consumer, event_id, event_type, source, message_key, order_key,
          behind, attempts, due_at, failure, dead_reason, message_micros, headers, body)
        values (?, ?, ?, ?, ?, ?, ?, ?, %s, ?, ?, ?, ?, ?)"""
                .formatted(dialect.later("${now}", "?"))
            + skipDuplicates());
  }

  /** What follows an INSERT that leaves duplicates out, where there is such a thing. */
  abstract String skipDuplicates();

  /**
   * Locks a deferred event until the transaction ends. Parameters: consumer, event id.
   *
   * @return statement returning the owner of its claim, and its dead reason
   */
  public String hold() {
    return sql(
        """
        select d.claimed_by, d.dead_reason from ${deferred} d
        where d.consumer = ? and d.event_id = ?\s"""
            + holdLock());
  }

  /** A lock that {@link #due} passes over and {@link #lastOfKey} does not wait for. */
  abstract String holdLock();

  /**
   * Updates a deferred event and releases its claim. Parameters: attempts, delay in microseconds,
   * failure, dead reason, consumer, event id, owner.
   *
   * @return update statement
   */
  public String postpone() {
    return sql(
        """
        update ${deferred} set attempts = ?, due_at = %s, failure = ?, dead_reason = ?,
          claimed_by = null, claimed_until = null
        where consumer = ? and event_id = ? and claimed_by = ?"""
            .formatted(dialect.later("${now}", "?")));
  }

  /**
   * Removes a deferred event. Parameters: consumer, event id.
   *
   * @return update statement
   */
  public String forget() {
    return sql("delete from ${deferred} where consumer = ? and event_id = ?");
  }

  /**
   * Makes the first event of a key due. Parameters: consumer, order key.
   *
   * @return update statement
   */
  public abstract String promote();

  /**
   * Makes orphaned events due: those that wait behind events that others removed. Parameter:
   * consumer.
   *
   * @return update statement
   */
  public abstract String promoteOrphans();

  /**
   * Locks deferred events that are due and not claimed. Parameters: consumer, most rows.
   *
   * @return statement returning seq, event id, event type, source, message key, body, headers,
   *     microseconds of the message, attempts, failure, dead reason, and whether a claim expired
   */
  public String due() {
    return sql(
        """
        select d.seq, d.event_id, d.event_type, d.source, d.message_key, d.body, d.headers,
          d.message_micros, d.attempts, d.failure, d.dead_reason, d.claimed_until is not null
        from ${deferred} d
        where d.consumer = ? and d.behind = false and d.due_at <= ${now}
          and (d.claimed_until is null or d.claimed_until <= ${now})
          and not exists (select 1 from ${deferred} e
            where e.consumer = d.consumer and e.order_key = d.order_key and e.seq < d.seq)
        order by d.due_at limit ? ${free}""");
  }

  /** Locks rows and passes over those that are locked. */
  abstract String freeLock();

  /**
   * Claims deferred events. Parameters: owner, time in microseconds, seqs.
   *
   * @param rows number of events
   * @return update statement
   */
  public String claim(int rows) {
    return sql(
        "update ${deferred} set claimed_by = ?, claimed_until = %s where %s"
            .formatted(dialect.later("${now}", "?"), dialect.oneOf("seq", rows)));
  }

  /**
   * Releases claims. Parameters: consumer, owner.
   *
   * @return update statement
   */
  public String release() {
    return sql(
        """
        update ${deferred} set claimed_by = null, claimed_until = null
        where consumer = ? and claimed_by = ?""");
  }

  /**
   * Counts deferred events. Parameter: consumer.
   *
   * @return statement returning a number
   */
  public String count() {
    return sql("select count(*) from ${deferred} d where d.consumer = ?");
  }

  /**
   * Records starts. Parameters: consumer and event id of each.
   *
   * @param rows number of starts
   * @return update statement
   */
  public abstract String start(int rows);

  static String startRows(int rows) {
    return "(?, ?, 1, 0)" + ", (?, ?, 1, 0)".repeat(rows - 1);
  }

  /**
   * Marks open records, replacing existing marks. Parameters: consumer, event id and token, above
   * 0, of each.
   *
   * @param rows number of records
   * @return update statement
   */
  public abstract String openNotes(int rows);

  static String noteRows(int rows) {
    return "(?, ?, ?, 0)" + ", (?, ?, ?, 0)".repeat(rows - 1);
  }

  /**
   * Removes marks of open records. Parameters: token, consumer, event ids.
   *
   * @param ids number of events
   * @return update statement
   */
  public String closeNotes(int ids) {
    return sql(
        "delete from ${attempt} where started = ? and consumer = ? and "
            + dialect.oneOf("event_id", ids));
  }

  /**
   * Starts without an end. Parameters: consumer, event ids.
   *
   * @param ids number of events
   * @return statement returning ids and numbers of events with such starts
   */
  public String openStarts(int ids) {
    return sql(
        """
        select event_id, started - finished from ${attempt}
        where finished < started and consumer = ? and %s"""
            .formatted(dialect.oneOf("event_id", ids)));
  }

  /**
   * Records the end of a start of each event. Parameters: consumer, event ids.
   *
   * @param ids number of events
   * @return update statement
   */
  public String endStarts(int ids) {
    return sql(
        """
        update ${attempt} set finished = finished + 1
        where finished < started and consumer = ? and %s"""
            .formatted(dialect.oneOf("event_id", ids)));
  }

  /**
   * Removes the records of events. Parameters: consumer, event ids.
   *
   * @param ids number of events
   * @return update statement
   */
  public String forgetStarts(int ids) {
    return sql("delete from ${attempt} where consumer = ? and " + dialect.oneOf("event_id", ids));
  }

  /**
   * Locks the records of events. Parameters: consumer, event ids.
   *
   * @param ids number of events
   * @return statement returning the existing ids, with the number of starts or the token
   */
  public String holdStarts(int ids) {
    return sql(
        "select event_id, started from ${attempt} where consumer = ? and "
            + dialect.oneOf("event_id", ids)
            + " for update");
  }

  /**
   * Registers a consumer for a table unless one is registered. Parameters: table, consumer.
   *
   * @return update statement
   */
  public abstract String register();

  /**
   * The consumer that is registered for a table. Parameter: table.
   *
   * @return statement returning a consumer
   */
  public String registered() {
    return sql("select consumer from ${consumer} where table_name = ?");
  }

  /**
   * Records the progress of a lane. Parameters: consumer, lane, server, position.
   *
   * @return update statement
   */
  public abstract String noteLane();

  /**
   * The progress of lanes. Parameters: consumer, lanes.
   *
   * @param lanes number of lanes
   * @return statement returning lanes, servers and positions
   */
  public String lanes(int lanes) {
    return sql(
        "select l.lane, l.server, l.done_before from ${lane} l where l.consumer = ? and "
            + dialect.oneOf("l.lane", lanes));
  }

  /**
   * Removes events that were processed long ago. Parameters: consumer where the table has one, age
   * as negative microseconds, most rows.
   *
   * @return update statement
   */
  public abstract String sweepProcessed();

  /**
   * Removes old records of starts. Parameters: consumer, age as negative microseconds, most rows.
   *
   * @return update statement
   */
  public abstract String sweepAttempts();

  /** The present as the column has it, the same for a whole statement, so that an index serves. */
  abstract String time();

  /** Condition for what was processed long enough ago. */
  String old() {
    return "processed_at < " + dialect.later(time(), "?");
  }

  String sql(String template) {
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
        .replace("${free}", freeLock())
        .replace("${now}", dialect.now());
  }

  private String side(String table) {
    return schema == null
        ? dialect.quote(table)
        : dialect.quote(schema) + "." + dialect.quote(table);
  }
}
