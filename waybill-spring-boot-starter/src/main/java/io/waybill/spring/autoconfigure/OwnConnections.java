package io.waybill.spring.autoconfigure;

import io.waybill.jdbc.ConnectionFactory;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Connections of an outbox that has a database of its own. */
final class OwnConnections {
  private OwnConnections() {}

  static ConnectionFactory of(ConfiguredOutbox outbox) {
    OutboxProperties.Database database = outbox.properties().database();
    String url = Objects.requireNonNull(database.url());
    Properties properties = new Properties();
    properties.putAll(database.properties());
    putIfGiven(properties, "user", database.username());
    putIfGiven(properties, "password", database.password());
    if (url.startsWith("jdbc:postgresql:")) {
      String seconds = Long.toString(database.connectTimeout().toSeconds());
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("loginTimeout", seconds);
      return ConnectionFactory.postgres(url, properties).behind(database.pooler());
    }
    String millis = Long.toString(database.connectTimeout().toMillis());
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    return ConnectionFactory.mariaDb(url, properties);
  }

  private static void putIfGiven(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }
}
