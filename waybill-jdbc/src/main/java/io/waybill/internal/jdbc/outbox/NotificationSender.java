package io.waybill.internal.jdbc.outbox;

import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.PostgresNotify;

/**
 * Notifies relays in other processes of committed events, on a separate connection. For use by one
 * thread, except {@link #close()}.
 */
public final class NotificationSender implements AutoCloseable {
  private final Database database;
  private final String schema;

  NotificationSender(Database database, String schema) {
    this.database = database;
    this.schema = schema;
  }

  /**
   * Notifies all listening relays of the outbox.
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
