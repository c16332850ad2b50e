package io.waybill.internal.jdbc.kernel;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.sql.Identifiers;
import io.waybill.layout.RowIdKind;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tables of any layout on PostgreSQL 14 or later. */
public final class PostgresDialect implements SqlDialect {
  /** How to see that the log is flushed. */
  public static final LogFlush.Asked LOG_FLUSH =
      new LogFlush.Asked(
          """
          select pg_current_wal_insert_lsn()::text,
            pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn()""",
          "select cast(? as pg_lsn) <= pg_current_wal_flush_lsn()",
          // The smallest possible record: its commit flushes all log before it.
          "select pg_logical_emit_message(true, 'waybill'::text, ''::text)");

  private static final String TABLE =
      "to_regclass(coalesce(quote_ident(?) || '.', '') || quote_ident(?))";

  @Override
  public DatabaseKind kind() {
    return DatabaseKind.POSTGRESQL;
  }

  @Override
  public String quote(String name) {
    return Identifiers.quoteOnServer("table or column", name);
  }

  @Override
  public String now() {
    return "statement_timestamp()";
  }

  @Override
  public String clock() {
    return "clock_timestamp()";
  }

  @Override
  public String micros(String timestamp) {
    // Infinity counts as the epoch's begin; null stays null.
    return """
        (case when isfinite(%1$s) is not false
          then (extract(epoch from %1$s) * 1000000)::bigint else 0 end)"""
        .formatted(timestamp);
  }

  @Override
  public String timestamp(String micros) {
    return later("timestamptz 'epoch'", micros);
  }

  @Override
  public String later(String timestamp, String micros) {
    return "(" + timestamp + " + " + micros + " * interval '1 microsecond')";
  }

  @Override
  public String text(String column) {
    return column + "::text";
  }

  @Override
  public String sameText(String column) {
    return text(column) + " = ?";
  }

  @Override
  public String bytewise(String text) {
    return text + " collate \"C\"";
  }

  @Override
  public @Nullable Object parseId(String text, RowIdKind kind) {
    return switch (kind) {
      case LONG -> Numbers.parse(text);
      case STRING -> text;
      case UUID -> uuid(text);
    };
  }

  private static @Nullable UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public String sideId(String column, RowIdKind kind) {
    // A collation of the application's own would win over that of the tables beside.
    return kind == RowIdKind.STRING ? column + " collate \"default\"" : column;
  }

  @Override
  public boolean followsStatistics() {
    return true;
  }

  @Override
  public String oneOf(String column, int ids) {
    return column + " = any (?)";
  }

  @Override
  public int bindOneOf(PreparedStatement statement, int index, RowIdKind kind, List<?> ids)
      throws SQLException {
    String type =
        switch (kind) {
          case LONG -> "int8";
          case STRING -> "text";
          case UUID -> "uuid";
        };
    Array array = statement.getConnection().createArrayOf(type, ids.toArray());
    if (kind == RowIdKind.STRING) {
      // Of the column's own type: a CHAR compared with texts would not use its index.
      statement.setObject(index, array.toString(), Types.OTHER);
    } else {
      statement.setArray(index, array);
    }
    return index + 1;
  }

  @Override
  public @Nullable Object readId(ResultSet result, int column, RowIdKind kind) throws SQLException {
    return switch (kind) {
      case LONG -> result.getObject(column, Long.class);
      case STRING -> result.getString(column);
      case UUID -> result.getObject(column, UUID.class);
    };
  }

  @Override
  public String deleteByKey(String table, String condition) {
    return "delete from " + table + " as o where " + condition;
  }

  @Override
  public String updateByKey(String table, String changes, String condition) {
    return "update " + table + " set " + changes + " where " + condition;
  }

  @Override
  public String conflicting(String table) {
    return table + " as r";
  }

  @Override
  public String onConflict(String key) {
    return "on conflict (" + key + ") do update set ";
  }

  @Override
  public String stored(String column) {
    return "r." + column;
  }

  @Override
  public String incoming(String column) {
    return "excluded." + column;
  }

  @Override
  public String shareLock() {
    return "for key share";
  }

  @Override
  public String bounded(String query, RowBound bound) {
    return """
    select * from (
      select r.*, sum(case when r.c18 <= ${max_bytes} then r.c18 else 0 end) over (
        rows between unbounded preceding and 1 preceding) as before
      from (
    ${query}
      ) r
    ) r
    where coalesce(r.before, 0) < ?"""
        .replace("${max_bytes}", Integer.toString(bound.maxBytes()))
        .replace("${query}", query);
  }

  @Override
  public boolean boundsBytes() {
    return true;
  }

  @Override
  public int fetchSize() {
    return 0;
  }

  @Override
  public SessionLockSql sessionLock(SideNames names) {
    return SessionLockSql.postgres(sideTable(names, "session"));
  }

  @Override
  public StorageSql storage() {
    return StorageSql.postgres(this);
  }

  @Override
  public LogFlush logFlush() {
    return LOG_FLUSH;
  }

  @Override
  public String tableOptions() {
    return "";
  }

  @Override
  public ServerHistory history() {
    return new PostgresHistory();
  }

  @Override
  public String folder() {
    return "postgresql";
  }

  @Override
  public String idType(RowIdKind kind) {
    return switch (kind) {
      case LONG -> "bigint";
      case STRING -> "text";
      case UUID -> "uuid";
    };
  }

  @Override
  public SessionStart operatorSession() {
    return PostgresSession.operator();
  }

  @Override
  public SessionStart readerSession() {
    return PostgresSession.reader();
  }

  @Override
  public SessionStart writerSession() {
    return PostgresSession.writer();
  }

  @Override
  public String columns() {
    // Characters that a type of text is bound to are its modifier less the header's length.
    return """
    select a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.atttypid in ('varchar'::regtype, 'bpchar'::regtype) and a.atttypmod > 4
        then a.atttypmod - 4 else 0 end,
      0, not a.attnotnull, a.atthasdef or a.attidentity <> '',
      a.attgenerated <> '' or a.attidentity = 'a'
    from pg_attribute a
    where a.attrelid = ${table} and a.attnum > 0 and not a.attisdropped"""
        .replace("${table}", TABLE);
  }

  @Override
  public String uniqueKeys() {
    return """
    select c.relname, a.attname
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = ${table} and i.indisunique and i.indpred is null and i.indexprs is null"""
        .replace("${table}", TABLE);
  }

  @Override
  public String parameter(String type) {
    // A cast to a type of bounded text would cut it.
    return type.startsWith("character") || type.equals("text") ? "?" : "cast(? as " + type + ")";
  }

  @Override
  public String idParameter(RowIdKind kind) {
    return kind == RowIdKind.STRING ? "?" : "cast(? as " + idType(kind) + ")";
  }

  @Override
  public String timeParameter(String type) {
    return isZoned(type) ? "cast(? as timestamptz)" : "(cast(? as timestamptz) at time zone 'UTC')";
  }

  @Override
  public String timeText(Instant time, String type) {
    return time.toString();
  }

  @Override
  public String timeNow(String type) {
    return isZoned(type) ? "clock_timestamp()" : "(clock_timestamp() at time zone 'UTC')";
  }

  @Override
  public boolean stampsTransactions() {
    return true;
  }

  @Override
  public boolean isZoned(String type) {
    return type.endsWith("with time zone");
  }

  @Override
  public @Nullable String insertedId() {
    return null;
  }

  @Override
  public String byPrimaryKey(String table, String alias) {
    return table + " " + alias;
  }

  @Override
  public long maxStatementBytes() {
    return 32L << 20;
  }

  @Override
  public @Nullable UniqueViolation uniqueViolation(SQLException failure) {
    return PostgresErrors.uniqueViolation(failure);
  }

  @Override
  public String names(SQLException failure) {
    return PostgresErrors.names(failure);
  }
}
