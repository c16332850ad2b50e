package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.MySqlHistory;
import io.waybill.internal.jdbc.kernel.ServerHistory;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The server, and the point of its history, that an inbox accepts. What it has acknowledged is
 * committed there, and another one may lack it: a connection that leads elsewhere is refused until
 * somebody has looked and {@link #accept} is called. Thread-safe.
 */
public final class InboxHistory {
  // SQL standard: the server rejected the establishment of the connection. A temporary error.
  private static final String REJECTED = "08004";

  private final ServerHistory server;
  // Connections of a pool come again and again; each is asked once.
  private final Map<Connection, String> asked = new WeakHashMap<>();
  private volatile @Nullable String accepted;
  private volatile boolean leaving;

  /** Accepts any server before the first {@link #accept}. */
  InboxHistory(ServerHistory server) {
    this.server = server;
  }

  /**
   * Distinguishes servers whose committed data may differ. Nodes of a cluster count as one, since a
   * transaction of an inbox may use any of them.
   *
   * @param dialect the database's dialect
   * @return stands nowhere
   */
  public static InboxHistory of(SqlDialect dialect) {
    return new InboxHistory(
        switch (dialect.kind()) {
          case POSTGRESQL -> dialect.history();
          case MYSQL -> new MySqlHistory(false, false);
          case MARIADB -> new MySqlHistory(true, false);
        });
  }

  /** Asks the server for its name. */
  String read(Connection connection) throws SQLException {
    return server.read(connection);
  }

  /** The name that a connection of a framework has given before, or gives now. */
  public String known(Connection connection) throws SQLException {
    // What a pool hands out is often a new object around the same connection.
    Connection physical =
        connection.isWrapperFor(Connection.class)
            ? connection.unwrap(Connection.class)
            : connection;
    synchronized (asked) {
      String name = asked.get(physical);
      if (name != null) {
        return name;
      }
    }
    String name = read(connection);
    synchronized (asked) {
      asked.put(physical, name);
    }
    return name;
  }

  /** The name of the server that is accepted; empty before the inbox is opened. */
  public String server() {
    String known = accepted;
    return known == null ? "" : known;
  }

  /** From now on connections to this server are the right ones. */
  public void accept(String name) {
    accepted = name;
    leaving = false;
  }

  /** Another server was found: nothing is done on any, until it is known what it lacks. */
  public void leave() {
    leaving = true;
  }

  boolean isTheOneOf(InboxConnection connection) {
    return !leaving && (accepted == null || connection.server().equals(accepted));
  }

  /**
   * Refuses what leads elsewhere.
   *
   * @throws SQLException a temporary error
   */
  public void require(InboxConnection connection) throws SQLException {
    if (!isTheOneOf(connection)) {
      throw new SQLException(
          "The connection leads to %s, but acknowledged events are on %s: looking for lost ones"
              .formatted(connection.server(), server()),
          REJECTED);
    }
  }
}
