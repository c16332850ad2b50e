package io.waybill.testkit.append;

import io.waybill.database.AppendDialect;
import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.outbox.MySqlAppend;
import io.waybill.proof.server.MySqlDatabases;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** An outbox in a database of its own on MariaDB, or on a given MySQL. */
final class MySqlAppendDatabase implements AppendDatabase {
  private static final int NO_SUCH_THREAD = 1094;

  private final String url = MySqlDatabases.create();
  private final String schema;
  private final String writer;

  MySqlAppendDatabase() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      schema = connection.getCatalog();
      writer = schema + "_w";
      Schema tables =
          Schema.of(DatabaseKind.of(connection), SchemaOptions.ofDefaults().schema(schema));
      tables.apply(connection);
      AppendDatabase.run(
          connection,
          "create table orders (id varchar(255) primary key) engine = InnoDB collate "
              + collation(connection));
      AppendDatabase.run(connection, "drop user if exists " + writer);
      AppendDatabase.run(connection, "create user " + writer);
      String grants = tables.grants(writer, writer, writer, writer);
      AppendDatabase.run(connection, grants.substring(0, grants.indexOf(";\n")));
    }
  }

  private static String collation(Connection connection) throws SQLException {
    return DatabaseKind.of(connection) == DatabaseKind.MARIADB
        ? "utf8mb4_nopad_bin"
        : "utf8mb4_0900_bin";
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public String schema() {
    return schema;
  }

  @Override
  public AppendDialect dialect() {
    return MySqlAppend.ofDefaults();
  }

  @Override
  public AppendDialect dialect(String name) {
    return MySqlAppend.inSchema(name);
  }

  @Override
  public AppendDialect dialect(String name, String table) {
    return MySqlAppend.inTable(name, table);
  }

  @Override
  public List<String> driverOptions() {
    return List.of(
        "",
        "&useServerPrepStmts=true",
        "&useCompression=true",
        "&sessionVariables=sql_mode='STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'",
        "&sessionVariables=sql_mode='ANSI,STRICT_ALL_TABLES'",
        // A plus sign in a URL is a blank to Connector/J.
        "&sessionVariables=time_zone='-05:30'");
  }

  @Override
  public String counted() {
    return MySqlDatabases.byConnectorJ()
        ? "&socketFactory=" + CountedConnectorJ.class.getName()
        : AppendDatabase.super.counted();
  }

  @Override
  public long inserts() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show global status like 'Com_insert'")) {
      row.next();
      return row.getLong(2);
    }
  }

  @Override
  public void killWriters() throws SQLException {
    String sql =
        "select id from information_schema.processlist where id <> connection_id() and db = '%s'";
    for (String id : column(sql.formatted(schema))) {
      try {
        run("kill " + id);
      } catch (SQLException e) {
        // A connection that was closed just before may still have been listed.
        if (e.getErrorCode() != NO_SUCH_THREAD) {
          throw e;
        }
      }
    }
  }

  @Override
  public Connection beginAsWriter() throws SQLException {
    String own = url.replaceAll("&password=[^&]*", "").replaceFirst("user=[^&]*", "user=" + writer);
    Connection connection = DriverManager.getConnection(own);
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public String writer() {
    return writer;
  }

  @Override
  public List<Constraint> otherConstraints() {
    String alter = "alter table waybill_outbox ";
    return List.of(
        new Constraint(
            alter + "add unique key other_key (correlation_id)", alter + "drop key other_key"),
        new Constraint(
            // An entry that looks like the other key's error, and a name that ends alike.
            alter + "add unique key x_waybill_outbox_event_id_key (correlation_id)",
            alter + "drop key x_waybill_outbox_event_id_key"),
        new Constraint(
            alter + "add constraint other_check check (event_type <> 'bad')",
            alter + "drop constraint other_check"),
        new Constraint(
            alter + "add constraint other_fk foreign key (event_type) references orders (id)",
            alter + "drop foreign key other_fk"),
        new Constraint(
            alter + "modify causation_id varchar(255) not null",
            alter + "modify causation_id varchar(255)"));
  }

  @Override
  public String foreignTimeZone() {
    return "set time_zone = '+05:30'";
  }

  @Override
  public String availableMicros() {
    return "timestampdiff(microsecond, '1970-01-01', available_at)";
  }

  @Override
  public String tenant() {
    return "json_value(headers, '$.tenant')";
  }

  @Override
  public void close() {
    // The server, or the end of the JVM, takes the database away.
  }
}
