package io.waybill.jdbc;

import io.waybill.jdbc.dialect.PostgresNotify;

/**
 * Tells relays in other processes that events were committed, on a connection of its own. Used by
 * one thread, except {@link #close()}.
 */
public final class NotificationSender implements AutoCloseable {
  private final Database database;
  private final String schema;

  NotificationSender(Database database, String schema) {
    this.database = database;
    this.schema = schema;
  }

  /**
   * Tells all relays of the outbox that listen.
   *
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public void send() {
    database.call(
        "notify relays",
        PostgresNotify.send(),
        statement -> {
          statement.setString(1, schema);
          return statement.execute();
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
