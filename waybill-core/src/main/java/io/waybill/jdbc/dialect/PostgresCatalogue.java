package io.waybill.jdbc.dialect;

/** What the catalogue says about the tables and the server. Immutable. */
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
   * Everything in a schema that belongs to an outbox: one row per thing. Parameter: plain name of
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
      where n.nspname = ? and c.relkind in ('r', 'v') and c.relname like 'waybill\\_%'
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
   * What a relay may do. Parameters: table, privilege. A table's name is plain.
   *
   * @return statement returning a boolean
   */
  public String privilege() {
    return sql("select has_table_privilege('${schema}.' || ?, ?)");
  }

  /**
   * Whether the sequence of the outbox may be looked at.
   *
   * @return statement returning a boolean
   */
  public String sequencePrivilege() {
    return sql("select has_sequence_privilege('${schema}.waybill_outbox_id_seq', 'SELECT')");
  }

  /**
   * How the server is set up.
   *
   * @return statement returning version number, in recovery, default read-only, fsync, full page
   *     writes, synchronous commit
   */
  public static String server() {
    return """
    select current_setting('server_version_num')::integer, pg_is_in_recovery(),
      current_setting('default_transaction_read_only') = 'on',
      current_setting('fsync') = 'on', current_setting('full_page_writes') = 'on',
      (select reset_val from pg_settings where name = 'synchronous_commit'),
      current_setting('server_encoding')""";
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
   * Gives rows of another server's history the number of this transaction.
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
