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
import org.jspecify.annotations.Nullable;

/**
 * The differences between databases in statements on tables of any layout. Expressions go in and
 * out as SQL text; values are always parameters. Immutable.
 */
public interface SqlDialect {
  /**
   * The product whose SQL this is.
   *
   * @return the product
   */
  DatabaseKind kind();

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
   * Puts the names of an outbox's side tables into a statement, in place of {@code ${session}},
   * {@code ${lane}}, {@code ${row_state}}, {@code ${row_context}}, {@code ${held}}, {@code
   * ${request}}, {@code ${audit}} and {@code ${destination}}.
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

  /**
   * Quotes the name of a side table.
   *
   * @param names the outbox's names
   * @param table ending of the table's name
   * @return quoted name
   */
  default String sideTable(SideNames names, String table) {
    String name = quote(names.prefix() + table);
    return names.schema() == null ? name : quote(names.schema()) + "." + name;
  }

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

  /**
   * Time of the statement.
   *
   * @return expression
   */
  String now();

  /**
   * Time of evaluation, after the statement has chosen its snapshot.
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
   * A point in time from microseconds since the epoch, in a form that lets the database use an
   * index on a column compared with it.
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
   * Whether a column equals a text exactly, with case, accents and blanks, in a form that lets the
   * database use an index on a text column.
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
   * A row id in a form that lets the database use an index on it in the side tables. In the other
   * direction, from the side tables to the outbox, columns are compared unchanged.
   *
   * @param column row id column of the outbox
   * @param kind its type
   * @return expression
   */
  String sideId(String column, RowIdKind kind);

  /**
   * The row of a table whose id another row names. The database looks it up by its id, whatever its
   * statistics say of other columns. Statistics of a time when nothing waited promise a single
   * waiting row. A plan may then look through all waiting rows for each row of the other table.
   *
   * @param table quoted name
   * @param byId condition on the id of the alias {@code o}
   * @return the text after {@code from} or {@code join}, where the condition is repeated
   */
  String rowById(String table, String byId);

  /**
   * Whether a column is one of several ids. Returns as few different texts as possible, to keep the
   * number of prepared statements low.
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
   * @return index of the parameter after them
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
   * Deletes rows by primary key, without scanning others: an UPDATE or DELETE that scans waits for
   * rows that applications have not committed.
   *
   * @param table table, which gets the name o
   * @param condition condition of the rows, the primary key first
   * @return statement
   */
  String deleteByKey(String table, String condition);

  /**
   * Updates rows by primary key, without scanning others.
   *
   * @param table table
   * @param changes assignments
   * @param condition condition of the rows, the primary key first
   * @return statement
   */
  String updateByKey(String table, String changes, String condition);

  /**
   * The clause that makes an INSERT update a conflicting row.
   *
   * @param key primary key column, plain
   * @param columns columns to overwrite, plain
   * @return end of the statement
   */
  String orUpdate(String key, List<String> columns);

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
  String insertOrChange(
      String table, String key, List<String> columns, String query, Map<String, String> changes);

  /**
   * The word that begins an {@code insert ... select} which is sent in batches.
   *
   * @return {@code insert}, in a form that makes the driver send a statement for each row
   */
  default String insertOfBatch() {
    return "insert";
  }

  /**
   * A column of the existing row in a conflict of {@link #insertOrChange}.
   *
   * @param column column
   * @return expression
   */
  String stored(String column);

  /**
   * A column of the new row in a conflict of {@link #insertOrChange}.
   *
   * @param column column
   * @return expression
   */
  String incoming(String column);

  /**
   * The clause that makes a SELECT keep others from deleting rows until the transaction ends.
   *
   * @return end of the statement
   */
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

  /**
   * Whether {@link #bounded} has an effect.
   *
   * @return true if the query stops
   */
  boolean boundsBytes();

  /**
   * Number of rows to fetch at a time if the database can't stop by bytes.
   *
   * @return the driver's fetch size, 0 for all rows
   */
  int fetchSize();

  /**
   * How to check, or ensure, that visible rows survive a crash.
   *
   * @return statements on the log
   */
  LogFlush logFlush();

  /**
   * Options of the side tables.
   *
   * @return clause after their columns
   */
  String tableOptions();

  /**
   * The server history that a connection leads to.
   *
   * @return reads the history
   */
  ServerHistory history();

  /**
   * Name of the database in the names of resources.
   *
   * @return {@code postgresql} or {@code mysql}
   */
  String folder();

  /**
   * Type of a row id column in the side tables, if it differs from that of the outbox.
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
   *     a text, whether it can be null, whether the database supplies an omitted value
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
   * @param type type in the form of {@link #columns}
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
   * Whether columns of a type hold points in time, rather than local times.
   *
   * @param type type in the form of {@link #columns}
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
   * @param type type in the form of {@link #columns}
   * @return expression with one parameter, {@link #timeText}
   */
  String timeParameter(String type);

  /**
   * The parameter of {@link #timeParameter}.
   *
   * @param time point in time, in microseconds
   * @param type type in the form of {@link #columns}
   * @return text
   */
  String timeText(Instant time, String type);

  /**
   * The present time as a value of a column's type; without a time zone it is in UTC.
   *
   * @param type type in the form of {@link #columns}
   * @return expression
   */
  String timeNow(String type);

  /**
   * How to identify rows whose ids the database generates.
   *
   * @return expression for the id of a row of the session's last INSERT, whose parameter counts the
   *     rows from 0; null if that INSERT returns the ids
   */
  @Nullable String insertedId();

  /**
   * A table that is joined by its primary key, whatever the statistics.
   *
   * @param table table
   * @param alias its name in the statement
   * @return table expression of the join
   */
  String byPrimaryKey(String table, String alias);

  /**
   * The approximate size limit of one statement.
   *
   * @return bytes
   */
  long maxStatementBytes();

  /**
   * Reads an error.
   *
   * @param failure the driver's exception
   * @return the violated unique key, or null for any other error
   */
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
