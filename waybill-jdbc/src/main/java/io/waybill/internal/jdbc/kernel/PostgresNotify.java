package io.waybill.internal.jdbc.kernel;

/**
 * SQL that notifies other sessions of a database of committed events. All outboxes of a database
 * share one channel; the payload names the schema.
 */
public final class PostgresNotify {
  private PostgresNotify() {}

  /**
   * Notifies. Parameter: schema of the outbox. Run it by itself, never in a business transaction:
   * commits with notifications pass one lock of the whole server.
   *
   * @return query
   */
  public static String send() {
    return "select pg_notify('waybill_commit', ?)";
  }

  /**
   * Subscribes, for the rest of the session.
   *
   * @return statement
   */
  public static String listen() {
    return "listen waybill_commit";
  }

  /**
   * Unsubscribes.
   *
   * @return statement
   */
  public static String unlisten() {
    return "unlisten waybill_commit";
  }

  /**
   * Shows that the server still answers.
   *
   * @return query
   */
  public static String ping() {
    return "select 1";
  }
}
