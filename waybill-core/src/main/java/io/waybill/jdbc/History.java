package io.waybill.jdbc;

import io.waybill.jdbc.dialect.ServerHistory;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import java.sql.ResultSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection leads to the server, and the point of its history, on which a session
 * stands. Another server, or one that was set back, may lack what was committed last and give out
 * the same ids and transaction numbers again. Each new connection is looked at once. Used by one
 * thread.
 */
final class History {
  private final Database database;
  private final ServerHistory server;
  private final String standing;
  private int named;
  private int trusted;
  private @Nullable String name;

  /**
   * Nothing is known before the first check.
   *
   * @param server tells what the server is
   * @param standing statement of {@link io.waybill.jdbc.dialect.LaneSql#standing}
   */
  History(Database database, ServerHistory server, String standing) {
    this.database = database;
    this.server = server;
    this.standing = standing;
  }

  /** Whether there is a connection that was not there at the last check. */
  boolean isUnchecked() {
    return !database.connected() || database.opened() != named;
  }

  /** Whose history the connection leads to. */
  String name() {
    String known = name;
    if (known == null || isUnchecked()) {
      known = database.ask("look whose history this is", server::read);
      name = known;
      named = database.opened();
    }
    return known;
  }

  /**
   * Looks whether the connection leads to where the session stands.
   *
   * @throws SessionLostException if not
   */
  void require(Session session) {
    String now = name();
    if (!now.equals(session.history())) {
      throw new SessionLostException(
          session,
          "The connection leads to %s, and not to %s, where the session began"
              .formatted(now, session.history()));
    }
    if (trusted != named) {
      requireStanding(session);
      trusted = named;
    }
  }

  /** A session that has ended is not noticed here: every statement on its rows looks for it. */
  private void requireStanding(Session session) {
    boolean lost =
        database.call(
            "look where the session stands",
            standing,
            statement -> {
              statement.setLong(1, session.fence());
              try (ResultSet result = statement.executeQuery()) {
                return result.next()
                    && (result.getLong(1) != session.joinedMicros()
                        || result.getLong(2) < session.renewals());
              }
            });
    if (lost) {
      throw new SessionLostException(
          session,
          "The database was set back: of session %d it lacks what was written"
              .formatted(session.fence()));
    }
  }
}
