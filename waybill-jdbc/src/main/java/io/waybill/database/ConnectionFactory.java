package io.waybill.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * Opens connections for the relay, which keeps each connection until it fails. Implementations may
 * be called by several threads.
 */
@FunctionalInterface
public interface ConnectionFactory {
  /**
   * Opens a connection.
   *
   * @return a connection in auto-commit mode
   * @throws SQLException when the database refuses or does not answer in time
   */
  Connection open() throws SQLException;

  /**
   * Describes the database, for people.
   *
   * @return the URL without its parameters, if known
   */
  default String describe() {
    return "the database of a data source";
  }

  /**
   * The kind of pooler that may be between the driver and the database.
   *
   * @return none, by default
   */
  default Pooler pooler() {
    return Pooler.NONE;
  }

  /**
   * The same connections, allowed to go through a pooler.
   *
   * @param pooler the kind of pooler between the driver and the database
   * @return factory
   */
  default ConnectionFactory behind(Pooler pooler) {
    return new PooledConnections(this, pooler);
  }

  /**
   * Takes connections from a data source. The data source should have a connect timeout. Before a
   * connection is closed, its settings are restored, so a pool gets it back unchanged; a connection
   * that can't be restored is aborted.
   *
   * @param source data source; a pool must have at least four spare connections per relay
   * @return factory
   */
  static ConnectionFactory of(DataSource source) {
    return source::getConnection;
  }

  /**
   * Opens connections to PostgreSQL by URL, with bounded connect and login times, TCP keep-alive
   * and binary transfer from the first execution on.
   *
   * @param url JDBC URL beginning with {@code jdbc:postgresql:}
   * @param properties user, password and other properties of the driver; if the URL has the same
   *     property, the URL wins
   * @return factory
   * @throws IllegalArgumentException if the URL is not a PostgreSQL URL
   */
  static ConnectionFactory postgres(String url, Properties properties) {
    return DriverConnections.postgres(url, properties, Duration.ofSeconds(5));
  }

  /**
   * Opens connections to MySQL or MariaDB by URL with MariaDB's driver, which supports both, with
   * bounded connect times and TCP keep-alive. If the driver refuses a log-in, the error says which
   * of its properties to set. Connections of any other driver work as well; see {@link #of}.
   *
   * @param url JDBC URL beginning with {@code jdbc:mariadb:} or {@code jdbc:mysql:}
   * @param properties user, password and other properties of MariaDB's driver; give each once, here
   *     or in the URL
   * @return factory
   * @throws IllegalArgumentException if the URL is neither
   */
  static ConnectionFactory mariaDb(String url, Properties properties) {
    return DriverConnections.mariaDb(url, properties, Duration.ofSeconds(5));
  }
}
