package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.kernel.History;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.Session;
import io.waybill.store.Tally;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ownership of lanes on any database, on one connection. */
public final class LeaseLaneStore implements LaneStore {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseLaneStore.class);
  // A renewal must not wait for longer.
  private static final int LOOK_SECONDS = 2;

  private final Database database;
  private final SqlDialect dialect;
  private final LaneSql sql;
  private final BacklogSql backlog;
  private final History history;

  public LeaseLaneStore(
      Database database, SqlDialect dialect, LaneSql sql, BacklogSql backlog, History history) {
    this.database = database;
    this.history = history;
    this.dialect = dialect;
    this.sql = sql;
    this.backlog = backlog;
  }

  @Override
  public Session join(String relay, Duration lease) {
    String name = history.name();
    return database.transaction(
        "start a session",
        statements -> {
          PreparedStatement statement = statements.prepareKeyed(sql.join(), "fence");
          Binding binding = new Binding(statement, dialect);
          binding.text(relay);
          binding.number(micros(lease));
          statement.executeUpdate();
          return joined(statements, generated(statement), relay, name);
        });
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
  public boolean renew(Session session, Duration lease) {
    history.require(session);
    return database.call(
        "renew the lease",
        sql.renew(),
        statement -> {
          statement.setLong(1, micros(lease));
          statement.setLong(2, session.fence());
          statement.setLong(3, session.renewals());
          return statement.executeUpdate() == 1;
        });
  }

  private static long micros(Duration lease) {
    return lease.toNanos() / 1000;
  }

  @Override
  public LaneView view(Session session) {
    history.require(session);
    Sessions sessions = sessions(session);
    if (sessions.expired()) {
      fenceExpired(session);
      sessions = sessions(session);
    }
    return view(session, sessions);
  }

  private record Sessions(boolean alive, int count, boolean expired) {}

  private Sessions sessions(Session session) {
    return database.call(
        "count sessions",
        sql.sessions(),
        statement -> {
          statement.setLong(1, session.fence());
          statement.setLong(2, session.fence());
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return new Sessions(result.getInt(2) > 0, result.getInt(1), result.getInt(3) > 0);
          }
        });
  }

  private void fenceExpired(Session session) {
    List<Session> fenced =
        database.transaction(
            "fence expired sessions",
            statements -> {
              List<Session> expired = expired(statements, session);
              PreparedStatement end = statements.prepare(sql.leave());
              for (Session gone : expired) {
                end.setLong(1, gone.fence());
                end.executeUpdate();
              }
              return expired;
            });
    for (Session gone : fenced) {
      LOG.warn(
          "Relay {} (session {}) did not renew its lease: it is fenced, and its lanes go to other"
              + " relays",
          gone.relay(),
          gone.fence());
    }
  }

  private List<Session> expired(Statements statements, Session session) throws SQLException {
    PreparedStatement statement = statements.prepare(sql.expired());
    statement.setLong(1, session.fence());
    List<Session> expired = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        expired.add(new Session(result.getLong(1), result.getString(2)));
      }
    }
    return expired;
  }

  private LaneView view(Session session, Sessions sessions) {
    return database.call(
        "look up the owners of lanes",
        sql.lanes(),
        statement -> {
          Set<Integer> mine = new TreeSet<>();
          Set<Integer> free = new TreeSet<>();
          int lanes = 0;
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              lanes++;
              long fence = result.getLong(2);
              if (result.wasNull()) {
                free.add(result.getInt(1));
              } else if (fence == session.fence()) {
                mine.add(result.getInt(1));
              }
            }
          }
          return new LaneView(sessions.alive(), mine, sessions.count(), free, lanes);
        });
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
  }

  @Override
  public void close() {
    database.close();
  }
}
