package io.waybill.jdbc.dialect;

/** What the catalogue of MySQL and MariaDB says about the tables and the server. Immutable. */
public final class MySqlCatalogue {
  private final String schema;

  /**
   * SQL for the tables in one database.
   *
   * @param schema plain name of the database
   */
  public MySqlCatalogue(String schema) {
    // Checks the name, which stands in the statements as it is.
    Identifiers.quote("schema", schema);
    this.schema = schema;
  }

  /**
   * Quotes an identifier.
   *
   * @param what what the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier in backticks
   * @throws IllegalArgumentException if it is not of the form {@code [A-Za-z_][A-Za-z0-9_]{0,62}}
   */
  public static String quote(String what, String identifier) {
    return Identifiers.quote(what, identifier).replace('"', '`');
  }

  /**
   * Everything in a database that belongs to an outbox: one row per thing.
   *
   * @return statement returning a kind ({@code table}, {@code column}, {@code index}, {@code
   *     constraint}), a name and a definition
   */
  public String things() {
    return sql(
        """
        select 'table', table_name, table_type
        from information_schema.tables where table_schema = ${name} and ${mine}
        union all
        select 'column', concat(table_name, '.', column_name), column_type
        from information_schema.columns where table_schema = ${name} and ${mine}
        union all
        select distinct 'index', index_name, 'valid'
        from information_schema.statistics where table_schema = ${name} and ${mine}
        union all
        select 'constraint', concat(table_name, '.', case constraint_type
          when 'PRIMARY KEY' then concat(table_name, '_pkey') else constraint_name end), 'valid'
        from information_schema.table_constraints where table_schema = ${name} and ${mine}""");
  }

  /**
   * Tables that are not of InnoDB, and text columns that are not compared as bytes of UTF-8.
   *
   * @return statement returning table name, column name (null for the table) and what it is
   */
  public String unfit() {
    return sql(
        """
        select table_name, null, engine from information_schema.tables
        where table_schema = ${name} and ${mine} and table_type = 'BASE TABLE'
          and engine <> 'InnoDB'
        union all
        select c.table_name, c.column_name, c.collation_name from information_schema.columns c
        join information_schema.tables t
          on t.table_schema = c.table_schema and t.table_name = c.table_name
        where c.table_schema = ${name} and left(c.table_name, 8) = 'waybill_'
          and t.table_type = 'BASE TABLE' and c.collation_name is not null
          and c.collation_name not in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')""");
  }

  /**
   * The server's settings. One that a product or version lacks is missing in the result.
   *
   * @return statement returning names in lower case and values
   */
  public String settings() {
    return """
    show global variables where variable_name in ('version', 'read_only', 'super_read_only',
      'innodb_read_only', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite', 'log_bin',
      'sync_binlog', 'binlog_format', 'sql_mode')""";
  }

  /**
   * The character set in which this session sends statements.
   *
   * @return statement returning a name
   */
  public String sessionCharacterSet() {
    return "select @@character_set_client";
  }

  /**
   * Whether the lanes are complete.
   *
   * @return statement returning the number of lanes, the highest lane, and the lane's expression
   */
  public String lanes() {
    return sql(
        """
        select (select count(*) from ${schema}.waybill_lane),
          (select coalesce(max(lane), -1) from ${schema}.waybill_lane),
          (select generation_expression from information_schema.columns
            where table_schema = ${name} and table_name = 'waybill_outbox'
              and column_name = 'lane')""");
  }

  /**
   * A statement that needs a privilege on a table and changes nothing.
   *
   * @param privilege {@code SELECT}, {@code INSERT}, {@code UPDATE} or {@code DELETE}
   * @param table plain name of the table
   * @param column a column to update
   * @return statement
   */
  public String probe(String privilege, String table, String column) {
    String statement =
        switch (privilege) {
          case "SELECT" -> "select 1 from ${table} limit 0";
          case "INSERT" -> "insert into ${table} select * from ${table} where 1 = 0";
          case "UPDATE" -> "update ${table} set ${column} = ${column} limit 0";
          case "DELETE" -> "delete from ${table} limit 0";
          default -> throw new IllegalArgumentException("No such privilege: " + privilege);
        };
    return sql(statement.replace("${table}", "${schema}." + table).replace("${column}", column));
  }

  private String sql(String template) {
    return template
        .replace("${mine}", "left(table_name, 8) = 'waybill_'")
        .replace("${name}", "'" + schema + "'")
        .replace("${schema}", '`' + schema + '`');
  }
}
