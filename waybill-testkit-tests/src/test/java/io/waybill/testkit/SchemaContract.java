package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.Schema;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the tables of an outbox are made and checked, and who may use them, on any database. */
abstract class SchemaContract extends OwnTableContract {
  static final AtomicInteger NUMBER = new AtomicInteger();

  /** Name of a schema that is not there. */
  abstract String freeSchema() throws SQLException;

  /** The start-up checks as the owner of a connection sees them. */
  abstract List<Finding> findings(String role) throws SQLException;

  abstract void createRole(String role) throws SQLException;

  /** A connection of a role. */
  abstract Connection as(String role) throws SQLException;

  /** Statements that break something, and what is then found missing. */
  abstract Stream<Arguments> harms();

  abstract boolean isDenied(SQLException e);

  /** Whether a statement failed because what it makes is there already. */
  abstract boolean isThere(SQLException e);

  /** The superuser. */
  abstract String owner();

  @Test
  void applyingTwiceChangesNothing() throws SQLException {
    assertThat(schema.apply(connection)).isEqualTo(1);
    assertThat(schema.apply(connection)).isZero();
    assertThat(schema.check(connection)).isEmpty();
    assertThat(findings(owner())).isEmpty();
  }

  @Test
  void manyMayApplyAtOnce() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    Schema other = schema(freeSchema(), 64);
    Callable<Integer> apply =
        () -> {
          try (Connection own = DriverManager.getConnection(url)) {
            return other.apply(own);
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
    String name = freeSchema();
    Schema shop = schema(name, 8);
    execute(shop.print());
    assertThat(shop.check(connection)).isEmpty();
    assertThat(shop.apply(connection)).isZero();
    assertThat(text("select count(*) from " + name + ".waybill_lane")).isEqualTo("8");
  }

  @Test
  void anEmptyDatabaseIsFound() throws SQLException {
    assertThat(schema.check(connection))
        .singleElement()
        .returns(Check.SCHEMA_MISSING, Finding::check)
        .returns("waybill schema apply", Finding::remedy);
  }

  @ParameterizedTest
  @MethodSource("harms")
  void aMissingThingIsFoundAndItsStatementMendsIt(String harm, String thing) throws SQLException {
    schema.apply(connection);
    execute(harm);
    List<Finding> findings = schema.check(connection);
    assertThat(findings).extracting(Finding::subject).contains(thing);
    assertThat(findings).extracting(Finding::check).containsOnly(Check.SCHEMA_PART_MISSING);
    for (Finding finding : findings) {
      executeIfPossible(finding.remedy());
    }
    assertThat(schema.check(connection)).isEmpty();
  }

  @Test
  void newerTablesAreRefused() throws SQLException {
    schema.apply(connection);
    execute("insert into waybill_schema_version (version, script) values (99, 'later')");
    assertThat(findings(owner()))
        .singleElement()
        .returns(Check.SCHEMA_NEWER, Finding::check)
        .satisfies(f -> assertThat(f.detail()).contains("99"));
  }

  @Test
  void scriptsThatAreNotAppliedAreFound() throws SQLException {
    schema.apply(connection);
    execute("delete from waybill_schema_version");
    assertThat(findings(owner())).singleElement().returns(Check.SCHEMA_OLD, Finding::check);
  }

  @Test
  void anotherNumberOfLanesIsFound() throws SQLException {
    schema.apply(connection);
    execute("delete from waybill_lane where lane = 63");
    assertThat(findings(owner()))
        .singleElement()
        .returns(Check.LANES_INCOMPLETE, Finding::check)
        .satisfies(finding -> assertThat(finding.detail()).contains("63 lanes"));
  }

  @Test
  void rolesMayDoTheirWorkAndNoMore() throws SQLException {
    int n = NUMBER.incrementAndGet();
    String writer = "writer_" + n;
    String relay = "relay_" + n;
    String reader = "reader_" + n;
    createRole(writer);
    createRole(relay);
    createRole(reader);
    schema.apply(connection);
    String operator = "operator_" + n;
    createRole(operator);
    execute(schema.grants(writer, relay, operator, reader));

    try (Connection own = as(writer)) {
      execute(own, "insert into waybill_outbox (event_id, event_type) values ('a', 't')");
      String foreign =
          "insert into waybill_outbox (event_id, event_type, %s) values ('b', 't', '1')";
      assertRefused(own, this::isDenied, foreign.formatted(ownColumn()));
      assertRefused(own, this::isDenied, "select 1 from waybill_outbox");
    }
    try (Connection own = as(reader)) {
      assertThat(text(own, "select status from waybill_outbox_status")).isEqualTo("PENDING");
      assertRefused(own, this::isDenied, "delete from waybill_outbox");
      assertRefused(own, this::isDenied, "select payload from waybill_outbox");
      assertThat(text(own, "select event_id from waybill_outbox")).isEqualTo("a");
    }
    String audit =
        "insert into waybill_audit (requested_by, verb, reason%s) values ('kim', 'SKIP', 'r'%s)";
    try (Connection own = as(operator)) {
      execute(own, audit.formatted("", ""));
      execute(
          own,
          "insert into waybill_request (audit_id, lane, row_id, row_created, verb, reason)"
              + " select id, 0, 1, 0, verb, reason from waybill_audit");
      assertRefused(own, this::isDenied, audit.formatted(", database_user", ", 'lee'"));
      assertRefused(own, this::isDenied, audit.formatted(", requested_at", ", null"));
      assertRefused(own, this::isDenied, "update waybill_audit set reason = 'other'");
      assertRefused(own, this::isDenied, "update waybill_audit set done = true");
      assertRefused(own, this::isDenied, "select payload from waybill_outbox");
      assertRefused(own, this::isDenied, "delete from waybill_request");
    }
    try (Connection own = as(relay)) {
      execute(own, "update waybill_audit set completed_at = requested_at, done = true, note = 'n'");
      assertRefused(own, this::isDenied, "update waybill_audit set requested_by = 'lee'");
      assertRefused(own, this::isDenied, "update waybill_audit set database_user = 'lee'");
      assertRefused(own, this::isDenied, "delete from waybill_audit");
    }
    assertThat(findings(relay)).isEmpty();
    try (Connection own = as(relay)) {
      assertRefused(
          own,
          this::isDenied,
          "insert into waybill_outbox (event_id, event_type) values ('c', 't')");
    }
    execute("revoke delete on waybill_outbox from " + relay);
    assertThat(findings(relay))
        .singleElement()
        .returns(Check.PRIVILEGE_MISSING, Finding::check)
        .satisfies(
            f -> assertThat(f.remedy()).contains("grant DELETE on ").contains("waybill_outbox"));
  }

  /** A harm and its finding, separated by a bar. */
  static Arguments harm(String pair) {
    int bar = pair.indexOf(" | ");
    return Arguments.of(pair.substring(0, bar), pair.substring(bar + 3));
  }

  /** Dropping a table takes its columns and constraints with it, which the table brings back. */
  private void executeIfPossible(String sql) throws SQLException {
    try {
      execute(sql);
    } catch (SQLException e) {
      assertThat(isThere(e)).describedAs("%s: %s", sql, e).isTrue();
    }
  }
}
