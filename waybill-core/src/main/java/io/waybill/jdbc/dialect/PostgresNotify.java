package io.waybill.jdbc.dialect;

/**
 * SQL that tells other sessions of a database that events were committed. One channel for all
 * outboxes of a database; the payload names the schema.
 */
public final class PostgresNotify {
  private PostgresNotify() {}

  /**
   * Tells. Parameter: schema of the outbox. To be run by itself, never in a business transaction:
   * commits that notify pass one lock of the whole server.
   *
   * @return query
   */
  public static String send() {
    return "select pg_notify('waybill_commit', ?)";
  }

  /**
   * Asks to be told, for the rest of the session.
   *
   * @return statement
   */
  public static String listen() {
    return "listen waybill_commit";
  }

  /**
   * Asks not to be told any more.
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
