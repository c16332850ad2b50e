package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;

/** Statements on sessions and lanes, for any database. Immutable. */
public final class LaneSql {
  private final TableTerms terms;
  private final SqlDialect dialect;

  /**
   * Statements for a layout.
   *
   * @param layout the layout
   * @param dialect the database's dialect
   * @param names names of its side tables
   */
  public LaneSql(Layout layout, SqlDialect dialect, SideNames names) {
    this.terms = new TableTerms(layout, dialect, names);
    this.dialect = dialect;
  }

  /**
   * Waybill's own table on PostgreSQL as a layout.
   *
   * @param schema plain name of its schema
   * @return layout
   */
  public static Layout ownLayout(String schema) {
    return Layouts.WAYBILL.table(new TableName(schema, Layouts.WAYBILL.table().name()));
  }

  /**
   * Starts a session; the database generates its fence. Parameters: relay, lease in microseconds.
   *
   * @return update statement
   */
  public String join() {
    return terms.sql("insert into ${session} (relay, lease_until) values (?, " + lease() + ")");
  }

  /**
   * The data that a session has written into its row. Parameter: fence.
   *
   * @return statement returning when it joined, in microseconds, and its renewals
   */
  public String readSession() {
    return terms.sql(
        "select "
            + dialect.micros("x.joined_at")
            + ", x.renewals from ${session} x where x.fence = ?");
  }

  /**
   * Prolongs a session that has at least the given number of renewals. Parameters: lease in
   * microseconds, fence, renewals.
   *
   * @return update statement
   */
  public String renew() {
    return terms.sql(
        "update ${session} set lease_until = "
            + lease()
            + ", renewals = renewals + 1 where fence = ? and renewals >= ?");
  }

  private String lease() {
    return dialect.later("${now}", "?");
  }

  /**
   * Counts sessions. Parameters: fence, fence.
   *
   * @return statement returning the number of sessions, whether the session is among them (1 or 0),
   *     and the number of other sessions whose lease has ended
   */
  public String sessions() {
    return terms.sql(
        """
        select count(*), coalesce(sum(case when fence = ? then 1 else 0 end), 0),
          coalesce(sum(case when lease_until < ${now} and fence <> ? then 1 else 0 end), 0)
        from ${session}""");
  }

  /**
   * Locks other sessions whose lease has ended. It skips rows that are locked by a relay that died
   * inside a settlement: waiting for them would keep the calling relay from its renewals.
   * Parameter: own fence.
   *
   * @return statement returning fences and relays
   */
  public String expired() {
    return terms.sql(
        """
        select fence, relay from ${session}
        where lease_until < ${now} and fence <> ?
        order by fence for update skip locked""");
  }

  /**
   * Ends a session, which frees its lanes. Parameter: fence.
   *
   * @return update statement
   */
  public String leave() {
    return terms.sql("delete from ${session} where fence = ?");
  }

  /**
   * Keeps a session from being fenced until the transaction ends. Parameter: fence.
   *
   * @return statement returning one row if the session is alive
   */
  public String holdFence() {
    return terms.sql("select x.fence from ${session} x where x.fence = ? ${share}");
  }

  /**
   * The lanes and their owners.
   *
   * @return statement returning lanes and fences
   */
  public String lanes() {
    return terms.sql("select lane, fence from ${lane}");
  }

  /**
   * Locks free lanes that no other session is about to acquire. Parameters: lanes.
   *
   * @param lanes number of lanes
   * @return statement returning lanes
   */
  public String free(int lanes) {
    return terms.sql(
        "select lane from ${lane} where ${lanes} and fence is null order by lane for update skip locked"
            .replace("${lanes}", dialect.oneOf("lane", lanes)));
  }

  /**
   * Acquires lanes. Parameters: fence, lanes.
   *
   * @param lanes number of lanes
   * @return update statement
   */
  public String take(int lanes) {
    return terms.sql(
        dialect.updateByKey(
            "${lane}",
            "fence = ?, changed_at = ${now}",
            dialect.oneOf("lane", lanes) + " and fence is null"));
  }

  /**
   * Frees lanes. Parameters: lanes, fence.
   *
   * @param lanes number of lanes
   * @return update statement
   */
  public String release(int lanes) {
    return terms.sql(
        dialect.updateByKey(
            "${lane}",
            "fence = null, changed_at = ${now}",
            dialect.oneOf("lane", lanes) + " and fence = ?"));
  }
}
