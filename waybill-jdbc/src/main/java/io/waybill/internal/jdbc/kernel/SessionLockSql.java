package io.waybill.internal.jdbc.kernel;

import io.waybill.database.SideNames;
import org.jspecify.annotations.Nullable;

/**
 * How a database knows that a relay's session has ended: a lock that ends with the connection that
 * took it. Locks are those of one server, and of nobody but Waybill: their names hold the table of
 * sessions and the fence.
 *
 * @param take takes the lock of a session, without waiting; its parameter is the fence; returns
 *     whether this connection has it
 * @param release lets it go on the connection that has it; its parameter is the fence
 * @param locked condition: whether anybody has the lock of the session {@code s.fence}
 * @param connection expression for the number of the server's connection
 * @param start prepares the connection that holds a lock, and rests
 */
public record SessionLockSql(
    String take, String release, String locked, String connection, SessionStart start) {
  /**
   * Advisory locks of PostgreSQL, with the table's number and the fence's lower bits as their name.
   *
   * @param table quoted name of the table of sessions
   */
  static SessionLockSql postgres(String table) {
    String oid = "'" + table + "'::regclass::oid";
    String name = oid + "::integer, (cast(? as bigint) % 2147483648)::integer";
    return new SessionLockSql(
        "select pg_try_advisory_lock(" + name + ")",
        "select pg_advisory_unlock(" + name + ")",
        // Not correlated with the session: the locks are listed once for all of them.
        """
        s.fence % 2147483648 in (
          select k.objid::bigint from pg_catalog.pg_locks k
          where k.locktype = 'advisory' and k.granted and k.objsubid = 2
            and k.classid = ${oid} and k.database = (
              select d.oid from pg_catalog.pg_database d where d.datname = current_database()))"""
            .replace("${oid}", oid),
        "pg_backend_pid()",
        new PostgresSession("set idle_session_timeout = 0"));
  }

  /**
   * Named locks of MySQL and MariaDB, which are the server's: their names, of at most 64
   * characters, hold a hash of the table's.
   *
   * @param names names of the side tables
   * @param mariaDb whether it is MariaDB
   */
  static SessionLockSql mySql(SideNames names, boolean mariaDb) {
    String schema = names.schema() == null ? "database()" : text(names.schema());
    String name =
        "concat('waybill.', left(sha2(concat(%s, '.', %s), 256), 24), '.', ${fence})"
            .formatted(schema, text(names.prefix() + "session"));
    return new SessionLockSql(
        "select get_lock(" + name.replace("${fence}", "?") + ", 0) = 1",
        "select release_lock(" + name.replace("${fence}", "?") + ")",
        "is_used_lock(" + name.replace("${fence}", "s.fence") + ") is not null",
        "connection_id()",
        new MySqlSession(mariaDb));
  }

  private static String text(@Nullable String name) {
    return "'" + name + "'";
  }
}
