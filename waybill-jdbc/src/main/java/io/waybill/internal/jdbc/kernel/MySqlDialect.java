package io.waybill.internal.jdbc.kernel;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.sql.Identifiers;
import io.waybill.layout.RowIdKind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tables of any layout on MySQL 8.0.16 or MariaDB 10.6, or later. */
public final class MySqlDialect implements SqlDialect {
  private static final String EPOCH = "timestamp'1970-01-01 00:00:00.000000'";
  // Bytes can double in a statement, and servers take 16 MiB by default.
  public static final long MAX_STATEMENT_BYTES = 7L << 20;

  // Rows that the driver holds at a time: the reader stops by bytes between them.
  private static final int FETCH = 64;
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private final boolean mariaDb;

  private MySqlDialect(boolean mariaDb) {
    this.mariaDb = mariaDb;
  }

  /**
   * The dialect of MySQL.
   *
   * @return dialect
   */
  public static MySqlDialect mySql() {
    return new MySqlDialect(false);
  }

  /**
   * The dialect of MariaDB.
   *
   * @return dialect
   */
  public static MySqlDialect mariaDb() {
    return new MySqlDialect(true);
  }

  @Override
  public DatabaseKind kind() {
    return mariaDb ? DatabaseKind.MARIADB : DatabaseKind.MYSQL;
  }

  @Override
  public String quote(String name) {
    return '`' + Identifiers.checkOnServer("table or column", name) + '`';
  }

  @Override
  public String now() {
    return "utc_timestamp(6)";
  }

  @Override
  public String clock() {
    return now();
  }

  @Override
  public String micros(String timestamp) {
    return "timestampdiff(microsecond, " + EPOCH + ", " + timestamp + ")";
  }

  @Override
  public String timestamp(String micros) {
    return later(EPOCH, micros);
  }

  @Override
  public String later(String timestamp, String micros) {
    return "(" + timestamp + " + interval " + micros + " microsecond)";
  }

  @Override
  public String text(String column) {
    return "cast(" + column + " as char)";
  }

  @Override
  public String sameText(String column) {
    // The column's own comparison for the index, and a bytewise one, since it may fold case.
    return "(" + column + " = ? and cast(" + text(column) + " as binary) = cast(? as binary))";
  }

  @Override
  public String bytewise(String text) {
    return "convert(" + text + " using utf8mb4) collate " + collation();
  }

  @Override
  public @Nullable Object parseId(String text, RowIdKind kind) {
    return kind == RowIdKind.LONG ? Numbers.parse(text) : text;
  }

  @Override
  public String sideId(String column, RowIdKind kind) {
    // The tables beside the outbox have its type and collation.
    return column;
  }

  /** Compares every byte, trailing blanks too. */
  private String collation() {
    return mariaDb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
  }

  @Override
  public boolean followsStatistics() {
    // The range of an index is counted there for each statement.
    return false;
  }

  @Override
  public String oneOf(String column, int ids) {
    return Places.oneOf(column, ids);
  }

  @Override
  public int bindOneOf(PreparedStatement statement, int index, RowIdKind kind, List<?> ids)
      throws SQLException {
    int places = Places.padded(ids.size());
    for (int i = 0; i < places; i++) {
      Object id = ids.get(Math.min(i, ids.size() - 1));
      if (id instanceof Long number) {
        statement.setLong(index + i, number);
      } else {
        statement.setString(index + i, id.toString());
      }
    }
    return index + places;
  }

  @Override
  public @Nullable Object readId(ResultSet result, int column, RowIdKind kind) throws SQLException {
    if (kind != RowIdKind.LONG) {
      return result.getString(column);
    }
    long id = result.getLong(column);
    return result.wasNull() ? null : (Long) id;
  }

  @Override
  public String deleteByKey(String table, String condition) {
    return "delete o from " + table + " as o force index (primary) where " + condition;
  }

  @Override
  public String updateByKey(String table, String changes, String condition) {
    return "update " + table + " force index (primary) set " + changes + " where " + condition;
  }

  @Override
  public String conflicting(String table) {
    return table;
  }

  @Override
  public String onConflict(String key) {
    return "on duplicate key update ";
  }

  /**
   * The word in a comment that servers execute. If a statement begins with the plain word,
   * MariaDB's driver sends a batch of it as one command. Servers from MariaDB 11.5 on refuse that
   * for a query (error 1295).
   */
  @Override
  public String insertOfBatch() {
    return "/*! insert */";
  }

  @Override
  public String stored(String column) {
    return column;
  }

  @Override
  public String incoming(String column) {
    return "values(" + column + ")";
  }

  @Override
  public String shareLock() {
    return "lock in share mode";
  }

  @Override
  public String bounded(String query, RowBound bound) {
    return query;
  }

  @Override
  public boolean boundsBytes() {
    return false;
  }

  @Override
  public int fetchSize() {
    return FETCH;
  }

  @Override
  public SessionLockSql sessionLock(SideNames names) {
    return SessionLockSql.mySql(names, mariaDb);
  }

  @Override
  public StorageSql storage() {
    return StorageSql.mySql(this, mariaDb);
  }

  @Override
  public LogFlush logFlush() {
    // InnoDB shows what is committed before the log of the commit is on disk.
    return new LogFlush.ByCommit();
  }

  @Override
  public String tableOptions() {
    return "engine = InnoDB character set utf8mb4 collate " + collation();
  }

  @Override
  public ServerHistory history() {
    return new MySqlHistory(mariaDb, true);
  }

  @Override
  public String folder() {
    return "mysql";
  }

  @Override
  public String idType(RowIdKind kind) {
    return kind == RowIdKind.LONG ? "bigint" : "varchar(255)";
  }

  @Override
  public SessionStart operatorSession() {
    return new MySqlSession(mariaDb);
  }

  @Override
  public SessionStart readerSession() {
    return new MySqlSession(mariaDb);
  }

  @Override
  public SessionStart writerSession() {
    return new MySqlSession(mariaDb);
  }

  @Override
  public String columns() {
    return """
    select column_name, column_type, coalesce(character_maximum_length, 0),
      coalesce(character_octet_length, 0), is_nullable = 'YES',
      column_default is not null or extra like '%auto_increment%',
      coalesce(generation_expression, '') <> ''
    from information_schema.columns
    where table_schema = coalesce(?, database()) and table_name = ?""";
  }

  @Override
  public String uniqueKeys() {
    return """
    select index_name, column_name
    from information_schema.statistics
    where table_schema = coalesce(?, database()) and table_name = ? and non_unique = 0""";
  }

  @Override
  public String parameter(String type) {
    return "?";
  }

  @Override
  public String idParameter(RowIdKind kind) {
    return "?";
  }

  @Override
  public String timeParameter(String type) {
    // Such a column takes times in the session's time zone.
    return isZoned(type) ? "from_unixtime(cast(? as decimal(20, 6)))" : "?";
  }

  @Override
  public String timeText(Instant time, String type) {
    return isZoned(type)
        ? "%d.%06d".formatted(time.getEpochSecond(), time.getNano() / 1000)
        : MICROS.format(time.atOffset(ZoneOffset.UTC));
  }

  @Override
  public String timeNow(String type) {
    return isZoned(type) ? "current_timestamp(6)" : now();
  }

  @Override
  public boolean stampsTransactions() {
    return false;
  }

  @Override
  public boolean isZoned(String type) {
    return type.startsWith("timestamp");
  }

  @Override
  public String insertedId() {
    // All rows of one INSERT of values get their ids at once; the function tells the first.
    return "last_insert_id() + ? * @@auto_increment_increment";
  }

  @Override
  public String byPrimaryKey(String table, String alias) {
    return table + " " + alias + " force index (primary)";
  }

  @Override
  public long maxStatementBytes() {
    return MAX_STATEMENT_BYTES;
  }

  @Override
  public @Nullable UniqueViolation uniqueViolation(SQLException failure) {
    return MySqlErrors.uniqueViolation(failure);
  }

  @Override
  public String names(SQLException failure) {
    return MySqlErrors.names(failure);
  }
}
