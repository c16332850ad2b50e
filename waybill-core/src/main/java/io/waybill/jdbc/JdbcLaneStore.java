package io.waybill.jdbc;

import io.waybill.jdbc.dialect.PostgresWrites;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.Session;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ownership of lanes, on one connection. */
final class JdbcLaneStore implements LaneStore {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcLaneStore.class);

  private final Database database;
  private final PostgresWrites writes;

  JdbcLaneStore(Database database, PostgresWrites writes) {
    this.database = database;
    this.writes = writes;
  }

  @Override
  public Session join(String relay, Duration lease) {
    return database.call(
        "start a session",
        writes.join(),
        statement -> {
          statement.setString(1, relay);
          statement.setLong(2, lease.toMillis());
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return new Session(result.getLong(1), relay);
          }
        });
  }

  @Override
  public boolean renew(Session session, Duration lease) {
    return database.call(
        "renew the lease",
        writes.renew(),
        statement -> {
          statement.setLong(1, lease.toMillis());
          statement.setLong(2, session.fence());
          return statement.executeUpdate() == 1;
        });
  }

  @Override
  public LaneView view(Session session) {
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
        writes.sessions(),
        statement -> {
          statement.setLong(1, session.fence());
          statement.setLong(2, session.fence());
          try (ResultSet result = statement.executeQuery()) {
            result.next();
            return new Sessions(result.getBoolean(1), result.getInt(2), result.getBoolean(3));
          }
        });
  }

  private void fenceExpired(Session session) {
    database.call(
        "fence expired sessions",
        writes.fenceExpired(),
        statement -> {
          statement.setLong(1, session.fence());
          int count = 0;
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              count++;
              LOG.warn(
                  "Relay {} (session {}) did not renew its lease: it is fenced, and its lanes go to"
                      + " the others",
                  result.getString(2),
                  result.getLong(1));
            }
          }
          return count;
        });
  }

  private LaneView view(Session session, Sessions sessions) {
    return database.call(
        "look who owns which lane",
        writes.lanes(),
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
    return database.call(
        "acquire lanes",
        writes.acquire(),
        statement -> {
          statement.setLong(1, session.fence());
          statement.setString(2, Literals.numbers(lanes));
          Set<Integer> won = new TreeSet<>();
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              won.add(result.getInt(1));
            }
          }
          return won;
        });
  }

  @Override
  public void release(Session session, Set<Integer> lanes) {
    database.call(
        "release lanes",
        writes.release(),
        statement -> {
          statement.setString(1, Literals.numbers(lanes));
          statement.setLong(2, session.fence());
          return statement.executeUpdate();
        });
  }

  @Override
  public void leave(Session session) {
    database.call(
        "leave",
        writes.leave(),
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
