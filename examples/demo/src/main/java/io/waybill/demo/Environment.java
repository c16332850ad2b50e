package io.waybill.demo;

import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/** Database, broker and folder of a run. Not thread-safe. */
final class Environment implements AutoCloseable {
  private static final String DATABASE = "shop";

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final PostgresServer postgres;
  private final DemoBroker broker;
  private final Children children;

  private Environment(BrokerKind kind, Screen screen) throws IOException, SQLException {
    try {
      screen.event("starting PostgreSQL and " + kind.text());
      CompletableFuture<DemoBroker> begun =
          CompletableFuture.supplyAsync(() -> DemoBroker.launch(kind));
      open.push(() -> begun.thenAccept(DemoBroker::close).join());
      postgres = opened(PostgresServer.launch());
      postgres.createDatabase(DATABASE);
      createTables();
      broker = begun.join();
      broker.prepare();
      children = opened(new Children());
    } catch (IOException | SQLException | RuntimeException e) {
      closeAfter(e);
      throw e;
    }
  }

  static Environment launch(BrokerKind kind, Screen screen) throws IOException, SQLException {
    return new Environment(kind, screen);
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  private void createTables() throws SQLException {
    try (Connection connection = connect()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      Shop.createTables(connection);
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(clientUrl());
  }

  /** URL for the demo's own clients, with the user in it. */
  String clientUrl() {
    return postgres.jdbcUrl(DATABASE);
  }

  /** URL for a relay's configuration, where the user has a key of its own. */
  String relayUrl() {
    return "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + DATABASE;
  }

  /** URL for {@code psql}. */
  String psqlUrl() {
    return "postgresql://postgres@127.0.0.1:" + postgres.port() + "/" + DATABASE;
  }

  DemoBroker broker() {
    return broker;
  }

  Children children() {
    return children;
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Ends everything, the last first. */
  @Override
  public void close() {
    IllegalStateException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        failure = new IllegalStateException("A server did not stop", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
