package io.waybill.testkit.append;

import io.waybill.database.AppendDialect;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.proof.proxy.RoundTripCounter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A database with an outbox and a table {@code orders} of business rows, in a schema in which
 * connections find both without being told.
 */
interface AppendDatabase extends AutoCloseable {
  /** Something that a table is made to refuse, by an error that is no duplicate of an event. */
  record Constraint(String add, String drop) {}

  String url();

  /** The schema of the tables. */
  String schema();

  /** The tables that the connection finds. */
  AppendDialect dialect();

  AppendDialect dialect(String schema);

  AppendDialect dialect(String schema, String table);

  /** Driver options that change how values travel, each to be appended to the URL. */
  List<String> driverOptions();

  /** Driver option, to be appended to the URL, by which {@link RoundTripCounter} counts. */
  default String counted() {
    return "&socketFactory=" + RoundTripCounter.class.getName();
  }

  /** Number of INSERT statements that the server has run, over all connections. */
  long inserts() throws SQLException;

  /** Ends the connections that are in a transaction. */
  void killWriters() throws SQLException;

  /** A connection in a transaction of a user who may write and nothing else. */
  Connection beginAsWriter() throws SQLException;

  /** The user of {@link #beginAsWriter}. */
  String writer();

  /** Ways to refuse an event of the type {@code bad} and the correlation id {@code c}. */
  List<Constraint> otherConstraints();

  /** Statement that gives the session another time zone than UTC. */
  String foreignTimeZone();

  /** Expression for the due time in microseconds since 1970. */
  String availableMicros();

  /** Expression for the header {@code tenant}. */
  String tenant();

  @Override
  void close();

  /** Plain name of the outbox table. */
  default String table() {
    return "waybill_outbox";
  }

  /** Whether the table has a column for the event id, so that duplicates are found. */
  default boolean hasEventIds() {
    return true;
  }

  /** Longest event id that the table takes. */
  default int longestId() {
    return 128;
  }

  /** An event that is known by a name. */
  default Event event(String name) {
    return event(name, Payload.json("{\"id\":1}"));
  }

  /** The same with another payload. */
  default Event event(String name, Payload payload) {
    return Event.builder("order.placed", "order", "42").id(name).payload(payload).build();
  }

  /** The largest payload that serves to fill statements. */
  default Payload large() {
    return Payload.of(new byte[1_000_000], Payload.BYTES);
  }

  /** An event that {@link #otherConstraints} refuse, once {@link #otherRow} is there. */
  default Event bad() {
    return Event.builder("bad", "order", "1").correlationId("c").json("1").build();
  }

  /** Statement that writes a row for the other constraints. */
  default String otherRow() {
    return "insert into waybill_outbox (event_id, event_type, correlation_id, causation_id)"
        + " values ('x', 'good', 'c', 'c')";
  }

  /** The names of the events in the table, in its order. */
  default List<@Nullable String> names() throws SQLException {
    return column("select event_id from waybill_outbox order by id");
  }

  /** A connection in a transaction of its own. */
  default Connection begin() throws SQLException {
    return begin("");
  }

  /** The same with driver options. */
  default Connection begin(String driverOptions) throws SQLException {
    Connection connection = DriverManager.getConnection(url() + driverOptions);
    connection.setAutoCommit(false);
    return connection;
  }

  /** Runs a statement in a transaction of its own. */
  default void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url())) {
      run(connection, sql);
    }
  }

  /** Empties both tables. */
  default void empty() throws SQLException {
    run("delete from waybill_outbox");
    run("delete from orders");
  }

  /** The texts of a query's first column, as everybody sees them. */
  default List<@Nullable String> column(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<@Nullable String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
