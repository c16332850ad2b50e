package io.waybill.proof.server;

import io.waybill.database.DatabaseKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Databases for tests that run on MariaDB and on MySQL alike. They are made on the server whose
 * JDBC URL the system property {@value #PROPERTY} names, for example {@code
 * jdbc:mariadb://localhost:3306/?user=root}, and otherwise on a server that is started with the
 * first of them and lives as long as this JVM: a MariaDB, or what {@value #KIND} names.
 * Thread-safe.
 */
public final class MySqlDatabases {
  /** System property with the JDBC URL of a given server; its user may create databases. */
  public static final String PROPERTY = "waybill.mysql.url";

  /** System property that names the {@link DatabaseKind} of the server that is started. */
  public static final String KIND = "waybill.mysql.kind";

  /**
   * System property whose value {@code connector-j} asks for URLs that MySQL's own driver answers,
   * and not MariaDB's. It has to be on the class path.
   */
  public static final String DRIVER = "waybill.mysql.driver";

  private static final String PREFIX = "waybill_" + ProcessHandle.current().pid() + "_";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static @Nullable DatabaseServer server;

  private MySqlDatabases() {}

  /**
   * Creates an empty database under a name of its own; one on a given server is dropped when this
   * JVM ends.
   *
   * @return JDBC URL of the database
   */
  public static String create() {
    String given = System.getProperty(PROPERTY, "");
    String name = PREFIX + NUMBER.incrementAndGet();
    if (given.isEmpty()) {
      return ofDriver(server().createDatabase(name));
    }
    execute(given, "create database " + name);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> execute(given, "drop database if exists " + name)));
    return inDatabase(given, name);
  }

  /**
   * Whether tests connect by MySQL's own driver.
   *
   * @return whether {@value #DRIVER} says so
   */
  public static boolean byConnectorJ() {
    return System.getProperty(DRIVER, "").equals("connector-j");
  }

  /**
   * URL of a server that was started here, for the driver that tests connect by.
   *
   * @param url URL for MariaDB's driver
   * @return the same, or the URL for MySQL's own driver
   */
  public static String ofDriver(String url) {
    return byConnectorJ()
        ? url.replace("jdbc:mariadb:", "jdbc:mysql:").replace("sslMode=disable", "sslMode=DISABLED")
        : url;
  }

  /**
   * The same server seen from another database.
   *
   * @param url JDBC URL of the server, with or without a database
   * @param database name of the database
   * @return JDBC URL
   */
  public static String inDatabase(String url, String database) {
    return url.replaceFirst("^(jdbc:[^/]*//[^/?]*)(/[^?]*)?", "$1/" + database);
  }

  /**
   * The server that is started where none is given.
   *
   * @return the running server; not to be closed
   */
  public static synchronized DatabaseServer server() {
    DatabaseServer running = server;
    if (running == null) {
      running = launch(Map.of());
      server = running;
    }
    return running;
  }

  /**
   * Starts one more server of the same kind.
   *
   * @param overrides server options that replace the defaults, with hyphens as on the command line
   * @return the running server
   * @throws org.opentest4j.TestAbortedException when this machine cannot have it
   */
  public static DatabaseServer launch(Map<String, String> overrides) {
    String kind = System.getProperty(KIND, DatabaseKind.MARIADB.name());
    if (DatabaseKind.valueOf(kind) != DatabaseKind.MYSQL) {
      return MariaDbServer.launch(overrides);
    }
    UnpackedServer.MYSQL.assumeThere();
    return MySqlServer.launch(overrides);
  }

  private static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot " + sql, e);
    }
  }
}
