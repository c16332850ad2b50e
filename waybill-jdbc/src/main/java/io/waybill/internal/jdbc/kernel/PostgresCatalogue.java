package io.waybill.internal.jdbc.kernel;

import io.waybill.internal.sql.Identifiers;

/** Queries of the catalogue about the tables and the server. Immutable. */
public final class PostgresCatalogue {
  private final String schema;

  /**
   * SQL for the tables in one schema.
   *
   * @param schema plain name of the schema
   */
  public PostgresCatalogue(String schema) {
    this.schema = Identifiers.quote("schema", schema);
  }

  /**
   * Everything in a schema that belongs to an outbox: one row per object. Parameter: plain name of
   * the schema.
   *
   * @return statement returning a kind ({@code table}, {@code column}, {@code index}, {@code
   *     constraint}), a name and a definition
   */
  public String things() {
    return """
    with t as (
      select c.oid, c.relname, c.relkind
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ? and c.relkind in ('r', 'v')
        and (c.relname like 'waybill\\_%' or c.relname = 'processed_events')
    )
    select 'table', t.relname::text, t.relkind::text from t
    union all
    select 'column', t.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod)
    from t join pg_attribute a on a.attrelid = t.oid
    where a.attnum > 0 and not a.attisdropped
    union all
    select 'index', i.relname::text, case when x.indisvalid then 'valid' else 'invalid' end
    from t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
    union all
    select 'constraint', t.relname || '.' || k.conname,
      case when k.convalidated then 'valid' else 'invalid' end
    from t join pg_constraint k on k.conrelid = t.oid where k.contype in ('c', 'p', 'u', 'f')""";
  }

  /**
   * Whether a relay has a privilege. Parameters: table, privilege. A table's name is plain.
   *
   * @return statement returning a boolean
   */
  public String privilege() {
    return sql("select has_table_privilege('${schema}.' || ?, ?)");
  }

  /**
   * Whether the relay may use the columns that it needs. Parameters: table, privilege.
   *
   * @return statement returning a boolean
   */
  public String columnPrivilege() {
    return sql("select has_any_column_privilege('${schema}.' || ?, ?)");
  }

  /**
   * Whether the session may read the sequence of the outbox.
   *
   * @return statement returning a boolean
   */
  public String sequencePrivilege() {
    return sql("select has_sequence_privilege('${schema}.waybill_outbox_id_seq', 'SELECT')");
  }

  /**
   * The server's settings, as this session sees them.
   *
   * @return statement returning names, values, and values before this session changed them; times
   *     in milliseconds; {@code role} is this session's user
   */
  public static String settings() {
    return """
    select name, setting, reset_val from pg_settings
    where name in ('server_version_num', 'server_encoding', 'default_transaction_read_only',
      'fsync', 'full_page_writes', 'synchronous_commit', 'zero_damaged_pages',
      'ignore_checksum_failure', 'autovacuum', 'track_counts', 'enable_indexscan', 'lock_timeout',
      'idle_session_timeout', 'transaction_timeout', 'max_connections',
      'superuser_reserved_connections', 'reserved_connections', 'synchronous_standby_names',
      'max_slot_wal_keep_size')
    union all
    select 'in_recovery', case when pg_is_in_recovery() then 'on' else 'off' end, null
    union all
    select 'identity_shown',
      case when has_function_privilege('pg_catalog.pg_control_system()', 'execute')
        then 'on' else 'off' end, null
    union all
    select 'role', quote_ident(session_user), null""";
  }

  /**
   * The surroundings of the server: connections, readers of its log, and commit modes of roles.
   *
   * @return statement returning one row of named columns
   */
  public static String cluster() {
    return """
    select quote_ident(d.datname) as database, quote_ident(r.rolname) as role,
      (select sum(numbackends) from pg_stat_database) as connections,
      d.datconnlimit as database_limit,
      (select numbackends from pg_stat_database where datid = d.oid) as database_connections,
      case when r.rolsuper then -1 else r.rolconnlimit end as role_limit,
      (select count(*) from pg_stat_activity a where a.usesysid = r.oid) as role_connections,
      array(select s.slot_name::text from pg_replication_slots s where not s.active order by 1)
        as unused_slots,
      (select count(*) from pg_stat_replication w where not exists (
        select from pg_replication_slots s
        where s.active_pid = w.pid and s.slot_type = 'logical')) as standbys,
      array(select distinct quote_ident(o.rolname)
          || case c.setdatabase when 0 then '' else ' in database ' || quote_ident(d.datname) end
        from pg_db_role_setting c join pg_roles o on o.oid = c.setrole
        where c.setdatabase in (0, d.oid) and o.oid <> r.oid
          and 'synchronous_commit=off' = any (c.setconfig) order by 1) as careless_roles,
      (select last_failed_wal from pg_stat_archiver
        where last_failed_time > coalesce(last_archived_time, '-infinity')) as failed_wal
    from pg_database d, pg_roles r
    where d.datname = current_database() and r.rolname = session_user""";
  }

  /**
   * Finds hazards of existing tables. Parameters: two arrays, schemas and names of the tables, the
   * outbox first; whether it is Waybill's own table; whether its rows are deleted.
   *
   * @return statement returning the name of a check, the table, the problem, and a statement that
   *     fixes it
   */
  public static String hazards() {
    return """
    with given as (
      select cast(? as text[]) as schemas, cast(? as text[]) as names,
        cast(? as boolean) as own, cast(? as boolean) as deleted
    ), t as (
      select c.oid, c.relname, c.relpersistence, c.reloptions, g.own, g.deleted, o.n = 1 as outbox,
        format('%I.%I', n.nspname, c.relname) as qualified
      from given g, unnest(g.schemas, g.names) with ordinality as o (schema, name, n)
      join pg_namespace n on n.nspname = o.schema
      join pg_class c on c.relnamespace = n.oid and c.relname = o.name and c.relkind in ('r', 'p')
    )
    select 'POSTGRESQL_TABLE_UNLOGGED', t.relname::text, '',
      format('alter table %s set logged', t.qualified)
    from t where t.relpersistence = 'u'
    union all
    select 'POSTGRESQL_ROWS_HIDDEN', t.relname, '',
      format('alter table %s disable row level security', t.qualified)
    from t where row_security_active(t.oid)
    union all
    select 'POSTGRESQL_TABLE_NOT_VACUUMED', t.relname, '',
      format('alter table %s reset (autovacuum_enabled)', t.qualified)
    from t where exists (select from pg_options_to_table(t.reloptions)
      where option_name = 'autovacuum_enabled' and not option_value::boolean)
    union all
    select 'POSTGRESQL_RULE', t.relname, r.rulename,
      format('drop rule %I on %s', r.rulename, t.qualified)
    from t join pg_rewrite r on r.ev_class = t.oid
    where r.is_instead and r.ev_type <> '1' and r.ev_enabled <> 'D'
    union all
    -- Bits of tgtype: 1 for each row, 2 before, 4 insert, 8 delete, 16 update.
    select 'TABLE_TRIGGER', t.relname, g.tgname,
      format('alter table %s disable trigger %I', t.qualified, g.tgname)
    from t join pg_trigger g on g.tgrelid = t.oid
    where not g.tgisinternal and g.tgenabled <> 'D' and g.tgtype & 3 = 3
      and (g.tgtype & 8 = 8 or t.own or not t.outbox)
    union all
    select 'TABLE_REFERENCED', t.relname, k.conrelid::regclass::text,
      format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname)
    from t join pg_constraint k on k.confrelid = t.oid
    where t.outbox and t.deleted and k.contype = 'f' and k.conrelid not in (select oid from t)
    union all
    select 'POSTGRESQL_PUBLISHED_TWICE', t.relname, p.pubname,
      format('alter publication %I drop table %s', p.pubname, t.qualified)
    from t join pg_publication_rel m on m.prrelid = t.oid join pg_publication p on p.oid = m.prpubid
    where t.outbox
    union all
    select case when t.own then 'POSTGRESQL_SEQUENCE_CACHED' else 'ADOPTED_SEQUENCE_CACHED' end,
      t.relname, a.attname, format('alter sequence %s cache 1', q.seqrelid::regclass)
    from t join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid
        and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      join pg_sequence q on q.seqrelid = d.objid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where t.outbox and q.seqcache <> 1
    union all
    select 'TABLE_IDS_RUN_OUT', t.relname, a.attname,
      format('alter sequence %s as bigint maxvalue 9223372036854775807; '
        'alter table %s alter %I type bigint', q.seqrelid::regclass, t.qualified, a.attname)
    from t join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid
        and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      join pg_sequence q on q.seqrelid = d.objid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where t.outbox
      -- PostgreSQL 14 to 16 fail without the privilege.
      and case when has_sequence_privilege(q.seqrelid, 'SELECT')
        then pg_sequence_last_value(q.seqrelid) end > 0.8 * least(q.seqmax,
        case a.atttypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647
          else 9223372036854775807 end)
    order by 1, 2, 3""";
  }

  /**
   * Whether the rows are of this server and the lanes complete.
   *
   * @return statement returning whether a row comes from a later transaction than any so far, the
   *     number of lanes, the highest lane, and the text of the lane's expression
   */
  public String state() {
    return sql(
        """
        select coalesce((
            -- PostgreSQL 14 and 15 know no max of an xid8.
            select o.xid >= pg_snapshot_xmax(pg_current_snapshot())
              and not pg_visible_in_snapshot(o.xid, pg_current_snapshot())
            from ${schema}.waybill_outbox o order by o.xid desc limit 1), false),
          (select count(*) from ${schema}.waybill_lane),
          (select coalesce(max(lane), -1) from ${schema}.waybill_lane),
          (select pg_get_expr(d.adbin, d.adrelid)
            from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
            where a.attname = 'lane' and d.adrelid = '${schema}.waybill_outbox'::regclass)""");
  }

  /**
   * Assigns the number of this transaction to rows of another server's history.
   *
   * @return update statement
   */
  public String restamp() {
    return sql(
        """
        update ${schema}.waybill_outbox set xid = pg_current_xact_id()
        where xid > pg_current_xact_id()""");
  }

  private String sql(String template) {
    return template.replace("${schema}", schema);
  }
}
