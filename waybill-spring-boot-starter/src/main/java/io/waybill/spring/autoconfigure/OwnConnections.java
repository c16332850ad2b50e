package io.waybill.spring.autoconfigure;

import io.waybill.jdbc.ConnectionFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections of an outbox that has a database of its own. */
final class OwnConnections {
  private OwnConnections() {}

  /**
   * Connections by URL.
   *
   * @param password the password as it is now
   */
  static ConnectionFactory of(ConfiguredOutbox outbox, Supplier<@Nullable String> password) {
    OutboxProperties.Database database = outbox.properties().database();
    String url = Objects.requireNonNull(database.url());
    return url.startsWith("jdbc:postgresql:")
        ? new Fresh(() -> ConnectionFactory.postgres(url, postgres(database, password.get())))
            .behind(database.pooler())
        : new Fresh(() -> ConnectionFactory.mariaDb(url, mariaDb(database, password.get())));
  }

  /** Each connection has the password of its moment. */
  private record Fresh(Supplier<ConnectionFactory> now) implements ConnectionFactory {
    @Override
    public Connection open() throws SQLException {
      return now.get().open();
    }

    @Override
    public String describe() {
      return now.get().describe();
    }
  }

  private static Properties postgres(
      OutboxProperties.Database database, @Nullable String password) {
    Properties properties = login(database, password);
    String seconds = Long.toString(database.connectTimeout().toSeconds());
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("loginTimeout", seconds);
    return properties;
  }

  private static Properties mariaDb(OutboxProperties.Database database, @Nullable String password) {
    Properties properties = login(database, password);
    String millis = Long.toString(database.connectTimeout().toMillis());
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    return properties;
  }

  private static Properties login(OutboxProperties.Database database, @Nullable String password) {
    Properties properties = new Properties();
    properties.putAll(database.properties());
    if (database.username() != null) {
      properties.setProperty("user", database.username());
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    return properties;
  }
}
