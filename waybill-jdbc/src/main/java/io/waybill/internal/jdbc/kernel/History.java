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

    private final Map<Membership, Long> numbers = new LinkedHashMap<>();

    private synchronized void answered(Session session) {
      Membership membership = of(session);
      long number = Math.max(of(numbers.remove(membership)), session.renewals());
      numbers.put(membership, number);
      if (numbers.size() > MOST_SESSIONS) {
        numbers.remove(numbers.keySet().iterator().next());
      }
    }

    private synchronized long number(Session session) {
      return Math.max(of(numbers.get(of(session))), session.renewals());
    }

    private static long of(@Nullable Long number) {
      return number == null ? 0 : number;
    }

    private static Membership of(Session session) {
      return new Membership(session.fence(), session.joinedMicros());
    }
  }

  /**
   * The database has renewed the session.
   *
   * @param session with that renewal
   */
  public void renewed(Session session) {
    answered.answered(session);
  }

  private boolean isUnchecked() {
    return !database.connected() || database.opened() != named;
  }

  /** Whose history the connection leads to. */
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
    long renewals = answered.number(session);
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
