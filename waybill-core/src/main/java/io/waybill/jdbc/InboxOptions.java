package io.waybill.jdbc;

import java.time.Duration;
import java.util.Objects;

/**
 * How an inbox uses its database.
 *
 * @param tables which tables
 * @param statementLimit time after which the server gives up a statement, a handler's too; at least
 *     1 second. The server ends a transaction that rests as long; that of a host that is gone ends
 *     on PostgreSQL after 11 seconds
 * @param applicationName name of the connections, shown by PostgreSQL
 * @param idleConnections most connections that are kept open between transactions, 1 to 1000
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
   * Own tables in the connection's schema, 40 seconds (a handler has 30), 16 idle connections.
   *
   * @return defaults
   */
  public static InboxOptions defaults() {
    return new InboxOptions(InboxTables.own(), Duration.ofSeconds(40), "waybill inbox", 16);
  }

  /**
   * The same with other tables.
   *
   * @param other which tables
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
   * @param name shown by PostgreSQL
   * @return changed copy
   */
  public InboxOptions applicationName(String name) {
    return new InboxOptions(tables, statementLimit, name, idleConnections);
  }

  /**
   * The same with another number of idle connections.
   *
   * @param connections 1 to 1000; the number of workers and one is enough
   * @return changed copy
   */
  public InboxOptions idleConnections(int connections) {
    return new InboxOptions(tables, statementLimit, applicationName, connections);
  }
}
