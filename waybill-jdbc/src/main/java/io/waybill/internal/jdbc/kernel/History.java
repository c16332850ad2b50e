package io.waybill.internal.jdbc.kernel;

import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import java.sql.ResultSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection leads to the server, and the point of its history, on which a session
 * stands. Another server, or one that was set back, may lack what was committed last and give out
 * the same ids and transaction numbers again. Each new connection is looked at with its first two
 * calls. Used by one thread.
 */
public final class History {
  // The first look may be under way while a renewal is answered.
  private static final int LOOKS = 2;

  private final Database database;
  private final ServerHistory server;
  private final String readSession;
  private final Renewals answered;
  private int named;
  private int looked;
  private int looks;
  private long compared;
  private @Nullable String name;

  /**
   * Nothing is known before the first check.
   *
   * @param server tells what the server is
   * @param readSession statement of {@link io.waybill.internal.jdbc.table.LaneSql#readSession}
   * @param answered what the connections of this process have in common
   */
  public History(Database database, ServerHistory server, String readSession, Renewals answered) {
    this.database = database;
    this.server = server;
    this.readSession = readSession;
    this.answered = answered;
  }

  /**
   * The renewals of sessions that were answered to this process. A call may have waited for its
   * connection since fewer were known, and meanwhile the database was set back. Safe for use by
   * several threads.
   */
  public static final class Renewals {
    private static final int MOST_SESSIONS = 16;

    private record Membership(long fence, long joinedMicros) {}

    private final Map<Membership, Renewal> last = new LinkedHashMap<>();

    private synchronized void put(Session session, Renewal renewal) {
      last.remove(of(session));
      last.put(of(session), renewal);
      if (last.size() > MOST_SESSIONS) {
        last.remove(last.keySet().iterator().next());
      }
    }

    private synchronized Renewal last(Session session) {
      return last.getOrDefault(of(session), new Renewal(0, 0)).atLeast(session.renewals());
    }

    private static Membership of(Session session) {
      return new Membership(session.fence(), session.joinedMicros());
    }
  }

  /**
   * A renewal that may be under way. One whose answer was lost may have been carried out, so the
   * one that repeats it has another number: a database that lacks it was set back.
   *
   * @param number its number, above those of all renewals before it
   * @param answered number of the last one that was answered
   */
  public record Renewal(long number, long answered) {
    private Renewal atLeast(long renewals) {
      return new Renewal(Math.max(number, renewals), Math.max(answered, renewals));
    }

    private Renewal next() {
      return new Renewal(number + 1, answered);
    }
  }

  /**
   * The next renewal of a session.
   *
   * @param session to be renewed
   * @return with a number of its own
   */
  public Renewal renewal(Session session) {
    Renewal next = answered.last(session).next();
    answered.put(session, next);
    return next;
  }

  /**
   * The database has renewed the session.
   *
   * @param session which one
   * @param renewal that was answered
   */
  public void renewed(Session session, Renewal renewal) {
    answered.put(session, new Renewal(renewal.number(), renewal.number()));
  }

  private boolean isUnchecked() {
    return !database.connected() || database.opened() != named;
  }

  /**
   * Whose history the connection leads to. Before a session begins, this also makes the connection
   * known as older than it: see {@link #require}.
   */
  public String name() {
    String known = name;
    if (known == null || isUnchecked()) {
      known = database.ask("identify the server", server::read);
      name = known;
      named = database.opened();
    }
    return known;
  }

  /**
   * Looks whether the connection leads to where the session stands. One that was opened before the
   * session began may have rested since, and lead to a server that is gone: then it is opened anew.
   *
   * @return whether the connection was not there at the last check
   * @throws SessionLostException if it leads elsewhere
   */
  public boolean require(Session session) {
    boolean fresh = isUnchecked();
    if (!fresh && !name().equals(session.history())) {
      database.drop();
      fresh = true;
    }
    String now = name();
    if (!now.equals(session.history())) {
      throw new SessionLostException(
          session,
          "The connection leads to %s, not to %s, where the session began"
              .formatted(now, session.history()));
    }
    if (looked != named) {
      looked = named;
      looks = 0;
    }
    long renewals = answered.last(session).answered();
    boolean known = looks > 0 && renewals == compared;
    if (looks < LOOKS && (known || isAlive(session, renewals))) {
      looks++;
      compared = renewals;
    }
    return fresh;
  }

  /**
   * Whether the session is alive. One that has ended is asked for again: its statements find
   * nothing, but where the database was set back its fence is given out once more.
   */
  private boolean isAlive(Session session, long renewals) {
    List<Long> row =
        database.call(
            "check the session's position",
            readSession,
            statement -> {
              statement.setLong(1, session.fence());
              try (ResultSet result = statement.executeQuery()) {
                return result.next()
                    ? List.of(result.getLong(1), result.getLong(2))
                    : List.<Long>of();
              }
            });
    if (!row.isEmpty() && (row.get(0) != session.joinedMicros() || row.get(1) < renewals)) {
      throw new SessionLostException(
          session,
          "The database was set back: it lacks writes of session %d".formatted(session.fence()));
    }
    return !row.isEmpty();
  }
}
