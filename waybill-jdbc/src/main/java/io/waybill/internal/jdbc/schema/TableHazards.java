package io.waybill.internal.jdbc.schema;

import io.waybill.internal.jdbc.kernel.MySqlCatalogue;
import io.waybill.internal.jdbc.kernel.PostgresCatalogue;
import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What others did to tables that are there: triggers, rules, references and the like.
 *
 * @param outbox the outbox, with its schema
 * @param own whether it is Waybill's own
 * @param deleted whether its rows are deleted
 * @param beside the tables beside it, with their schemas
 */
record TableHazards(TableName outbox, boolean own, boolean deleted, List<TableName> beside) {
  List<Finding> onPostgres(Connection connection) throws SQLException {
    List<TableName> all = Stream.concat(Stream.of(outbox), beside.stream()).toList();
    try (PreparedStatement statement = connection.prepareStatement(PostgresCatalogue.hazards())) {
      statement.setArray(
          1, connection.createArrayOf("text", all.stream().map(TableName::schema).toArray()));
      statement.setArray(
          2, connection.createArrayOf("text", all.stream().map(TableName::name).toArray()));
      statement.setBoolean(3, own);
      statement.setBoolean(4, deleted);
      return findings(statement);
    }
  }

  List<Finding> onMySql(Connection connection) throws SQLException {
    String schema = Objects.requireNonNull(outbox.schema());
    List<String> names = beside.stream().map(TableName::name).toList();
    String query = new MySqlCatalogue(schema).hazards(outbox.name(), own, deleted, names);
    String age = statisticsAge(connection);
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      setStatisticsAge(connection, age.isEmpty() ? age : "0");
      return findings(statement);
    } finally {
      setStatisticsAge(connection, age);
    }
  }

  /** MySQL shows a table's next number as it was up to a day ago; MariaDB has no such setting. */
  private static String statisticsAge(Connection connection) throws SQLException {
    String query = "show session variables like 'information_schema_stats_expiry'";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getString(2) : "";
    }
  }

  private static void setStatisticsAge(Connection connection, String age) throws SQLException {
    if (!age.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("set session information_schema_stats_expiry = " + age);
      }
    }
  }

  private static List<Finding> findings(PreparedStatement statement) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        Check check = Check.valueOf(result.getString(1));
        findings.add(
            new Finding(
                    check,
                    "table " + result.getString(2),
                    detail(check, result.getString(3)),
                    result.getString(4))
                .runnable());
      }
    }
    return findings;
  }

  private static String detail(Check check, String thing) {
    return switch (check) {
      case POSTGRESQL_TABLE_UNLOGGED -> "It is unlogged: after a crash it is empty";
      case POSTGRESQL_ROWS_HIDDEN ->
          "Row-level security is in force for the relay's role, which hides events from it";
      case POSTGRESQL_TABLE_NOT_VACUUMED ->
          "It is excluded from autovacuum: reads become slower and slower";
      case POSTGRESQL_RULE ->
          "Its rule " + thing + " does something other than writing or removing the row";
      case TABLE_TRIGGER ->
          "Its trigger "
              + thing
              + " runs before each row is written or removed, and can change or prevent that";
      case TABLE_REFERENCED ->
          "Rows of " + thing + " refer to it: published events that they name cannot be removed";
      case POSTGRESQL_PUBLISHED_TWICE ->
          "It is part of publication " + thing + ": any reader of that sends its events as well";
      case POSTGRESQL_SEQUENCE_CACHED ->
          "The sequence of its column "
              + thing
              + " has a cache: each session hands out numbers from its own block, and ids do not"
              + " grow in the order of commits; rows are skipped, and the order of a key is lost";
      case ADOPTED_SEQUENCE_CACHED ->
          "The sequence of its column "
              + thing
              + " has a cache: each session hands out numbers from its own block, which do not give"
              + " the order of rows; events of one key may change places";
      case TABLE_IDS_RUN_OUT ->
          "More than four fifths of the numbers of its column " + thing + " are used up";
      default -> throw new IllegalArgumentException("No check of tables: " + check);
    };
  }
}
