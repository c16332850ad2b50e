package io.waybill.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Databases for tests that run on MariaDB and on MySQL alike. They are made on the server whose
 * JDBC URL the system property {@value #PROPERTY} names, for example {@code
 * jdbc:mariadb://localhost:3306/?user=root}, and otherwise on a MariaDB that is started with the
 * first of them and lives as long as this JVM. Thread-safe.
 */
public final class MySqlDatabases {
  /** System property with the JDBC URL of a given server; its user may create databases. */
  public static final String PROPERTY = "waybill.mysql.url";

  private static final String PREFIX = "waybill_" + ProcessHandle.current().pid() + "_";
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static @Nullable MariaDbServer server;

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
      return server().createDatabase(name);
    }
    execute(given, "create database " + name);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> execute(given, "drop database if exists " + name)));
    return inDatabase(given, name);
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

  private static synchronized MariaDbServer server() {
    MariaDbServer running = server;
    if (running == null) {
      running = MariaDbServer.launch();
      server = running;
    }
    return running;
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
