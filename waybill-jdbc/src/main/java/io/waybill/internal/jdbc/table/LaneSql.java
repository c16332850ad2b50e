package io.waybill.internal.jdbc.table;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.SessionLockSql;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.TableName;

/** Statements on sessions and lanes, for any database. Immutable. */
public final class LaneSql {
  private final TableTerms terms;
  private final SqlDialect dialect;
  private final SessionLockSql lock;

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
    this.lock = dialect.sessionLock(names);
  }

  /** How sessions are locked. */
  public SessionLockSql lock() {
    return lock;
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
   * Starts a session; the database generates its fence. Parameters: relay, host, version,
   * configuration, lease in microseconds.
   *
   * @return update statement
   */
  public String join() {
    return terms.sql(
        """
        insert into ${session} (relay, host, version, configuration, lease_until)
        values (?, ?, ?, ?, ${lease})"""
            .replace("${lease}", lease()));
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
   * Prolongs a session that has at least as many renewals as were answered. Parameters: lease in
   * microseconds, number of this renewal, whether it will leave (1 or 0), failing destinations,
   * fence, renewals that were answered.
   *
   * @return update statement
   */
  public String renew() {
    return terms.sql(
        """
        update ${session} set lease_until = ${lease}, renewals = greatest(renewals + 1, ?),
          renewed_at = ${now}, leaving = ?, failing = ?
        where fence = ? and renewals >= ?"""
            .replace("${lease}", lease()));
  }

  private String lease() {
    return dialect.later("${now}", "?");
  }

  /**
   * The sessions, and the lanes with their owners.
   *
   * @param locks whether the role may see locks
   * @return statement returning for a session: 0, fence, relay, the rest of its lease in
   *     microseconds, whether somebody has its lock (1 or 0), number of the server's connection,
   *     whether it will leave (1 or 0); and for a lane: 1, its owner's fence, null, lane,
   *     microseconds until it is quiet, 0, 0
   */
  public String look(boolean locks) {
    return terms.sql(
        """
        select 0, s.fence, s.relay, ${until} - ${micros_now},
          case when ${locked} then 1 else 0 end, ${connection}, s.leaving
        from ${session} s
        union all
        select 1, l.fence, null, l.lane, coalesce(${quiet} - ${micros_now}, -1000000000000), 0, 0
        from ${lane} l"""
            .replace("${until}", dialect.micros("s.lease_until"))
            .replace("${quiet}", dialect.micros("l.quiet_at"))
            .replace("${micros_now}", dialect.micros("${now}"))
            .replace("${locked}", locks ? lock.locked() : "1 = 0")
            .replace("${connection}", lock.connection()));
  }

  /**
   * Locks a session whose lease has ended or, if that is asked for, whose lock nobody has. It skips
   * a row that is locked by a relay that died inside a settlement: waiting for it would keep the
   * calling relay from its renewals. Parameters: fence, whether the end of the lock is enough (1 or
   * 0).
   *
   * @param locks whether the role may see locks
   * @return statement returning the relay, whether the lease has ended (1 or 0), microseconds since
   *     the last renewal, number of lanes
   */
  public String ended(boolean locks) {
    return terms.sql(
        """
        select s.relay, case when s.lease_until < ${now} then 1 else 0 end,
          ${micros_now} - ${renewed}, (select count(*) from ${lane} l where l.fence = s.fence)
        from ${session} s
        where s.fence = ? and (s.lease_until < ${now} or (? = 1 and not ${locked}))
        for update skip locked"""
            .replace("${micros_now}", dialect.micros("${now}"))
            .replace("${renewed}", dialect.micros("s.renewed_at"))
            .replace("${locked}", locks ? "(" + lock.locked() + ")" : "(1 = 1)"));
  }

  /**
   * Notes at the lanes of a session that they are taken from it, and until when it can have
   * messages on their way: a relay sends nothing that its lease does not outlive. Parameters: fence
   * twice, cause, fence, fence.
   *
   * @return update statement
   */
  public String takeFrom() {
    String until = "(select x.lease_until from ${session} x where x.fence = ?)";
    return terms.sql(
        """
        update ${lane} set quiet_at = case when quiet_at > ${until} then quiet_at else ${until} end,
          taken_because = ?, taken_from = (select x.relay from ${session} x where x.fence = ?),
          taken_at = ${now}
        where fence = ?"""
            .replace("${until}", until));
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
