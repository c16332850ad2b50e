package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A real database server of its own: temporary folder, free port on the loopback interface, durable
 * commits, a superuser without a password. Methods may be called by any thread.
 */
public interface DatabaseServer extends AutoCloseable {
  /**
   * Starts a server with durable settings.
   *
   * @param kind product
   * @return the running server
   */
  static DatabaseServer launch(DatabaseKind kind) {
    return launch(kind, temporary());
  }

  /**
   * Starts a server with durable settings that writes into a folder of one's choice.
   *
   * @param kind product
   * @param parent existing folder, for example of a {@link SmallDisk}; the server makes a folder of
   *     its own in it
   * @return the running server
   */
  static DatabaseServer launch(DatabaseKind kind, Path parent) {
    return switch (kind) {
      case POSTGRESQL -> PostgresServer.launch(parent, Map.of());
      case MARIADB -> MariaDbServer.launch(parent, Map.of());
      case MYSQL -> MySqlServer.launch(parent, Map.of());
    };
  }

  /** Where servers write unless they are told otherwise. */
  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * What it is.
   *
   * @return product
   */
  DatabaseKind kind();

  /**
   * Starts the server again on the same data and port after {@link #stop()} or {@link #kill()}.
   * Returns when it accepts connections.
   */
  void start();

  /** Shuts the server down in an orderly way; open connections are cut. */
  void stop();

  /** Kills the server and all its processes without warning and waits until they are gone. */
  void kill();

  /** Stops all processes of the server by signal: connections stay open and nothing answers. */
  void freeze();

  /** Lets a frozen server run on. */
  void thaw();

  /** Stops the server in an orderly way and starts it again. */
  default void restart() {
    stop();
    start();
  }

  /**
   * Creates an empty database.
   *
   * @param name lower-case name of letters, digits and underscores
   * @return JDBC URL of the database
   */
  default String createDatabase(String name) {
    if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
      throw new IllegalArgumentException(
          "Database name must match [a-z][a-z0-9_]{0,62}, but is '" + name + "'");
    }
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot create database " + name, e);
    }
    return jdbcUrl(name);
  }

  /**
   * JDBC URL of the superuser's own database.
   *
   * @return URL with the user in it
   */
  String jdbcUrl();

  /**
   * JDBC URL of a database.
   *
   * @param database its name
   * @return URL with the user in it
   */
  String jdbcUrl(String database);

  /**
   * Unpooled connections to the superuser's own database.
   *
   * @return data source that outlives restarts
   */
  DataSource dataSource();

  /**
   * Unpooled connections to a database.
   *
   * @param database its name
   * @return data source that outlives restarts
   */
  DataSource dataSource(String database);

  /**
   * Port on the loopback interface, the same for the whole life of this object.
   *
   * @return port number
   */
  int port();

  /**
   * Where the server keeps its data. While it does not run, they may be copied and put back.
   *
   * @return path of a folder
   */
  Path data();

  /**
   * What the server printed.
   *
   * @return path of the log file
   */
  Path log();

  /** Ends the server at once and deletes its data. */
  @Override
  void close();
}
