package io.waybill.examples.notification;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import javax.sql.DataSource;

/** A database and a broker of the example's own. */
final class Servers implements AutoCloseable {
  private static final String NAME = "restaurants";

  private final DatabaseKind kind;
  private final Runnable stop;
  private final DataSource database;
  private final RabbitServer rabbit;

  private Servers(DatabaseKind kind, Runnable stop, DataSource database, RabbitServer rabbit) {
    this.kind = kind;
    this.stop = stop;
    this.database = database;
    this.rabbit = rabbit;
  }

  static Servers launch(DatabaseKind kind) {
    RabbitServer rabbit = RabbitServer.launch();
    if (kind == DatabaseKind.POSTGRESQL) {
      PostgresServer server = PostgresServer.launch();
      server.createDatabase(NAME);
      return new Servers(kind, server::close, server.dataSource(NAME), rabbit);
    }
    MariaDbServer server = MariaDbServer.launch();
    server.createDatabase(NAME);
    return new Servers(kind, server::close, server.dataSource(NAME), rabbit);
  }

  DatabaseKind kind() {
    return kind;
  }

  DataSource database() {
    return database;
  }

  String broker() {
    return rabbit.host() + ":" + rabbit.port();
  }

  String brokerUri() {
    return rabbit.uri();
  }

  @Override
  public void close() {
    stop.run();
    rabbit.close();
  }
}
