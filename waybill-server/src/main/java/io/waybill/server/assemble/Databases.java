package io.waybill.server.assemble;

import io.waybill.admin.Admin;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.OnPublished;
import io.waybill.jdbc.PostgresOptions;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.server.config.DatabaseConfig;
import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.TableConfig;
import java.util.Properties;

/** The database side of an outbox. */
public final class Databases {
  private Databases() {}

  /**
   * How connections to an outbox's database are opened.
   *
   * @param config the outbox
   * @return factory
   */
  public static ConnectionFactory connections(OutboxConfig config) {
    DatabaseConfig database = config.database();
    Properties properties = new Properties();
    properties.putAll(database.properties());
    String connect = Long.toString(database.connectTimeout().toSeconds());
    properties.setProperty("connectTimeout", connect);
    properties.setProperty("loginTimeout", connect);
    if (database.user() != null) {
      properties.setProperty("user", database.user());
    }
    if (database.password() != null) {
      properties.setProperty("password", database.password().reveal());
    }
    return ConnectionFactory.postgres(database.url(), properties);
  }

  /**
   * How an outbox's tables are used.
   *
   * @param config the outbox
   * @param relay name of the relay, shown by the server
   * @return options
   */
  public static PostgresOptions options(OutboxConfig config, String relay) {
    TableConfig table = config.table();
    return PostgresOptions.defaults()
        .schema(table.schema())
        .onPublished(
            table.onPublished() == TableConfig.OnPublished.KEEP
                ? OnPublished.KEEP
                : OnPublished.DELETE)
        .statementLimit(config.database().queryTimeout())
        .applicationName("waybill " + relay);
  }

  /**
   * Opens what operators see and ask for.
   *
   * @param config the outbox
   * @return admin access with a connection of its own; to be closed
   */
  public static Admin admin(OutboxConfig config) {
    return PostgresOutbox.of(connections(config), options(config, "command")).admin();
  }
}
