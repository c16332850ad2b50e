package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.store.SeenLocks;
import io.waybill.internal.work.Ticker;
import io.waybill.store.LaneView;
import io.waybill.store.Session;
import io.waybill.store.StoreException;
import io.waybill.store.TakeOver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One relay's looks at sessions and lanes, and the end of sessions that they find dead. Used by one
 * thread.
 */
final class LaneLooks {
  private static final Logger LOG = LoggerFactory.getLogger(LaneLooks.class);
  // For clocks that run apart.
  private static final long QUIET_MARGIN_MICROS = 500_000;

  private final Database database;
  private final LaneSql sql;
  private final SessionLock lock;
  private final Ticker ticker;
  private final SeenLocks seen = new SeenLocks();
  private boolean seesLocks = true;

  LaneLooks(Database database, LaneSql sql, SessionLock lock, Ticker ticker) {
    this.database = database;
    this.sql = sql;
    this.lock = lock;
    this.ticker = ticker;
  }

  /** What one statement shows. */
  private static final class Look {
    final Map<Long, Boolean> others = new HashMap<>();
    final Set<Long> expired = new TreeSet<>();
    final Set<Integer> mine = new TreeSet<>();
    final Set<Integer> free = new TreeSet<>();
    boolean alive;
    boolean locked;
    boolean anyOther;
    int sessions;
    int lanes;
    long quietMicros;
    long connection;

    void session(ResultSet row, Session own) throws SQLException {
      long fence = row.getLong(2);
      boolean held = row.getInt(5) == 1;
      connection = row.getLong(6);
      if (fence == own.fence()) {
        alive = true;
        locked = held;
        sessions++;
        return;
      }
      if (row.getInt(7) == 0) {
        sessions++;
        anyOther |= held && row.getLong(4) >= 0;
      }
      others.put(fence, held);
      if (row.getLong(4) < 0) {
        expired.add(fence);
      }
    }

    void lane(ResultSet row, Session own) throws SQLException {
      lanes++;
      long fence = row.getLong(2);
      int lane = row.getInt(4);
      if (fence == 0) {
        free.add(lane);
      } else if (fence == own.fence()) {
        mine.add(lane);
        quietMicros = Math.max(quietMicros, row.getLong(5) + QUIET_MARGIN_MICROS);
      }
    }
  }

  /**
   * Whether the session of a relay that stays is locked. The locks have been seen then: the session
   * that looks next need not wait for the lease of one that ends meanwhile.
   */
  boolean anyOther() {
    long began = ticker.nanos();
    Look look = look(Session.NONE);
    List<Long> unused = seen.ended(place(look), look.others, began, ticker.nanos());
    return look.anyOther;
  }

  private SeenLocks.Place place(Look look) {
    return new SeenLocks.Place(database.opened(), look.connection);
  }

  /** Fences what has ended, and shows what is then. */
  LaneView view(Session session) {
    long began = ticker.nanos();
    Look look = look(session);
    List<Long> ended = seen.ended(place(look), look.others, began, ticker.nanos());
    if (look.locked) {
      lock.seen();
    } else if (look.alive && seesLocks) {
      lock.unseen(began);
    }
    List<TakeOver> takenOver = new ArrayList<>();
    Set<Long> dead = new TreeSet<>(look.expired);
    dead.addAll(ended);
    if (!dead.isEmpty()) {
      dead.forEach(fence -> takeOver(fence, ended.contains(fence), takenOver));
      look = look(session);
    }
    return new LaneView(
        look.alive,
        look.mine,
        look.sessions,
        look.free,
        look.lanes,
        (look.quietMicros + 999) / 1000,
        List.copyOf(takenOver));
  }

  private Look look(Session session) {
    if (!seesLocks) {
      return look(session, false);
    }
    try {
      return look(session, true);
    } catch (StoreException e) {
      if (e.isTransient()) {
        throw e;
      }
      // Without locks the relay works as well: only dead relays are found later.
      Look without = look(session, false);
      seesLocks = false;
      LOG.warn(
          "The locks of sessions cannot be seen here: if a relay dies, this one waits for its lease",
          e);
      return without;
    }
  }

  private Look look(Session session, boolean locks) {
    return database.call(
        "look up sessions and lanes",
        sql.look(locks),
        statement -> {
          Look look = new Look();
          try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
              if (row.getInt(1) == 0) {
                look.session(row, session);
              } else {
                look.lane(row, session);
              }
            }
          }
          return look;
        });
  }

  private void takeOver(long fence, boolean unlocked, List<TakeOver> takenOver) {
    Optional<TakeOver> done =
        database.transaction(
            "end the session of a dead relay", statements -> end(statements, fence, unlocked));
    done.ifPresent(takenOver::add);
  }

  /** Ends it if it still stands so, and nobody else is about to. */
  private Optional<TakeOver> end(Statements statements, long fence, boolean unlocked)
      throws SQLException {
    Optional<TakeOver> found = found(statements.prepare(sql.ended(seesLocks)), fence, unlocked);
    if (found.isPresent()) {
      PreparedStatement take = statements.prepare(sql.takeFrom());
      take.setLong(1, fence);
      take.setLong(2, fence);
      take.setString(3, found.get().cause().name());
      take.setLong(4, fence);
      take.setLong(5, fence);
      take.executeUpdate();
      PreparedStatement leave = statements.prepare(sql.leave());
      leave.setLong(1, fence);
      leave.executeUpdate();
    }
    return found;
  }

  private Optional<TakeOver> found(PreparedStatement statement, long fence, boolean unlocked)
      throws SQLException {
    statement.setLong(1, fence);
    statement.setLong(2, unlocked ? 1 : 0);
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      boolean lease = row.getInt(2) == 1;
      long silent =
          lease ? row.getLong(3) / 1000 : seen.silentNanos(fence, ticker.nanos()) / 1_000_000;
      return Optional.of(
          new TakeOver(
              fence,
              row.getString(1),
              row.getInt(4),
              lease ? TakeOver.Cause.LEASE_ENDED : TakeOver.Cause.SESSION_ENDED,
              silent));
    }
  }
}
