package io.waybill.server.config;

import io.waybill.jdbc.DriverRules;
import io.waybill.jdbc.Pooler;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The database of an outbox.
 *
 * @param url JDBC URL without user and password
 * @param user database user, null for the driver's own way
 * @param password its password, null for none
 * @param properties further driver properties, all of them allowed ones
 * @param pooler what may stand between the relay and the database
 * @param connectTimeout bound on opening a connection
 * @param queryTimeout bound on every call
 */
public record DatabaseConfig(
    String url,
    @Nullable String user,
    @Nullable Secret password,
    Map<String, String> properties,
    Pooler pooler,
    Duration connectTimeout,
    Duration queryTimeout) {
  /** Copies the properties. */
  public DatabaseConfig {
    properties = Map.copyOf(properties);
  }

  /**
   * Whether it is a PostgreSQL; else it is a MySQL or MariaDB.
   *
   * @return what the URL says
   */
  public boolean postgres() {
    return DriverRules.of(url) == DriverRules.POSTGRESQL;
  }

  /**
   * Name of the database.
   *
   * @return last part of the URL
   */
  String name() {
    return url.substring(url.lastIndexOf('/') + 1);
  }
}
