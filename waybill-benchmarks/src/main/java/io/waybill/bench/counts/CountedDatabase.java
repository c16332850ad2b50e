package io.waybill.bench.counts;

import io.waybill.database.ConnectionFactory;
import io.waybill.proof.proxy.RoundTripCounter;
import io.waybill.proof.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A database whose server counts. Those who are counted log in under names of their own, by which
 * their statements are told apart.
 *
 * @param url JDBC URL for whoever is not counted
 */
record CountedDatabase(String url) {
  private static final long MILLISECOND = 1_000_000L;
  private static final String STATEMENTS =
      """
      select u.usename, sum(s.calls)
      from pg_stat_statements s join pg_user u on u.usesysid = s.userid
      where s.dbid = (select oid from pg_database where datname = current_database())
      group by u.usename
      """;
  private static final String ROW_WRITES =
      """
      select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) from pg_stat_user_tables
      """;
  private static final String DEAD_TUPLES =
      """
      select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables
      """;
  private static final String OTHERS =
      """
      select count(*) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'
      """;

  static CountedDatabase create(PostgresServer server, String name) {
    CountedDatabase database = new CountedDatabase(server.createDatabase(name));
    database.run("create extension pg_stat_statements");
    return database;
  }

  /** Connections under a name, whose round trips count. */
  ConnectionFactory connections(String user) {
    run(
        """
        do $$ begin
          if not exists (select from pg_roles where rolname = '%s') then
            create role %s superuser login;
          end if;
        end $$"""
            .formatted(user, user));
    Properties properties = new Properties();
    properties.setProperty("socketFactory", RoundTripCounter.class.getName());
    return ConnectionFactory.postgres(url.replace("user=postgres", "user=" + user), properties);
  }

  /** Statements by user since the reset. */
  Map<String, Double> statements() {
    Map<String, Double> calls = new TreeMap<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(STATEMENTS)) {
      while (rows.next()) {
        calls.put(rows.getString(1), rows.getDouble(2));
      }
      return calls;
    } catch (SQLException e) {
      throw new IllegalStateException("Statements could not be counted", e);
    }
  }

  void resetStatements() {
    run("select pg_stat_statements_reset()");
  }

  /** Statements of a user with a word since the reset. */
  double statementsOf(String user, String word) {
    return number(
        """
        select coalesce(sum(s.calls), 0)
        from pg_stat_statements s join pg_user u on u.usesysid = s.userid
        where s.dbid = (select oid from pg_database where datname = current_database())
          and u.usename = '%s' and s.query like '%%%s%%'
        """
            .formatted(user, word));
  }

  /** Bytes of the log so far. */
  double walBytes() {
    return number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  /** Inserted, updated and deleted rows so far, of sessions that have ended. */
  double rowWrites() {
    awaitAlone();
    return number(ROW_WRITES);
  }

  double deadTuples() {
    awaitAlone();
    return number(DEAD_TUPLES);
  }

  /** A session reports its rows when it ends, which it does after its client. */
  private void awaitAlone() {
    while (number(OTHERS) > 0) {
      LockSupport.parkNanos(MILLISECOND);
    }
  }

  private double number(String sql) {
    return Double.parseDouble(text(sql));
  }

  String text(String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException("The database refused: " + sql, e);
    }
  }

  void run(String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("The database refused: " + sql, e);
    }
  }
}
