package io.waybill.server.assemble;

import io.waybill.admin.Admin;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.LayoutOptions;
import io.waybill.jdbc.LayoutOutbox;
import io.waybill.jdbc.OnPublished;
import io.waybill.jdbc.OutboxTables;
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
    if (database.user() != null) {
      properties.setProperty("user", database.user());
    }
    if (database.password() != null) {
      properties.setProperty("password", database.password().reveal());
    }
    if (database.postgres()) {
      String seconds = Long.toString(database.connectTimeout().toSeconds());
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("loginTimeout", seconds);
      return ConnectionFactory.postgres(database.url(), properties).behind(database.pooler());
    }
    String millis = Long.toString(database.connectTimeout().toMillis());
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    return ConnectionFactory.mariaDb(database.url(), properties);
  }

  /**
   * Which product an outbox's database is.
   *
   * @param config the outbox
   * @return the product; whether it is MySQL or MariaDB is asked over a connection
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  public static DatabaseKind kind(OutboxConfig config) {
    return config.database().postgres()
        ? DatabaseKind.POSTGRESQL
        : DatabaseKind.of(connections(config));
  }

  /**
   * An outbox's tables.
   *
   * @param config the outbox
   * @param relay name of the relay, shown by the server
   * @return the tables
   * @throws io.waybill.store.StoreException when the database does not answer in time
   */
  static OutboxTables tables(OutboxConfig config, String relay) {
    TableConfig table = config.table();
    if (table.own() && config.database().postgres()) {
      return postgres(config, relay);
    }
    LayoutOptions options =
        LayoutOptions.defaults(table.layout())
            .names(table.beside())
            .timeRange(table.timeRange())
            .statementLimit(config.database().queryTimeout())
            .maxEventBytes(config.limits().maxEventBytes())
            .applicationName("waybill " + relay);
    return LayoutOutbox.of(connections(config), table.layout(), kind(config).dialect(), options);
  }

  private static PostgresOutbox postgres(OutboxConfig config, String relay) {
    TableConfig table = config.table();
    PostgresOptions options =
        PostgresOptions.defaults()
            .schema(table.schema())
            .onPublished(
                table.onPublished() == TableConfig.OnPublished.KEEP
                    ? OnPublished.KEEP
                    : OnPublished.DELETE)
            .statementLimit(config.database().queryTimeout())
            .maxEventBytes(config.limits().maxEventBytes())
            .applicationName("waybill " + relay);
    return PostgresOutbox.of(connections(config), options);
  }

  /**
   * Opens what operators see and ask for.
   *
   * @param config the outbox
   * @return admin access with a connection of its own; to be closed
   */
  public static Admin admin(OutboxConfig config) {
    return tables(config, "command").admin();
  }
}
