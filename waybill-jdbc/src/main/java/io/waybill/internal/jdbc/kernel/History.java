package io.waybill.internal.jdbc.kernel;

import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import java.sql.ResultSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection leads to the server, and the point of its history, on which a session
 * stands. Another server, or one that was set back, may lack what was committed last and give out
 * the same ids and transaction numbers again. Each new connection is looked at with its first two
 * calls. Used by one thread.
 */
public final class History {
  // The first call may have left when fewer renewals were answered than the relay knows of now.
  private static final int LOOKS = 2;

  private final Database database;
  private final ServerHistory server;
  private final String readSession;
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
   */
  public History(Database database, ServerHistory server, String readSession) {
    this.database = database;
    this.server = server;
    this.readSession = readSession;
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
    boolean known = looks > 0 && session.renewals() == compared;
    if (looks < LOOKS && (known || isAlive(session))) {
      looks++;
      compared = session.renewals();
    }
    return fresh;
  }

  /**
   * Whether the session is alive. One that has ended is asked for again: its statements find
   * nothing, but where the database was set back its fence is given out once more.
   */
  private boolean isAlive(Session session) {
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
    if (!row.isEmpty()
        && (row.get(0) != session.joinedMicros() || row.get(1) < session.renewals())) {
      throw new SessionLostException(
          session,
          "The database was set back: it lacks writes of session %d".formatted(session.fence()));
    }
    return !row.isEmpty();
  }
}
