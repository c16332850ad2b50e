package io.waybill.internal.jdbc.kernel;

/**
 * What a database says of the size of tables, and of the transactions for whose sake it keeps what
 * was removed. Estimates of the database's own: nothing counts rows.
 *
 * @param tables sizes of tables, returning name, rows, removed rows that are still there, bytes and
 *     when they were last cleaned up, in microseconds; its parameters are the names, where {@code
 *     ${some}} stands for a condition on {@code t.name}, and the schema or null
 * @param transactions transactions that are open, the oldest first, returning kind, id, user,
 *     application, client, state, when it began in microseconds, how many began since, and the
 *     command that ends it; its parameter is how many
 * @param unpurged how many transactions of the server have removed something that is still there;
 *     empty where it is counted by table
 * @param grant asks for the statement that lets this user see all of it
 * @param freshly what makes the session ask for the present sizes, or empty
 * @param asBefore what undoes that, or empty
 */
public record StorageSql(
    String tables,
    String transactions,
    String unpurged,
    String grant,
    String freshly,
    String asBefore) {
  /** PostgreSQL: the horizon is that of one database, and slots and prepared ones hold it, too. */
  static StorageSql postgres(PostgresDialect dialect) {
    return new StorageSql(
        """
        select t.name, s.n_live_tup, s.n_dead_tup, pg_total_relation_size(t.oid), ${cleaned}
        from (select c.oid, c.relname as name, c.relnamespace from pg_class c
            where c.relkind in ('r', 'p')) t
          join pg_namespace n on n.oid = t.relnamespace
          left join pg_stat_all_tables s on s.relid = t.oid
        where ${some} and n.nspname = coalesce(cast(? as text), current_schema())
        order by 4 desc, 1"""
            .replace("${cleaned}", dialect.micros("greatest(s.last_vacuum, s.last_autovacuum)")),
        """
        select x.kind, x.id, x.owner, x.application, x.client, x.state, ${began}, x.passed, x.command
        from (
          select case when a.backend_type = 'walsender' then 'STANDBY' else 'SESSION' end as kind,
            a.pid::text as id, a.usename::text as owner, a.application_name as application,
            host(a.client_addr) as client, a.state, a.xact_start as began,
            greatest(age(a.backend_xid), age(a.backend_xmin))::bigint as passed,
            case when a.backend_type is distinct from 'walsender'
              then format('select pg_terminate_backend(%s)', a.pid) end as command
          from pg_stat_activity a
          where (a.datname = current_database() or a.datname is null)
            and a.pid <> pg_backend_pid() and a.backend_type is distinct from 'autovacuum worker'
            and (a.backend_xid is not null or a.backend_xmin is not null)
          union all
          select 'PREPARED', p.gid, p.owner::text, null, null, 'prepared', p.prepared,
            age(p.transaction)::bigint, format('rollback prepared %L', p.gid)
          from pg_prepared_xacts p where p.database = current_database()
          union all
          select 'SLOT', r.slot_name::text, null, null, null,
            case when r.active then 'in use' else 'not in use' end, null, age(r.xmin)::bigint,
            format('select pg_drop_replication_slot(%L)', r.slot_name)
          from pg_replication_slots r where r.xmin is not null) x
        order by x.passed desc, x.began limit ?"""
            .replace("${began}", dialect.micros("x.began")),
        "",
        "select format('grant pg_read_all_stats to %I', current_user)",
        "",
        "");
  }

  /** MySQL and MariaDB: one list of what is to be purged, and of transactions, for the server. */
  static StorageSql mySql(MySqlDialect dialect, boolean mariaDb) {
    String began = dialect.micros("convert_tz(x.trx_started, 'SYSTEM', '+00:00')");
    return new StorageSql(
        """
        select t.name, t.table_rows, null, t.bytes, null
        from (select table_name as name, table_rows, table_schema as place,
            data_length + index_length as bytes from information_schema.tables
            where table_type = 'BASE TABLE') t
        where ${some} and t.place = coalesce(?, database()) order by 4 desc, 1""",
        """
        select case when x.trx_mysql_thread_id = 0 then 'PREPARED' else 'SESSION' end,
          cast(x.trx_mysql_thread_id as char), p.user, null, p.host,
          concat_ws(', ', lower(x.trx_state), lower(p.command)), ${began}, null,
          case when x.trx_mysql_thread_id > 0 then concat('kill ', x.trx_mysql_thread_id) end
        from information_schema.innodb_trx x
          left join information_schema.processlist p on p.id = x.trx_mysql_thread_id
        where x.trx_mysql_thread_id <> connection_id()
        order by x.trx_started, x.trx_id limit ?"""
            .replace("${began}", began),
        mariaDb
            ? """
            select cast(variable_value as unsigned) from information_schema.global_status
            where variable_name = 'INNODB_HISTORY_LIST_LENGTH'"""
            : "select count from information_schema.innodb_metrics where name = 'trx_rseg_history_len'",
        """
        select concat('grant process on *.* to ',
          quote(left(u.name, char_length(u.name) - char_length(u.host) - 1)), '@', quote(u.host))
        from (select current_user() as name, substring_index(current_user(), '@', -1) as host) u""",
        // Else they are up to a day old.
        mariaDb
            ? ""
            : "set @waybill_expiry = @@session.information_schema_stats_expiry,"
                + " session information_schema_stats_expiry = 0",
        mariaDb ? "" : "set session information_schema_stats_expiry = @waybill_expiry");
  }
}
