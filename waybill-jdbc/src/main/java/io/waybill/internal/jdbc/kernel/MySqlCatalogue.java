package io.waybill.internal.jdbc.kernel;

import io.waybill.internal.sql.Identifiers;
import io.waybill.internal.text.SqlName;
import java.util.List;

/** Queries of the catalogue of MySQL and MariaDB, about the tables and the server. Immutable. */
public final class MySqlCatalogue {
  private final String schema;

  /**
   * SQL for the tables in one database.
   *
   * @param schema plain name of the database
   */
  public MySqlCatalogue(String schema) {
    // Checks the name, which stands in the statements as it is.
    Identifiers.checkOnServer("database", schema);
    this.schema = schema;
  }

  /**
   * Quotes an identifier.
   *
   * @param what kind of object that the identifier names, for the error message
   * @param identifier plain identifier
   * @return the identifier in backticks
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#FORM}
   */
  public static String quote(String what, String identifier) {
    return '`' + Identifiers.check(what, identifier) + '`';
  }

  /**
   * Quotes the name of a user or database.
   *
   * @param what kind of object that the name belongs to, for the error message
   * @param name plain name
   * @return the name in backticks
   * @throws IllegalArgumentException if it is not of the form {@link SqlName#SERVER_FORM}
   */
  public static String quoteOnServer(String what, String name) {
    return '`' + Identifiers.checkOnServer(what, name) + '`';
  }

  /**
   * Everything in a database that belongs to an outbox: one row per object.
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
   * @return statement returning table name, column name (null for the table) and its engine or
   *     collation
   */
  public String unfit() {
    return sql(
        """
        select table_name, null, engine from information_schema.tables
        where table_schema = ${name} and left(table_name, 8) = 'waybill_'
          and table_type = 'BASE TABLE' and engine <> 'InnoDB'
        union all
        select c.table_name, c.column_name, c.collation_name from information_schema.columns c
        join information_schema.tables t
          on t.table_schema = c.table_schema and t.table_name = c.table_name
        where c.table_schema = ${name} and left(c.table_name, 8) = 'waybill_'
          and t.table_type = 'BASE TABLE' and c.collation_name is not null
          and c.collation_name not in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')""");
  }

  /**
   * The server's settings. Settings that a product or version lacks are missing in the result.
   *
   * @return statement returning names in lower case and values
   */
  public String settings() {
    return """
    show global variables where variable_name in ('version', 'read_only', 'super_read_only',
      'innodb_read_only', 'innodb_flush_log_at_trx_commit', 'innodb_flush_method',
      'innodb_force_recovery', 'innodb_doublewrite', 'log_bin', 'sync_binlog',
      'binlog_format', 'sql_mode', 'unique_checks', 'foreign_key_checks', 'max_connections',
      'wsrep_on', 'group_replication_group_name', 'group_replication_single_primary_mode',
      'rpl_semi_sync_master_enabled', 'rpl_semi_sync_source_enabled',
      'rpl_semi_sync_master_wait_point', 'rpl_semi_sync_source_wait_point')""";
  }

  /**
   * The settings of this session. Settings that a product or version lacks are missing in the
   * result.
   *
   * @return statement returning names in lower case and values
   */
  public String sessionSettings() {
    return """
    show session variables where variable_name in ('character_set_client', 'tx_read_only',
      'transaction_read_only', 'sql_safe_updates', 'wait_timeout',
      'max_allowed_packet', 'max_user_connections')""";
  }

  /**
   * The largest number of rows that a query of this session returns.
   *
   * @return statement returning a number
   */
  public String selectLimit() {
    return "select @@session.sql_select_limit";
  }

  /**
   * The number of connections.
   *
   * @return statement returning a name and a number
   */
  public String connections() {
    return "show global status where variable_name = 'Threads_connected'";
  }

  /**
   * The number of replicas that read the binary log, as far as the user may see them.
   *
   * @return statement returning a number
   */
  public String replicas() {
    return "select count(*) from information_schema.processlist where command like 'Binlog Dump%'";
  }

  /**
   * Finds hazards of existing tables.
   *
   * @param outbox plain name of the outbox
   * @param own whether it is Waybill's own table
   * @param deleted whether its rows are deleted
   * @param beside plain names of its side tables
   * @return statement returning the name of a check, the table, the problem, and a statement that
   *     fixes it
   */
  public String hazards(String outbox, boolean own, boolean deleted, List<String> beside) {
    beside.forEach(name -> Identifiers.check("table", name));
    Identifiers.check("table", outbox);
    String others = "'" + String.join("', '", beside) + "'";
    return sql(
        """
        select 'TABLE_TRIGGER', event_object_table, trigger_name,
          concat('drop trigger `', trigger_schema, '`.`', trigger_name, '`')
        from information_schema.triggers
        where event_object_schema = ${name} and action_timing = 'BEFORE'
          and (event_object_table = '${outbox}' and (${own} or event_manipulation = 'DELETE')
            or event_object_table in (${others}))
        union all
        select 'TABLE_REFERENCED', referenced_table_name, table_name,
          concat('alter table `', constraint_schema, '`.`', table_name, '` drop foreign key `',
            constraint_name, '`')
        from information_schema.referential_constraints
        where ${deleted} and unique_constraint_schema = ${name}
          and referenced_table_name = '${outbox}' and table_name not in (${others})
        union all
        select 'TABLE_IDS_RUN_OUT', t.table_name, c.column_name,
          concat('alter table ${schema}.`', t.table_name, '` modify `', c.column_name, '` bigint ',
            if(c.column_type like '%unsigned%', 'unsigned ', ''), 'not null auto_increment')
        from information_schema.tables t join information_schema.columns c
          on c.table_schema = t.table_schema and c.table_name = t.table_name
        where t.table_schema = ${name} and t.table_name = '${outbox}'
          and c.extra like '%auto_increment%'
          and t.auto_increment > 0.8 * if(c.column_type like '%unsigned%', 2, 1) * case c.data_type
            when 'tinyint' then 127 when 'smallint' then 32767 when 'mediumint' then 8388607
            when 'int' then 2147483647 else 9223372036854775807 end"""
            .replace("${outbox}", outbox)
            .replace("${own}", Boolean.toString(own))
            .replace("${deleted}", Boolean.toString(deleted))
            .replace("${others}", others));
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
          case "INSERT" -> {
            String columns = table.equals("waybill_audit") ? AuditColumns.INSERTED : "*";
            String into = columns.equals("*") ? "" : " (" + columns + ")";
            yield "insert into ${table}"
                + into
                + " select "
                + columns
                + " from ${table} where 1 = 0";
          }
          case "UPDATE" -> "update ${table} set ${column} = ${column} limit 0";
          case "DELETE" -> "delete from ${table} limit 0";
          default -> throw new IllegalArgumentException("No such privilege: " + privilege);
        };
    return sql(statement.replace("${table}", "${schema}." + table).replace("${column}", column));
  }

  private String sql(String template) {
    return template
        .replace("${mine}", "(left(table_name, 8) = 'waybill_' or table_name = 'processed_events')")
        .replace("${name}", "'" + schema + "'")
        .replace("${schema}", '`' + schema + '`');
  }
}
