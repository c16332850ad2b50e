package io.waybill.database;

import java.time.Duration;
import java.util.Objects;

/**
 * How an inbox uses its database.
 *
 * @param tables the tables
 * @param statementLimit time after which the server cancels a statement, also a handler's; at least
 *     1 second. The server also ends a transaction that is idle that long; on PostgreSQL the
 *     transaction of a lost host ends after 11 seconds
 * @param applicationName name of the connections, which PostgreSQL shows
 * @param idleConnections most connections kept open between transactions, 1 to 1000
 */
public record InboxOptions(
    InboxTables tables, Duration statementLimit, String applicationName, int idleConnections) {
  /** Checks the values. */
  public InboxOptions {
    Objects.requireNonNull(tables, "tables");
    Objects.requireNonNull(applicationName, "applicationName");
    if (statementLimit.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "The statement limit must be at least 1 second, but is " + statementLimit);
    }
    if (idleConnections < 1 || idleConnections > 1000) {
      throw new IllegalArgumentException(
          "The number of idle connections must be 1 to 1000, but is " + idleConnections);
    }
  }

  /**
   * Waybill's own tables in the connection's schema, 40 seconds (a handler has 30), 16 idle
   * connections.
   *
   * @return defaults
   */
  public static InboxOptions ofDefaults() {
    return new InboxOptions(InboxTables.own(), Duration.ofSeconds(40), "waybill inbox", 16);
  }

  /**
   * The same with other tables.
   *
   * @param other the tables
   * @return changed copy
   */
  public InboxOptions tables(InboxTables other) {
    return new InboxOptions(other, statementLimit, applicationName, idleConnections);
  }

  /**
   * The same with another limit of statements.
   *
   * @param limit at least 1 second; longer than a handler may take
   * @return changed copy
   */
  public InboxOptions statementLimit(Duration limit) {
    return new InboxOptions(tables, limit, applicationName, idleConnections);
  }

  /**
   * The same under another name.
   *
   * @param name name that PostgreSQL shows
   * @return changed copy
   */
  public InboxOptions applicationName(String name) {
    return new InboxOptions(tables, statementLimit, name, idleConnections);
  }

  /**
   * The same with another number of idle connections.
   *
   * @param connections 1 to 1000; one more than the number of workers is enough
   * @return changed copy
   */
  public InboxOptions idleConnections(int connections) {
    return new InboxOptions(tables, statementLimit, applicationName, connections);
  }
}
