package io.waybill.jdbc;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a new connection leads to the same server's history as the connections before. If another
 * server took over, it may lack what was committed last and give out the same ids and transaction
 * numbers again. Used by one thread.
 */
final class History {
  private static final Logger LOG = LoggerFactory.getLogger(History.class);

  private final Database database;
  private final String query;
  private int connection;
  private @Nullable String known;

  /**
   * Nothing is known before the first check.
   *
   * @param query statement returning a name for the server's history
   */
  History(Database database, String query) {
    this.database = database;
    this.query = query;
  }

  /** Whether there is a connection that was not there at the last check. */
  boolean isUnchecked() {
    return !database.connected() || database.opened() != connection;
  }

  /**
   * Looks at the history if the connection is a new one.
   *
   * @return whether it is another one than at the check before
   */
  boolean changed() {
    if (!isUnchecked()) {
      return false;
    }
    String now = database.call("look whose history this is", query, Binding::text);
    connection = database.opened();
    boolean changed = known != null && !known.equals(now);
    if (changed) {
      LOG.warn(
          "The database went from history {} to {}: another server took over. All lanes are read"
              + " from the start, and events in flight may be published twice",
          known,
          now);
    }
    known = now;
    return changed;
  }
}
