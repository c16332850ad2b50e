package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Waybill's own tables refuse, and what they fill in, on any database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
abstract class OwnTableContract {
  private static final Pattern END = Pattern.compile(";\n");

  String url;
  Schema schema;
  Connection connection;

  /** JDBC URL of an empty database. */
  abstract String createDatabase();

  /** The schema in which the connection finds tables without being told. */
  abstract String currentSchema(Connection connection) throws SQLException;

  /** A column of the outbox that is not the writers' to fill. */
  abstract String ownColumn();

  /** Whether a statement was refused because of what a row holds. */
  abstract boolean isIllegal(SQLException e);

  abstract boolean isDuplicate(SQLException e);

  @BeforeEach
  void connect() throws SQLException {
    url = createDatabase();
    connection = DriverManager.getConnection(url);
    schema = schema(currentSchema(connection), 64);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  Schema schema(String name, int lanes) throws SQLException {
    return Schema.of(
        DatabaseKind.of(connection), SchemaOptions.ofDefaults().schema(name).lanes(lanes));
  }

  void execute(String script) throws SQLException {
    execute(connection, script);
  }

  static void execute(Connection connection, String script) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String part : END.splitAsStream(script).toList()) {
        if (!part.isBlank()) {
          statement.execute(part);
        }
      }
    }
  }

  String text(String sql) throws SQLException {
    return text(connection, sql);
  }

  static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "values (1, 1, 0, null, null, 'LOST', 0, false, null, 'r', 'd')",
        "values (1, 1, 0, null, null, 'RETRY', 1, false, null, 'r', 'd')",
        "values (1, 1, 0, null, null, 'PARKED', 1, false, now(), 'r', 'd')",
        "values (1, 1, 0, null, null, 'DEAD', -1, false, null, 'r', 'd')",
        "values (1, 1, 0, 'order', null, 'DEAD', 1, false, null, 'r', 'd')",
      })
  void illegalStatesAreRefused(String values) throws SQLException {
    schema.apply(connection);
    assertRefused(
        connection,
        this::isIllegal,
        "insert into waybill_row_state (row_id, row_created, lane, aggregate_type, aggregate_id, state,"
            + " attempts, unknown_outcome, next_attempt_at, last_reason, last_detail) "
            + values);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "('', 't', null, null, null)",
        "('a b', 't', null, null, null)",
        "('" + "x" + "\u00fc', 't', null, null, null)",
        "('line\nbreak', 't', null, null, null)",
        "('end\n', 't', null, null, null)",
        "('blank ', 't', null, null, null)",
        "('\uD83D\uDE00', 't', null, null, null)",
        "('a''; drop table waybill_outbox; --', 't', null, null, null)",
        "(repeat('x', 10240), 't', null, null, null)",
        "(repeat('x', 129), 't', null, null, null)",
        "('a', '', null, null, null)",
        "('a', 't', 'order', null, null)",
        "('a', 't', null, '1', null)",
        "('a', 't', null, null, '[1]')",
      })
  void illegalEventsAreRefused(String values) throws SQLException {
    schema.apply(connection);
    assertRefused(
        connection,
        this::isIllegal,
        "insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, headers)"
            + " values "
            + values);
  }

  @Test
  void anInsertByHandGetsTheLaneOfItsKey() throws SQLException {
    schema.apply(connection);
    execute(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload,
          content_type, headers, correlation_id, causation_id, traceparent, available_at)
        values ('a', 't', 'order', '1', '{}', 'application/json', '{"h":"v"}', 'c', 'd',
          '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', now());
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id)
        values ('b', 't', 'order', '1'), ('c', 't', 'order', '1')""");
    assertThat(text("select count(distinct lane) from waybill_outbox")).isEqualTo("1");
    assertRefused(
        connection,
        this::isDuplicate,
        "insert into waybill_outbox (event_id, event_type) values ('a', 't')");
  }

  @Test
  void textsThatDifferInCaseAccentOrTrailingBlanksAreDistinct() throws SQLException {
    schema.apply(connection);
    execute(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id)
        values ('a', 't', 'k', 'e'), ('A', 't', 'k', 'E'), ('b', 't', 'k', '\u00e9'),
          ('c', 't', 'k', 'e '), ('d', 't', 'k', 'e\u0301')""");
    assertThat(text("select count(distinct aggregate_id) from waybill_outbox")).isEqualTo("5");
    assertThat(text("select count(*) from waybill_outbox where aggregate_id = 'e'")).isEqualTo("1");
    assertThat(text("select count(*) from waybill_outbox where aggregate_id = 'e '"))
        .isEqualTo("1");
    assertThat(text("select count(*) from waybill_outbox where event_id = 'a'")).isEqualTo("1");
  }

  static void assertRefused(Connection connection, Predicate<SQLException> reason, String sql) {
    assertThatThrownBy(() -> execute(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(reason.test(e)).describedAs("%s %s", e.getErrorCode(), e).isTrue());
  }
}
