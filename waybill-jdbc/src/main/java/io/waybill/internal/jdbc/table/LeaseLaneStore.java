package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.store.FailingJson;
import io.waybill.internal.work.Ticker;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.RelayProcess;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.Tally;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** Ownership of lanes on any database, on one connection, and one for the session's lock. */
public final class LeaseLaneStore implements LaneStore {
  // A renewal must not wait for longer.
  private static final int LOOK_SECONDS = 2;

  private final Database database;
  private final SqlDialect dialect;
  private final LaneSql sql;
  private final BacklogSql backlog;
  private final History history;
  private final SessionLock lock;
  private final LaneLooks looks;

  /**
   * Nothing is connected before the first call.
   *
   * @param database sessions and lanes
   * @param locks the connection that holds the session's lock
   */
  public LeaseLaneStore(
      Database database,
      Database locks,
      SqlDialect dialect,
      LaneSql sql,
      BacklogSql backlog,
      History history) {
    this.database = database;
    this.history = history;
    this.dialect = dialect;
    this.sql = sql;
    this.backlog = backlog;
    this.lock = new SessionLock(locks, sql.lock(), Ticker.SYSTEM);
    this.looks = new LaneLooks(database, sql, lock, Ticker.SYSTEM);
  }

  @Override
  public boolean warmUp() {
    history.name();
    return looks.anyOther();
  }

  @Override
  public Session join(RelayProcess relay, Duration lease) {
    String name = history.name();
    Session joined =
        database.transaction(
            "start a session",
            statements -> {
              PreparedStatement statement = statements.prepareKeyed(sql.join(), "fence");
              Binding binding = new Binding(statement, dialect);
              binding.text(relay.relay());
              binding.text(relay.host());
              binding.text(relay.version());
              binding.text(relay.configuration());
              binding.number(micros(lease));
              statement.executeUpdate();
              return joined(statements, generated(statement), relay.relay(), name);
            });
    lock.hold(joined, "waybill-" + relay.relay() + "-lock");
    return joined;
  }

  private static long generated(PreparedStatement statement) throws SQLException {
    try (ResultSet keys = statement.getGeneratedKeys()) {
      keys.next();
      return keys.getLong(1);
    }
  }

  private Session joined(Statements statements, long fence, String relay, String name)
      throws SQLException {
    PreparedStatement statement = statements.prepare(sql.readSession());
    statement.setLong(1, fence);
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      return new Session(fence, relay, name, result.getLong(1), result.getLong(2));
    }
  }

  @Override
  public boolean renew(Session session, Duration lease, RelayReport report) {
    history.require(session);
    History.Renewal renewal = history.renewal(session);
    boolean alive =
        database.call(
            "renew the lease",
            sql.renew(),
            statement -> {
              statement.setLong(1, micros(lease));
              statement.setLong(2, renewal.number());
              statement.setInt(3, report.leaving() ? 1 : 0);
              statement.setString(4, FailingJson.write(report.failing()));
              statement.setLong(5, session.fence());
              statement.setLong(6, renewal.answered());
              return statement.executeUpdate() == 1;
            });
    if (alive) {
      history.renewed(session, renewal);
    }
    return alive;
  }

  private static long micros(Duration lease) {
    return lease.toNanos() / 1000;
  }

  @Override
  public LaneView view(Session session) {
    history.require(session);
    return looks.view(session);
  }

  @Override
  public Set<Integer> acquire(Session session, Set<Integer> lanes) {
    if (lanes.isEmpty()) {
      return Set.of();
    }
    history.require(session);
    return database.transaction(
        "acquire lanes",
        statements ->
            alive(statements, session) ? take(statements, session, lanes) : Set.<Integer>of());
  }

  private boolean alive(Statements statements, Session session) throws SQLException {
    PreparedStatement statement = statements.prepare(sql.holdFence());
    statement.setLong(1, session.fence());
    try (ResultSet result = statement.executeQuery()) {
      return result.next();
    }
  }

  private Set<Integer> take(Statements statements, Session session, Set<Integer> lanes)
      throws SQLException {
    PreparedStatement lock = statements.prepare(sql.free(lanes.size()));
    new Binding(lock, dialect).lanes(new TreeSet<>(lanes));
    Set<Integer> won = new TreeSet<>();
    try (ResultSet result = lock.executeQuery()) {
      while (result.next()) {
        won.add(result.getInt(1));
      }
    }
    if (!won.isEmpty()) {
      PreparedStatement take = statements.prepare(sql.take(won.size()));
      Binding binding = new Binding(take, dialect);
      binding.number(session.fence());
      binding.lanes(won);
      take.executeUpdate();
    }
    return won;
  }

  @Override
  public void release(Session session, Set<Integer> lanes) {
    if (lanes.isEmpty()) {
      return;
    }
    history.require(session);
    database.call(
        "release lanes",
        sql.release(lanes.size()),
        statement -> {
          Binding binding = new Binding(statement, dialect);
          binding.lanes(new TreeSet<>(lanes));
          binding.number(session.fence());
          return statement.executeUpdate();
        });
  }

  @Override
  public long oldestUnpublishedMillis() {
    return database.call(
        "look for the oldest event",
        backlog.oldest(),
        statement -> {
          statement.setQueryTimeout(LOOK_SECONDS);
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return Math.max(0, result.getLong(1)) / 1000;
          }
        });
  }

  @Override
  public Tally tally(int most) {
    return database.call(
        "count what does not flow",
        backlog.tally(),
        statement -> {
          statement.setQueryTimeout(LOOK_SECONDS);
          Binding binding = new Binding(statement, dialect);
          binding.number(most);
          binding.number(most);
          binding.number(most);
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return new Tally(result.getLong(1), result.getLong(2), result.getLong(3));
          }
        });
  }

  @Override
  public void leave(Session session) {
    history.require(session);
    database.call(
        "leave",
        sql.leave(),
        statement -> {
          statement.setLong(1, session.fence());
          return statement.executeUpdate();
        });
    lock.letGo();
  }

  @Override
  public void close() {
    lock.close();
    database.close();
  }
}
