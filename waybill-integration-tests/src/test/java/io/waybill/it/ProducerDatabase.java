package io.waybill.it;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.testkit.MariaDbServer;
import io.waybill.testkit.PostgresServer;
import javax.sql.DataSource;

/** A database server of one's own that can be killed. */
interface ProducerDatabase extends AutoCloseable {
  DatabaseKind kind();

  DataSource create(String name);

  void kill();

  void start();

  @Override
  void close();

  /** A server of a kind. */
  static ProducerDatabase launch(DatabaseKind kind) {
    return kind == DatabaseKind.POSTGRESQL
        ? new Postgres(PostgresServer.launch())
        : new MariaDb(MariaDbServer.launch());
  }

  record Postgres(PostgresServer server) implements ProducerDatabase {
    @Override
    public DatabaseKind kind() {
      return DatabaseKind.POSTGRESQL;
    }

    @Override
    public DataSource create(String name) {
      server.createDatabase(name);
      return server.dataSource(name);
    }

    @Override
    public void kill() {
      server.kill();
    }

    @Override
    public void start() {
      server.start();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  record MariaDb(MariaDbServer server) implements ProducerDatabase {
    @Override
    public DatabaseKind kind() {
      return DatabaseKind.MARIADB;
    }

    @Override
    public DataSource create(String name) {
      server.createDatabase(name);
      return server.dataSource(name);
    }

    @Override
    public void kill() {
      server.kill();
    }

    @Override
    public void start() {
      server.start();
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
