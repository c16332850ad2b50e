package io.waybill.internal.jdbc.table;

import io.waybill.database.DatabaseKind;
import io.waybill.internal.jdbc.kernel.SqlDialect;

/**
 * Queries of the catalogue about a table of any layout. Names are parameters: schema, then table.
 * Immutable.
 */
public final class TableCatalogue {
  private TableCatalogue() {}

  /**
   * The columns of a table, on every database.
   *
   * @param dialect the database's dialect
   * @return statement returning name, type, whether null is allowed, default, collation if it
   *     compares anything but bytes as they are, words of an enumeration, most characters, a
   *     character set that lacks characters, whether an update changes the value, and decimals of a
   *     time's seconds
   */
  public static String columns(SqlDialect dialect) {
    return dialect.kind() != DatabaseKind.POSTGRESQL
        ? """
        select column_name, data_type, is_nullable, column_default,
          case when collation_name not in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin', 'binary')
            then collation_name end,
          case when data_type = 'enum' then column_type end,
          coalesce(character_maximum_length, 0),
          case when character_set_name not in ('utf8mb4', 'binary') then character_set_name end,
          extra like '%on update%', datetime_precision
        from information_schema.columns where table_schema = ? and table_name = ?"""
        : """
        select a.attname, t.typname, case when a.attnotnull then 'NO' else 'YES' end,
          pg_get_expr(d.adbin, d.adrelid),
          case when t.typname = 'bpchar' then 'character, which ignores trailing blanks'
            when not l.collisdeterministic then l.collname end,
          (select string_agg(quote_literal(e.enumlabel), ',') from pg_enum e
            where e.enumtypid = t.oid),
          case when t.typname in ('varchar', 'bpchar') and a.atttypmod > 4
            then a.atttypmod - 4 else 0 end,
          null, false,
          case when t.typname in ('timestamp', 'timestamptz')
            then case when a.atttypmod < 0 then 6 else a.atttypmod end end
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace
        join pg_type t on t.oid = a.atttypid
        left join pg_collation l on l.oid = a.attcollation
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attnum > 0 and not a.attisdropped and n.nspname = ? and c.relname = ?""";
  }

  /**
   * Identifies the table that a name stands for on a connection. Two servers that are copies of
   * each other differ in their start time.
   *
   * @param dialect the database's dialect
   * @return statement returning server, database and table, null if there is none; its parameter is
   *     the table's quoted name
   */
  public static String identity(SqlDialect dialect) {
    return dialect.kind() != DatabaseKind.POSTGRESQL
        ? """
        select concat(@@hostname, ':', @@port, ' (', @@server_id, ')'), database(),
          replace(case when n.name like '%`.`%' then n.name
            else concat(database(), '.', n.name) end, '`', '')
        from (select ? as name) as n"""
        : """
        select 'at port ' || current_setting('port') || ', up since '
            || to_char(pg_postmaster_start_time() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
          current_database(),
          (select format('%s.%s (%s)', n.nspname, c.relname, c.oid)
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.oid = to_regclass(?))""";
  }

  /**
   * How a table is stored.
   *
   * @param dialect the database's dialect
   * @return statement returning the kind of the table, and its storage engine where there are
   *     several
   */
  public static String table(SqlDialect dialect) {
    return dialect.kind() != DatabaseKind.POSTGRESQL
        ? """
        select table_type, engine from information_schema.tables
        where table_schema = ? and table_name = ?"""
        : """
        select case when c.relkind in ('r', 'p') then 'BASE TABLE' else 'VIEW' end, null
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ? and c.relname = ? and c.relkind in ('r', 'p', 'v', 'm', 'f')""";
  }

  /**
   * A statement that needs a privilege and changes nothing.
   *
   * @param dialect the database's dialect
   * @param privilege {@code SELECT}, {@code INSERT}, {@code UPDATE} or {@code DELETE}
   * @param table quoted name
   * @param column quoted name of a column that may be written
   * @param inserted columns that may be inserted, {@code *} for all
   * @return statement
   */
  public static String probe(
      SqlDialect dialect, String privilege, String table, String column, String inserted) {
    // Not all columns on PostgreSQL, where some may not be written; all on MySQL, where others
    // have no default.
    String columns = dialect.kind() != DatabaseKind.POSTGRESQL ? inserted : column;
    String into = columns.equals("*") ? "" : " (" + columns + ")";
    String none = " where 1 = 0";
    return switch (privilege) {
      case "SELECT" -> "select 1 from " + table + none;
      case "INSERT" ->
          "insert into " + table + into + " select " + columns + " from " + table + none;
      case "UPDATE" -> "update " + table + " set " + column + " = " + column + none;
      case "DELETE" -> "delete from " + table + none;
      default -> throw new IllegalArgumentException("No such privilege: " + privilege);
    };
  }

  /**
   * Whether this session may read a column. Parameters: schema or null, table, column.
   *
   * @param dialect the database's dialect
   * @return statement returning a boolean
   */
  public static String mayRead(SqlDialect dialect) {
    return dialect.kind() != DatabaseKind.POSTGRESQL
        ? """
        select count(*) > 0 from information_schema.columns
        where table_schema = coalesce(?, database()) and table_name = ? and column_name = ?
          and privileges like '%select%'"""
        : """
        select has_column_privilege(to_regclass(coalesce(quote_ident(?::text) || '.', '')
          || quote_ident(?::text)), ?::text, 'SELECT')""";
  }

  /**
   * Whether rows have null in a column, which hides them from all reads.
   *
   * @param table quoted name
   * @param column quoted name
   * @return statement returning a row if there is one
   */
  public static String nulls(String table, String column) {
    return "select 1 from " + table + " where " + column + " is null limit 1";
  }
}
