package io.waybill.internal.jdbc.table;

import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.SessionLockSql;
import io.waybill.internal.work.Ticker;
import io.waybill.internal.work.Worker;
import io.waybill.store.Session;
import io.waybill.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the lock of a relay's session, on a thread and a connection of its own that does nothing
 * else. When the process ends, so does the lock, and other relays see it. When only the connection
 * ends, the lock is taken back at once. Without the lock, the relay goes on: its lease decides.
 * Thread-safe.
 */
final class SessionLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionLock.class);
  // How soon the end of a connection is noticed by drivers that do not tell of it. Others wait
  // half a second for the lock to be taken back.
  private static final Duration LOOK = Duration.ofMillis(150);
  private static final int PING_SECONDS = 1;
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration REFUSED = Duration.ofMinutes(1);
  private static final Duration LONGEST_NOT_TAKEN = Duration.ofSeconds(5);
  // What stands between may forget a connection on which nothing is sent.
  private static final Duration PING = Duration.ofSeconds(30);

  private final Database database;
  private final SessionLockSql sql;
  private final Ticker ticker;
  private final Semaphore changed = new Semaphore(0);
  private @Nullable Worker worker;
  private volatile long wanted;
  private volatile long held;
  private volatile long heldSince;
  // The session for which the connection was opened, until it has the lock.
  private volatile long connectedFor;
  private Duration notTaken = LOOK;
  private long nextPing;
  private long nextUnseen;
  private boolean unseenTold;
  private boolean closed;
  private boolean told;

  /**
   * Nothing is connected before the first {@link #hold}.
   *
   * @param database connections that no pool gets back
   * @param sql the lock's statements
   * @param ticker monotonic time
   */
  SessionLock(Database database, SessionLockSql sql, Ticker ticker) {
    this.database = database;
    this.sql = sql;
    this.ticker = ticker;
  }

  /** Holds the lock of a session from soon on, and that of an earlier one no longer. */
  synchronized void hold(Session session, String thread) {
    if (closed) {
      return;
    }
    wanted = session.fence();
    if (worker == null) {
      worker = Worker.tireless(thread, this::turn);
    }
    changed.release();
  }

  /** Lets the lock go, soon. */
  void letGo() {
    wanted = 0;
    changed.release();
  }

  /**
   * A look has not found the lock. If the thread believes to have it, and did before the look
   * began, its connection leads elsewhere: once a minute, the lock is taken anew.
   *
   * @param lookBegan when the look began, in nanoseconds of the ticker
   */
  synchronized void unseen(long lookBegan) {
    boolean due = nextUnseen == 0 || lookBegan - nextUnseen >= 0;
    if (due && held != 0 && held == wanted && lookBegan - heldSince > AGAIN.toNanos()) {
      nextUnseen = lookBegan + REFUSED.toNanos();
      held = 0;
      if (!unseenTold) {
        unseenTold = true;
        LOG.warn(
            "The session's lock is held, but not seen where the lanes are: is there a pooler or a"
                + " cluster between? It is taken anew; if this relay dies meanwhile, the others"
                + " wait for its lease");
      }
      changed.release();
    }
  }

  /** A look has found the lock. */
  synchronized void seen() {
    unseenTold = false;
  }

  private int turn() throws InterruptedException {
    long fence = wanted;
    if (fence == 0) {
      end();
      changed.acquire();
      return 0;
    }
    try {
      if (held == fence) {
        watch();
      } else {
        take(fence);
      }
    } catch (StoreException e) {
      pause(e);
    }
    return 1;
  }

  private void end() {
    held = 0;
    connectedFor = 0;
    database.drop();
  }

  private void take(long fence) throws InterruptedException {
    if (connectedFor != fence) {
      end();
      connectedFor = fence;
      notTaken = LOOK;
    }
    boolean taken =
        database.call(
            "take the session's lock",
            sql.take(),
            statement -> {
              statement.setLong(1, fence);
              try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getBoolean(1);
              }
            });
    if (taken) {
      heldSince = ticker.nanos();
      nextPing = heldSince + PING.toNanos();
      held = fence;
      // The next time on another connection.
      connectedFor = 0;
      told = false;
    } else {
      // The server has not noticed yet that the connection with the lock is gone.
      waitFor(notTaken);
      Duration longer = notTaken.multipliedBy(2);
      notTaken = longer.compareTo(LONGEST_NOT_TAKEN) > 0 ? LONGEST_NOT_TAKEN : longer;
    }
  }

  private void watch() throws InterruptedException {
    boolean watched =
        database.ask(
            "watch the session's lock",
            connection -> {
              if (!isPingDue() && connection.isWrapperFor(PGConnection.class)) {
                // Waits for what the server sends: its end is known at once, without a statement.
                connection.unwrap(PGConnection.class).getNotifications((int) LOOK.toMillis());
                return true;
              }
              if (!connection.isValid(PING_SECONDS)) {
                throw new SQLException("The connection with the session's lock has ended", "08003");
              }
              return false;
            });
    if (!watched) {
      waitFor(LOOK);
    }
  }

  private boolean isPingDue() {
    long now = ticker.nanos();
    if (now - nextPing < 0) {
      return false;
    }
    nextPing = now + PING.toNanos();
    return true;
  }

  /** At once after a lock that was held for a while: nobody must believe that the session ended. */
  private void pause(StoreException e) throws InterruptedException {
    boolean lasted = held != 0 && ticker.nanos() - heldSince > AGAIN.toNanos();
    boolean ended = held != 0;
    held = 0;
    if (wanted == 0) {
      return;
    }
    if (lasted) {
      LOG.info("The connection with the session's lock has ended; the lock is taken again");
      LOG.debug("It ended here", e);
      return;
    }
    Duration pause = ended || e.isTransient() ? AGAIN : REFUSED;
    if (!told) {
      told = true;
      LOG.warn(
          "The session's lock cannot be taken: if this relay dies, the others wait for its lease;"
              + " next try in {} s",
          pause.toSeconds(),
          e);
    }
    waitFor(pause);
  }

  private void waitFor(Duration pause) throws InterruptedException {
    if (changed.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
      changed.drainPermits();
    }
  }

  @Override
  public void close() {
    Worker running;
    synchronized (this) {
      closed = true;
      running = worker;
    }
    wanted = 0;
    // First the connection: it ends a wait for what the server sends.
    database.close();
    if (running != null) {
      running.close();
    }
  }
}
