package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

class PostgresSchemaTest extends SchemaContract {
  private static final Set<String> THERE = Set.of("42P07", "42701", "42710", "42P16");

  @Override
  String createDatabase() {
    return PostgresFixture.SERVER.createDatabase("schema_" + NUMBER.incrementAndGet());
  }

  @Override
  String currentSchema(Connection connection) {
    return "public";
  }

  @Override
  String freeSchema() {
    return "shop_" + NUMBER.incrementAndGet();
  }

  @Override
  List<Finding> findings(String role) {
    return PostgresRoles.check(url, role);
  }

  @Override
  void createRole(String role) throws SQLException {
    execute("create role " + role);
  }

  @Override
  Connection as(String role) throws SQLException {
    Connection own = DriverManager.getConnection(url);
    try (Statement statement = own.createStatement()) {
      statement.execute("set role " + role);
    }
    return own;
  }

  @Override
  Stream<Arguments> harms() {
    return Stream.of(
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
                + " | constraint waybill_outbox.waybill_outbox_event_id_key")
        .map(SchemaContract::harm);
  }

  @Override
  String ownColumn() {
    return "xid";
  }

  @Override
  boolean isIllegal(SQLException e) {
    return "23514".equals(e.getSQLState());
  }

  @Override
  boolean isDuplicate(SQLException e) {
    return "23505".equals(e.getSQLState());
  }

  @Override
  boolean isDenied(SQLException e) {
    return "42501".equals(e.getSQLState());
  }

  @Override
  boolean isThere(SQLException e) {
    return THERE.contains(e.getSQLState());
  }

  @Override
  String owner() {
    return "postgres";
  }

  @Test
  void rowsOfALaterTransactionAreFoundAndMended() throws SQLException {
    schema.apply(connection);
    execute(
        "insert into waybill_outbox (event_id, event_type, xid) values ('a', 't', '999999999')");
    List<Finding> findings = findings(owner());
    assertThat(findings)
        .singleElement()
        .returns(Check.POSTGRESQL_ROWS_OF_ANOTHER_SERVER, Finding::check)
        .satisfies(f -> assertThat(f.detail()).contains("restored"));
    execute(findings.get(0).remedy());
    assertThat(findings(owner())).isEmpty();
  }

  @Test
  void anIndexThatCouldNotBeBuiltIsFoundAndMended() throws SQLException {
    schema.apply(connection);
    execute(
        """
        update pg_index set indisvalid = false
        where indexrelid = 'waybill_outbox_xid_idx'::regclass""");
    List<Finding> findings = findings(owner());
    assertThat(findings)
        .singleElement()
        .returns(Check.SCHEMA_PART_INVALID, Finding::check)
        .returns("index waybill_outbox_xid_idx", Finding::subject);
    execute(findings.get(0).remedy());
    assertThat(findings(owner())).isEmpty();
  }

  @Test
  void aSequenceThatTheRelayMayNotSeeIsFound() throws SQLException {
    String role = "relay_" + NUMBER.incrementAndGet();
    createRole(role);
    schema.apply(connection);
    execute(schema.grants(role, role, role, role));
    execute("revoke select on sequence waybill_outbox_id_seq from " + role);
    assertThat(findings(role))
        .singleElement()
        .returns(Check.PRIVILEGE_MISSING, Finding::check)
        .returns("sequence waybill_outbox_id_seq", Finding::subject);
  }

  @Test
  void readOnlyServersAreRefused() throws SQLException {
    schema.apply(connection);
    set("default_transaction_read_only = on");
    assertThat(findings(owner()))
        .singleElement()
        .returns(Finding.Severity.REFUSE, Finding::severity)
        .satisfies(f -> assertThat(f.detail()).contains("read-only"));
  }

  @Test
  void asynchronousCommitIsWarnedAbout() throws SQLException {
    schema.apply(connection);
    set("synchronous_commit = off");
    assertThat(findings(owner()))
        .singleElement()
        .returns(Finding.Severity.WARN, Finding::severity)
        .satisfies(f -> assertThat(f.detail()).contains("synchronous_commit"));
  }

  private void set(String setting) throws SQLException {
    execute("alter role postgres in database " + connection.getCatalog() + " set " + setting);
  }
}
