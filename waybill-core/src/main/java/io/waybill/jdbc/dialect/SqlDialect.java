package io.waybill.jdbc.dialect;

import io.waybill.layout.RowIdKind;
import io.waybill.layout.TableName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases in the statements on tables of any layout. Expressions go in and
 * out as SQL text; values are always parameters. Immutable.
 */
public interface SqlDialect {
  /**
   * Quotes an identifier.
   *
   * @param name checked plain name
   * @return quoted name
   */
  String quote(String name);

  /**
   * Quotes the name of a table.
   *
   * @param table checked name
   * @return quoted name, with the schema if there is one
   */
  default String table(TableName table) {
    String schema = table.schema();
    return schema == null ? quote(table.name()) : quote(schema) + "." + quote(table.name());
  }

  /**
   * Time of the statement.
   *
   * @return expression
   */
  String now();

  /**
   * Time at which it is evaluated, after the statement has chosen what it sees.
   *
   * @return expression
   */
  String clock();

  /**
   * A point in time as microseconds since the epoch.
   *
   * @param timestamp column or expression
   * @return expression
   */
  String micros(String timestamp);

  /**
   * A point in time from microseconds since the epoch, such that an index on a column compared with
   * it is used.
   *
   * @param micros parameter or expression
   * @return expression
   */
  String timestamp(String micros);

  /**
   * A later point in time.
   *
   * @param timestamp point in time
   * @param micros microseconds, null makes the result null
   * @return expression
   */
  String later(String timestamp, String micros);

  /**
   * A column as text, without the blanks that pad a CHAR.
   *
   * @param column column of any type but bytes
   * @return expression
   */
  String text(String column);

  /**
   * Whether a column is a text, with its case, accents and blanks, such that an index on the column
   * is used where it is a text column.
   *
   * @param column column of any type but bytes
   * @return condition; the text is bound once for each parameter
   */
  String sameText(String column);

  /**
   * A row id from its text.
   *
   * @param text text
   * @param kind its type
   * @return row id as {@link #readId} returns it, or null if no row can have it
   */
  @Nullable Object parseId(String text, RowIdKind kind);

  /**
   * A text that is compared bytewise, whatever its column's collation.
   *
   * @param text column or expression
   * @return expression
   */
  String bytewise(String text);

  /**
   * A row id such that an index on it in the tables beside the outbox is used. The other way round,
   * from those tables to the outbox, columns are compared as they are.
   *
   * @param column row id column of the outbox
   * @param kind its type
   * @return expression
   */
  String sideId(String column, RowIdKind kind);

  /**
   * The row of a table whose id another row names. It is looked up by its id, whatever the
   * statistics say of other columns: those of a time when nothing waited promise that all that
   * waits is one row, and that it is cheap to look through it for each row of the other table.
   *
   * @param table quoted name
   * @param byId condition on the id of the alias {@code o}
   * @return what stands behind {@code from} or {@code join}, where the condition is repeated
   */
  String rowById(String table, String byId);

  /**
   * Whether a column is one of some ids. As few different texts as possible, so that few statements
   * are prepared.
   *
   * @param column column
   * @param ids number of ids, at least 1
   * @return condition
   */
  String oneOf(String column, int ids);

  /**
   * Binds the parameters of {@link #oneOf}.
   *
   * @param statement the statement
   * @param index first parameter
   * @param kind type of the ids
   * @param ids the ids
   * @return index of the parameter behind them
   * @throws SQLException when the driver refuses
   */
  int bindOneOf(PreparedStatement statement, int index, RowIdKind kind, List<?> ids)
      throws SQLException;

  /**
   * Reads a row id.
   *
   * @param result current row
   * @param column its column
   * @param kind its type
   * @return the id, or null if the column is
   * @throws SQLException when the driver refuses
   */
  @Nullable Object readId(ResultSet result, int column, RowIdKind kind) throws SQLException;

  /**
   * Deletes rows by primary key, looking at no others: an UPDATE or DELETE that scans waits for
   * rows that applications have not committed.
   *
   * @param table table, which gets the name o
   * @param condition what holds for the rows, the primary key first
   * @return statement
   */
  String deleteByKey(String table, String condition);

  /**
   * Updates rows by primary key, looking at no others.
   *
   * @param table table
   * @param changes what to set
   * @param condition what holds for the rows, the primary key first
   * @return statement
   */
  String updateByKey(String table, String changes, String condition);

  /**
   * What makes an INSERT update the row that is in its way.
   *
   * @param key primary key column, plain
   * @param columns columns to overwrite, plain
   * @return end of the statement
   */
  String orUpdate(String key, List<String> columns);

  /**
   * An INSERT of selected rows that may change rows in their way.
   *
   * @param table table
   * @param key primary key column
   * @param columns columns to insert, the key among them
   * @param query query for them
   * @param changes new value of each column to change in a row in the way, with {@link #stored} and
   *     {@link #incoming}; in the order in which they are made where that matters
   * @return statement
   */
  String insertOrChange(
      String table, String key, List<String> columns, String query, Map<String, String> changes);

  /**
   * The word that begins an {@code insert ... select} which is sent in batches.
   *
   * @return {@code insert}, so that the driver sends each row by a statement
   */
  default String insertOfBatch() {
    return "insert";
  }

  /**
   * A column of the row in the way of {@link #insertOrChange}.
   *
   * @param column column
   * @return expression
   */
  String stored(String column);

  /**
   * A column of the row that {@link #insertOrChange} could not insert.
   *
   * @param column column
   * @return expression
   */
  String incoming(String column);

  /**
   * What makes a SELECT keep rows from being deleted by others until the transaction ends.
   *
   * @return end of the statement
   */
  String shareLock();

  /**
   * A query that stops after some bytes, as far as the database can do that; the reader stops there
   * in any case.
   *
   * @param query query in order, each row's bytes in column c18
   * @param bound how large a row may be: larger ones count as nothing, since they are not read
   * @return query with one parameter more at its end if {@link #boundsBytes()}
   */
  String bounded(String query, RowBound bound);

  /**
   * Whether {@link #bounded} does something.
   *
   * @return true if the query stops
   */
  boolean boundsBytes();

  /**
   * Rows to fetch at a time when the database can't stop by bytes.
   *
   * @return the driver's fetch size, 0 for all at once
   */
  int fetchSize();

  /**
   * How to know, or make sure, that rows that can be read survive a crash.
   *
   * @return statements on the log
   */
  LogFlush logFlush();

  /**
   * Options of the tables beside the outbox.
   *
   * @return what stands behind their columns
   */
  String tableOptions();

  /**
   * Which server's history a connection leads to.
   *
   * @return how to know
   */
  ServerHistory history();

  /**
   * Name of the database in the names of resources.
   *
   * @return {@code postgresql} or {@code mysql}
   */
  String folder();

  /**
   * Type of a row id column in the tables beside the outbox, where it is not that of the outbox.
   *
   * @param kind kind of the row id
   * @return type
   */
  String idType(RowIdKind kind);

  /**
   * Sessions of operators.
   *
   * @return their start
   */
  SessionStart operatorSession();

  /**
   * Sessions that read.
   *
   * @return their start
   */
  SessionStart readerSession();

  /**
   * Sessions that write.
   *
   * @return their start
   */
  SessionStart writerSession();

  /**
   * Columns of a table. Parameters: its schema or null for that of the connection, its name.
   *
   * @return statement returning name, type as the database writes it, most characters and bytes of
   *     a text, whether it can be null, whether what is left out is given
   */
  String columns();

  /**
   * Unique keys of a table. Parameters: as for {@link #columns}.
   *
   * @return statement returning key and column, a row for each column of a key
   */
  String uniqueKeys();

  /**
   * A text as a value of a column's type.
   *
   * @param type type as {@link #columns} has it
   * @return expression with one parameter
   */
  String parameter(String type);

  /**
   * A row id, given as text.
   *
   * @param kind its type
   * @return expression with one parameter
   */
  String idParameter(RowIdKind kind);

  /**
   * Whether columns of a type hold points in time, rather than what a clock somewhere shows.
   *
   * @param type type as {@link #columns} has it
   * @return whether it has a time zone
   */
  boolean isZoned(String type);

  /**
   * Whether {@code current_timestamp} is the time at which the transaction began, rather than that
   * of the statement.
   *
   * @return true on PostgreSQL
   */
  boolean stampsTransactions();

  /**
   * A point in time as a value of a column's type.
   *
   * @param type type as {@link #columns} has it
   * @return expression with one parameter, {@link #timeText}
   */
  String timeParameter(String type);

  /**
   * The parameter of {@link #timeParameter}.
   *
   * @param time point in time, in microseconds
   * @param type type as {@link #columns} has it
   * @return text
   */
  String timeText(Instant time, String type);

  /**
   * The present time as a value of a column's type; without a time zone it is in UTC.
   *
   * @param type type as {@link #columns} has it
   * @return expression
   */
  String timeNow(String type);

  /**
   * How rows are known whose ids the database gives when they are inserted.
   *
   * @return expression for the id of a row of the session's last INSERT, whose parameter counts the
   *     rows from 0; null if that INSERT returns the ids
   */
  @Nullable String insertedId();

  /**
   * A table that is joined by its primary key, whatever the statistics say.
   *
   * @param table table
   * @param alias its name in the statement
   * @return what stands in the join
   */
  String byPrimaryKey(String table, String alias);

  /**
   * About how large one statement may be.
   *
   * @return bytes
   */
  long maxStatementBytes();

  /**
   * Reads an error.
   *
   * @param failure what the driver threw
   * @return the unique key that was violated, or null if it is another error
   */
  @Nullable UniqueViolation uniqueViolation(SQLException failure);

  /**
   * What an error is about, without values.
   *
   * @param failure what the driver threw
   * @return names of constraint, table and column, each after a comma and what it is; empty if the
   *     driver names none
   */
  String names(SQLException failure);
}
