package io.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * Opens connections for the relay, which keeps each one for itself until it fails. Implementations
 * may be called by several threads.
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
   * Which database, for people.
   *
   * @return the URL without its parameters, where it is known
   */
  default String describe() {
    return "the database of a data source";
  }

  /**
   * What may stand between the driver and the database.
   *
   * @return nobody, by default
   */
  default Pooler pooler() {
    return Pooler.NONE;
  }

  /**
   * The same connections, allowed to come through a pooler.
   *
   * @param pooler what stands between the driver and the database
   * @return factory
   */
  default ConnectionFactory behind(Pooler pooler) {
    return new PooledConnections(this, pooler);
  }

  /**
   * Connections of a data source. Its own connect timeout should be set. What is set on a
   * connection is put back before it is closed, so a pool gets it as it was; one that cannot be put
   * back is aborted.
   *
   * @param source data source; a pool must have at least three connections per relay to spare
   * @return factory
   */
  static ConnectionFactory of(DataSource source) {
    return source::getConnection;
  }

  /**
   * Connections to PostgreSQL by URL, with bounded connect and login times, TCP keep-alive and
   * binary transfer from the first execution on.
   *
   * @param url JDBC URL beginning with {@code jdbc:postgresql:}
   * @param properties user, password and other properties of the driver; where the URL has the same
   *     property, the URL wins
   * @return factory
   * @throws IllegalArgumentException if the URL is not one of PostgreSQL
   */
  static ConnectionFactory postgres(String url, Properties properties) {
    return DriverConnections.postgres(url, properties, Duration.ofSeconds(5));
  }

  /**
   * Connections to MySQL or MariaDB by URL, by MariaDB's driver, which speaks to both, with bounded
   * connect times and TCP keep-alive. A log-in that the driver refuses says which of its properties
   * to set. A connection of any other driver will do as well; see {@link #of}.
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
