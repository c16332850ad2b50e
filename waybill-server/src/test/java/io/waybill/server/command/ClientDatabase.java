package io.waybill.server.command;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/**
 * The database of a documented system, which a client of the database's own kind asks: psql, or one
 * in Node.js.
 *
 * @param server a server of its own
 */
record ClientDatabase(DatabaseServer server) implements AutoCloseable {
  private static final String NAME = "shop";

  /** Starts a server with an empty database and the roles of the page. */
  static ClientDatabase launch(DatabaseKind kind) throws SQLException {
    ClientDatabase database = new ClientDatabase(DatabaseServer.launch(kind));
    database.server.createDatabase(NAME);
    try (Connection superuser = database.superuser()) {
      PageSetup.createRoles(superuser, kind);
    }
    return database;
  }

  Connection superuser() throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(NAME));
  }

  /** The URL as a reader of the page writes it. MySQL's password goes through TLS. */
  String url() {
    String end = "://127.0.0.1:%d/%s".formatted(server.port(), NAME);
    return switch (server.kind()) {
      case POSTGRESQL -> "jdbc:postgresql" + end;
      case MYSQL -> "jdbc:mysql" + end + "?sslMode=trust";
      case MARIADB -> "jdbc:mariadb" + end + "?sslMode=disable";
    };
  }

  /**
   * Runs a statement as a person does.
   *
   * @param sql with the functions {@code uuid} and {@code json_object} of MySQL
   * @return the values of the only row, with bars between them, or an empty text
   */
  String ask(String sql) throws Exception {
    return DocumentClients.run(command(sql)).strip();
  }

  private List<String> command(String sql) {
    if (server.kind() != DatabaseKind.POSTGRESQL) {
      return List.of(
          DocumentClients.node("node"), "sql.js", Integer.toString(server.port()), NAME, sql);
    }
    String own =
        sql.replace("uuid()", "gen_random_uuid()").replace("json_object(", "json_build_object(");
    String uri = "postgresql://postgres@127.0.0.1:%d/%s".formatted(server.port(), NAME);
    return List.of("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", uri, "-c", own);
  }

  @Override
  public void close() {
    server.close();
  }
}
