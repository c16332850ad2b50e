package io.waybill.internal.jdbc.kernel;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.TableName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The differences between databases in statements on tables of any layout: names, times, texts, row
 * ids, changes, what a server and its sessions are like, types of columns, errors. Expressions go
 * in and out as SQL text; values are always parameters. A method that returns a text returns an
 * expression unless it says otherwise. Immutable.
 */
public interface SqlDialect {
  /** The product whose SQL this is. */
  DatabaseKind kind();

  /** Name of the database in the names of resources: {@code postgresql} or {@code mysql}. */
  String folder();

  /** Quotes a checked plain name. */
  String quote(String name);

  /** Quotes the name of a table, with the schema if there is one. */
  default String table(TableName table) {
    return table(table.schema(), table.name());
  }

  /** Quotes the name of a side table, given by its ending. */
  default String sideTable(SideNames names, String table) {
    return table(names.schema(), names.prefix() + table);
  }

  private String table(@Nullable String schema, String name) {
    return schema == null ? quote(name) : quote(schema) + "." + quote(name);
  }

  /**
   * Puts the names of an outbox's side tables into a statement, in place of {@code ${session}},
   * {@code ${lane}} and so on, as {@link SideNames#tables} lists them.
   *
   * @param names the names
   * @param template statement with placeholders
   * @return statement
   */
  default String fill(SideNames names, String template) {
    String filled = template;
    for (String table : SideNames.tables()) {
      filled = filled.replace("${" + table + "}", sideTable(names, table));
    }
    return filled;
  }

  /** Time of the statement. */
  String now();

  /** Time of evaluation, after the statement has chosen its snapshot. */
  String clock();

  /** A point in time as microseconds since the epoch. */
  String micros(String timestamp);

  /**
   * A point in time from microseconds since the epoch, in a form that lets the database use an
   * index on a column compared with it.
   */
  String timestamp(String micros);

  /** A point in time some microseconds later; null if they are. */
  String later(String timestamp, String micros);

  /**
   * What follows another condition to select rows by their creation time, such that an index on the
   * column serves.
   *
   * @param range the range
   * @param column column of the creation time
   * @return condition, nothing for all rows
   */
  default String and(TimeRange range, String column) {
    String lower = range.from() == null ? "" : " and " + column + " >= " + instant(range.from());
    String upper = range.until() == null ? "" : " and " + column + " < " + instant(range.until());
    return lower + upper;
  }

  private String instant(Instant instant) {
    long micros =
        Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    return timestamp(Long.toString(micros));
  }

  /** A column of any type but bytes as text, without the blanks that pad a CHAR. */
  String text(String column);

  /**
   * Whether a column of any type but bytes equals a text exactly, with case, accents and blanks, in
   * a form that lets the database use an index on a text column. The text is bound once for each
   * parameter.
   */
  String sameText(String column);

  /** A text that is compared bytewise, whatever its column's collation. */
  String bytewise(String text);

  /**
   * A row id from its text.
   *
   * @param text text
   * @param kind its type
   * @return row id as {@link #readId} returns it, or null if no row can have it
   */
  @Nullable Object parseId(String text, RowIdKind kind);

  /**
   * A row id of the outbox in a form that lets the database use an index on it in the side tables.
   * In the other direction, from the side tables to the outbox, columns are compared unchanged.
   */
  String sideId(String column, RowIdKind kind);

  /** Type of a row id column in the side tables, if it differs from that of the outbox. */
  String idType(RowIdKind kind);

  /** A row id, given as text: an expression with one parameter. */
  String idParameter(RowIdKind kind);

  /**
   * How to identify rows whose ids the database generates.
   *
   * @return expression for the id of a row of the session's last INSERT, whose parameter counts the
   *     rows from 0; null if that INSERT returns the ids
   */
  @Nullable String insertedId();

  /**
   * Whether a column is one of several ids, at least one. Returns as few different texts as
   * possible, to keep the number of prepared statements low.
   */
  String oneOf(String column, int ids);

  /**
   * Binds the parameters of {@link #oneOf}.
   *
   * @param statement the statement
   * @param index first parameter
   * @param kind type of the ids
   * @param ids the ids
   * @return index of the parameter after them
   * @throws SQLException when the driver refuses
   */
  int bindOneOf(PreparedStatement statement, int index, RowIdKind kind, List<?> ids)
      throws SQLException;

  /** Reads a row id from a column of the current row; null if the column is. */
  @Nullable Object readId(ResultSet result, int column, RowIdKind kind) throws SQLException;

  /** Whether statistics can make it read many rows where another row names one by its id. */
  boolean followsStatistics();

  /** A table of a join, with an alias, joined by its primary key whatever the statistics. */
  String byPrimaryKey(String table, String alias);

  /**
   * A statement that deletes rows by primary key, without scanning others: an UPDATE or DELETE that
   * scans waits for rows that applications have not committed.
   *
   * @param table table, which gets the name o
   * @param condition condition of the rows, the primary key first
   * @return statement
   */
  String deleteByKey(String table, String condition);

  /**
   * A statement that updates rows by primary key, without scanning others.
   *
   * @param table table
   * @param changes assignments
   * @param condition condition of the rows, the primary key first
   * @return statement
   */
  String updateByKey(String table, String changes, String condition);

  /**
   * The end of an INSERT that updates a conflicting row.
   *
   * @param key primary key columns, plain
   * @param columns columns to overwrite, plain
   * @return end of the statement
   */
  default String orUpdate(String key, List<String> columns) {
    return columns.stream()
        .map(column -> column + " = " + incoming(column))
        .collect(Collectors.joining(", ", onConflict(key), ""));
  }

  /**
   * An INSERT of selected rows that may change conflicting rows.
   *
   * @param table table
   * @param key primary key column
   * @param columns columns to insert, the key among them
   * @param query query for them
   * @param changes new value of each column to change in a conflicting row, with {@link #stored}
   *     and {@link #incoming}; in the order of their execution if that matters
   * @return statement
   */
  default String insertOrChange(
      String table, String key, List<String> columns, String query, Map<String, String> changes) {
    String assignments =
        changes.entrySet().stream()
            .map(change -> change.getKey() + " = " + change.getValue())
            .collect(Collectors.joining(", "));
    return "insert into %s (%s)\n%s\n%s%s"
        .formatted(
            conflicting(table), String.join(", ", columns), query, onConflict(key), assignments);
  }

  /** The words between an INSERT and what it changes in a row with the same key. */
  String onConflict(String key);

  /** The table of an INSERT whose {@link #stored} columns are read. */
  String conflicting(String table);

  /** A column of the existing row in a conflict of {@link #insertOrChange}. */
  String stored(String column);

  /** A column of the new row in a conflict. */
  String incoming(String column);

  /**
   * The word that begins an {@code insert ... select} which is sent in batches.
   *
   * @return {@code insert}, in a form that makes the driver send a statement for each row
   */
  default String insertOfBatch() {
    return "insert";
  }

  /** The clause that makes a SELECT keep others from deleting rows until the transaction ends. */
  String shareLock();

  /**
   * A query that stops after a number of bytes, if the database supports that; the reader stops
   * there in any case.
   *
   * @param query query in order, each row's bytes in column c18
   * @param bound largest size of a row: larger rows count as nothing, since they are not read
   * @return query with one parameter more at its end if {@link #boundsBytes()}
   */
  String bounded(String query, RowBound bound);

  /** Whether {@link #bounded} has an effect. */
  boolean boundsBytes();

  /** Number of rows to fetch at a time if the database can't stop by bytes; 0 for all rows. */
  int fetchSize();

  /** The approximate size limit of one statement, in bytes. */
  long maxStatementBytes();

  /** How a relay's session is locked, and how others see that. */
  SessionLockSql sessionLock(SideNames names);

  /** How to check, or ensure, that visible rows survive a crash. */
  LogFlush logFlush();

  /** Sizes of tables, and open transactions. */
  StorageSql storage();

  /** Reads the server history that a connection leads to. */
  ServerHistory history();

  /** Sessions of operators. */
  SessionStart operatorSession();

  /** Sessions that read. */
  SessionStart readerSession();

  /** Sessions that write. */
  SessionStart writerSession();

  /** The clause of options after the columns of the side tables. */
  String tableOptions();

  /**
   * Columns of a table. Parameters: its schema or null for that of the connection, its name.
   *
   * @return statement returning name, type as the database writes it, most characters and bytes of
   *     a text, whether it can be null, whether the database supplies an omitted value, whether
   *     nobody else can
   */
  String columns();

  /**
   * Unique keys of a table. Parameters: as for {@link #columns}.
   *
   * @return statement returning key and column, a row for each column of a key
   */
  String uniqueKeys();

  /** A text as a value of a type of {@link #columns}: an expression with one parameter. */
  String parameter(String type);

  /** Whether columns of a type of {@link #columns} hold points in time, rather than local times. */
  boolean isZoned(String type);

  /** Whether {@code current_timestamp} is the time at which the transaction began. */
  boolean stampsTransactions();

  /** A point in time as a value of a type of {@link #columns}; its parameter: {@link #timeText}. */
  String timeParameter(String type);

  /** The parameter of {@link #timeParameter} for a point in time, in microseconds. */
  String timeText(Instant time, String type);

  /** The present time as a value of a type of {@link #columns}; in UTC without a time zone. */
  String timeNow(String type);

  /** The unique key that an error says is violated; null for any other error. */
  @Nullable UniqueViolation uniqueViolation(SQLException failure);

  /**
   * The names in an error, without values.
   *
   * @param failure the driver's exception
   * @return names of constraint, table and column, each after a comma and its kind; empty if the
   *     driver names none
   */
  String names(SQLException failure);
}
