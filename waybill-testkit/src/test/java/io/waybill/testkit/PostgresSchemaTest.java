package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.PostgresOptions;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresSchemaTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String url =
      PostgresFixture.SERVER.createDatabase("schema_" + NUMBER.incrementAndGet());
  private final Schema schema = Schema.of(SchemaOptions.defaults());
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection(url);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void applyingTwiceChangesNothing() throws SQLException {
    assertThat(schema.apply(connection)).isEqualTo(1);
    assertThat(schema.apply(connection)).isZero();
    assertThat(schema.check(connection)).isEmpty();
    assertThat(outbox().check()).isEmpty();
  }

  @Test
  void manyMayApplyAtOnce() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    Callable<Integer> apply =
        () -> {
          try (Connection own = DriverManager.getConnection(url)) {
            return Schema.of(SchemaOptions.defaults().schema("shop")).apply(own);
          }
        };
    int applied = 0;
    for (Future<Integer> future : executor.invokeAll(List.of(apply, apply, apply, apply))) {
      applied += future.get();
    }
    executor.shutdown();
    assertThat(applied).isEqualTo(1);
  }

  @Test
  void thePrintedScriptMakesTheSameTables() throws SQLException {
    Schema shop = Schema.of(SchemaOptions.defaults().schema("shop").lanes(8));
    execute(shop.print());
    assertThat(shop.check(connection)).isEmpty();
    assertThat(shop.apply(connection)).isZero();
    assertThat(text("select count(*) from shop.waybill_lane")).isEqualTo("8");
  }

  @Test
  void anEmptyDatabaseIsFound() throws SQLException {
    assertThat(schema.check(connection))
        .singleElement()
        .returns(Finding.Severity.REFUSE, Finding::severity)
        .returns("waybill schema apply", Finding::remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop index waybill_outbox_xid_idx | index waybill_outbox_xid_idx",
        "drop index waybill_outbox_available_at_idx | index waybill_outbox_available_at_idx",
        "drop index waybill_row_state_state_idx | index waybill_row_state_state_idx",
        "drop index waybill_held_key_idx | index waybill_held_key_idx",
        "drop table waybill_published cascade | table waybill_published",
        "drop table waybill_destination | table waybill_destination",
        "drop view waybill_outbox_status | table waybill_outbox_status",
        "alter table waybill_audit drop column note | column waybill_audit.note",
        "alter table waybill_session drop column joined_at | column waybill_session.joined_at",
        "alter table waybill_row_state drop constraint waybill_row_state_retry_check"
            + " | constraint waybill_row_state.waybill_row_state_retry_check",
        "alter table waybill_outbox drop constraint waybill_outbox_event_id_check"
            + " | constraint waybill_outbox.waybill_outbox_event_id_check",
        "alter table waybill_outbox drop constraint waybill_outbox_event_id_key"
            + " | constraint waybill_outbox.waybill_outbox_event_id_key",
      })
  void aMissingThingIsFoundAndItsStatementMendsIt(String harm, String thing) throws SQLException {
    schema.apply(connection);
    execute(harm);
    List<Finding> findings = schema.check(connection);
    assertThat(findings).extracting(Finding::subject).contains(thing);
    for (Finding finding : findings) {
      executeIfPossible(finding.remedy());
    }
    assertThat(schema.check(connection)).isEmpty();
  }

  @Test
  void newerTablesAreRefused() throws SQLException {
    schema.apply(connection);
    execute("insert into waybill_schema_version (version, script) values (99, 'later')");
    assertThat(outbox().check())
        .singleElement()
        .satisfies(f -> assertThat(f.detail()).contains("99"));
  }

  @Test
  void anotherNumberOfLanesIsFound() throws SQLException {
    schema.apply(connection);
    execute("delete from waybill_lane where lane = 63");
    assertThat(outbox().check())
        .singleElement()
        .satisfies(finding -> assertThat(finding.detail()).contains("63 lanes"));
  }

  @Test
  void rowsOfALaterTransactionAreFoundAndMended() throws SQLException {
    schema.apply(connection);
    execute(
        "insert into waybill_outbox (event_id, event_type, xid) values ('a', 't', '999999999')");
    List<Finding> findings = outbox().check();
    assertThat(findings)
        .singleElement()
        .satisfies(f -> assertThat(f.detail()).contains("restored"));
    execute(findings.get(0).remedy());
    assertThat(outbox().check()).isEmpty();
  }

  @Test
  void rolesMayDoTheirWorkAndNoMore() throws SQLException {
    int n = NUMBER.incrementAndGet();
    String writer = "writer_" + n;
    String relay = "relay_" + n;
    String reader = "reader_" + n;
    execute("create role " + writer + "; create role " + relay + "; create role " + reader);
    schema.apply(connection);
    execute(schema.grants(writer, relay, reader));

    execute("set role " + writer);
    execute("insert into waybill_outbox (event_id, event_type) values ('a', 't')");
    assertRefused(
        "42501", "insert into waybill_outbox (event_id, event_type, xid) values ('b', 't', '1')");
    assertRefused("42501", "select 1 from waybill_outbox");
    execute("set role " + reader);
    assertThat(text("select status from waybill_outbox_status")).isEqualTo("PENDING");
    assertRefused("42501", "delete from waybill_outbox");
    execute("set role " + relay);
    assertThat(PostgresRoles.check(url, relay)).isEmpty();
    assertRefused("42501", "insert into waybill_outbox (event_id, event_type) values ('c', 't')");
    execute("reset role; revoke delete on waybill_outbox from " + relay);
    assertThat(PostgresRoles.check(url, relay))
        .singleElement()
        .satisfies(
            f -> assertThat(f.remedy()).contains("grant DELETE on \"public\".waybill_outbox"));
    execute("revoke select on sequence waybill_outbox_id_seq from " + relay);
    assertThat(PostgresRoles.check(url, relay)).hasSize(2);
  }

  @Test
  void readOnlyServersAreRefused() throws SQLException {
    schema.apply(connection);
    execute(
        "alter role postgres in database "
            + connection.getCatalog()
            + " set default_transaction_read_only = on");
    assertThat(outbox().check())
        .singleElement()
        .returns(Finding.Severity.REFUSE, Finding::severity)
        .satisfies(f -> assertThat(f.detail()).contains("read-only"));
  }

  @Test
  void asynchronousCommitIsWarnedAbout() throws SQLException {
    schema.apply(connection);
    execute(
        "alter role postgres in database "
            + connection.getCatalog()
            + " set synchronous_commit = off");
    assertThat(outbox().check())
        .singleElement()
        .returns(Finding.Severity.WARN, Finding::severity)
        .satisfies(f -> assertThat(f.detail()).contains("synchronous_commit"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "values (1, 0, null, null, 'LOST', 0, false, null, 'r', 'd')",
        "values (1, 0, null, null, 'RETRY', 1, false, null, 'r', 'd')",
        "values (1, 0, null, null, 'PARKED', 1, false, now(), 'r', 'd')",
        "values (1, 0, null, null, 'DEAD', -1, false, null, 'r', 'd')",
        "values (1, 0, 'order', null, 'DEAD', 1, false, null, 'r', 'd')",
      })
  void illegalStatesAreRefused(String values) throws SQLException {
    schema.apply(connection);
    assertRefused(
        "23514",
        "insert into waybill_row_state (row_id, lane, aggregate_type, aggregate_id, state,"
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
        "23514",
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
    assertRefused("23505", "insert into waybill_outbox (event_id, event_type) values ('a', 't')");
  }

  private PostgresOutbox outbox() {
    return PostgresOutbox.of(
        ConnectionFactory.postgres(url, new Properties()), PostgresOptions.defaults());
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Dropping a table takes its columns and constraints with it, which the table brings back. */
  private void executeIfPossible(String sql) throws SQLException {
    List<String> already = new ArrayList<>(List.of("42P07", "42701", "42710", "42P16"));
    try {
      execute(sql);
    } catch (SQLException e) {
      assertThat(already).contains(e.getSQLState());
    }
  }

  private void assertRefused(String state, String sql) {
    assertThatThrownBy(() -> execute(sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
