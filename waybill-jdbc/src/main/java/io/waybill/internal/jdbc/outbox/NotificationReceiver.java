package io.waybill.internal.jdbc.outbox;

import io.waybill.internal.jdbc.kernel.Database;
import io.waybill.internal.jdbc.kernel.PostgresNotify;
import java.time.Duration;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Waits for notifications of committed events, on a separate connection. For use by one thread,
 * except {@link #close()}.
 */
public final class NotificationReceiver implements AutoCloseable {
  private final Database database;
  private final String schema;

  NotificationReceiver(Database database, String schema) {
    this.database = database;
    this.schema = schema;
  }

  /**
   * Waits for a notification about the outbox.
   *
   * @param limit longest wait
   * @return whether one arrived; false proves nothing, since notifications are lost while there is
   *     no connection
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public boolean await(Duration limit) {
    // The ping finds out that the server is gone, which waiting alone would not.
    return database.call(
        "wait for notifications",
        PostgresNotify.ping(),
        statement -> {
          statement.execute();
          PGConnection connection = statement.getConnection().unwrap(PGConnection.class);
          for (PGNotification told : connection.getNotifications((int) limit.toMillis())) {
            if (told.getParameter().equals(schema)) {
              return true;
            }
          }
          return false;
        });
  }

  @Override
  public void close() {
    database.close();
  }
}
