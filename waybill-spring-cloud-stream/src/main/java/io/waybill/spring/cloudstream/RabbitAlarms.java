package io.waybill.spring.cloudstream;

import com.rabbitmq.client.BlockedListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/** Which connections the broker has blocked, for example for lack of memory. Thread-safe. */
final class RabbitAlarms implements ConnectionListener {
  private final Map<Connection, String> blocked = new ConcurrentHashMap<>();

  /** The broker's words of an alarm, null without one. */
  @Nullable String reason() {
    return blocked.values().stream().findAny().orElse(null);
  }

  @Override
  public void onCreate(@Nullable Connection connection) {
    if (connection != null) {
      watch(connection);
    }
  }

  private void watch(Connection connection) {
    blocked.remove(connection); // Spring keeps the object and changes what is behind it.
    connection.addBlockedListener(
        new BlockedListener() {
          @Override
          public void handleBlocked(@Nullable String reason) {
            blocked.put(connection, reason == null ? "blocked" : reason);
          }

          @Override
          public void handleUnblocked() {
            blocked.remove(connection);
          }
        });
  }

  @Override
  public void onClose(Connection connection) {
    blocked.remove(connection);
  }
}
