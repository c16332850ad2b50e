package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.jdbc.Schema;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.Session;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each unsafe state is found alone, and what the finding says mends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class PostgresDoctorTest {
  private static final String DATABASE = "doctor";

  private Connection connection;

  @BeforeAll
  void create() throws SQLException {
    connection = DriverManager.getConnection(PostgresFixture.SERVER.createDatabase(DATABASE));
    Schema schema = Schema.of(SchemaOptions.ofDefaults());
    schema.apply(connection);
    execute("create role doctor superuser login; create role doctor_relay login");
    execute("create role doctor_writer login");
    execute(schema.grants("doctor_writer", "doctor_relay", "doctor_writer", "doctor_writer"));
  }

  @AfterAll
  void close() throws SQLException {
    connection.close();
  }

  @BeforeEach
  void allIsWell() {
    assertThat(check("doctor")).isEmpty();
    assertThat(check("doctor_relay")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alter database doctor set default_transaction_read_only = on | POSTGRESQL_READ_ONLY",
        "alter database doctor set synchronous_commit = off | POSTGRESQL_SYNCHRONOUS_COMMIT_OFF",
        "alter role doctor_writer set synchronous_commit = off"
            + " | POSTGRESQL_ROLE_COMMITS_ASYNCHRONOUSLY",
        "alter role doctor_writer in database doctor set synchronous_commit = off"
            + " | POSTGRESQL_ROLE_COMMITS_ASYNCHRONOUSLY",
        "alter database doctor set zero_damaged_pages = on | POSTGRESQL_DAMAGED_PAGES_TAKEN",
        "alter database doctor set ignore_checksum_failure = on | POSTGRESQL_DAMAGED_PAGES_TAKEN",
        "alter database doctor set enable_indexscan = off | POSTGRESQL_INDEX_SCANS_OFF",
        "alter database doctor set track_counts = off | POSTGRESQL_AUTOVACUUM_OFF",
        "alter database doctor set idle_session_timeout = '5s' | POSTGRESQL_IDLE_SESSIONS_ENDED",
        "alter database doctor set lock_timeout = '100ms' | POSTGRESQL_LOCK_WAITS_CUT",
        "select pg_create_physical_replication_slot('left_over', true) | POSTGRESQL_SLOT_UNUSED",
        "alter table waybill_outbox set unlogged | POSTGRESQL_TABLE_UNLOGGED",
        "alter table waybill_destination set unlogged | POSTGRESQL_TABLE_UNLOGGED",
        "alter table waybill_outbox set (autovacuum_enabled = off) | POSTGRESQL_TABLE_NOT_VACUUMED",
        "create rule keep as on delete to waybill_outbox do instead nothing | POSTGRESQL_RULE",
        "create trigger meddling before delete on waybill_outbox for each row"
            + " execute function suppress_redundant_updates_trigger() | TABLE_TRIGGER",
        "create table copy (id bigint references waybill_outbox (id)) | TABLE_REFERENCED",
        "alter sequence waybill_outbox_id_seq cache 50 | POSTGRESQL_SEQUENCE_CACHED",
        "create publication cdc for table waybill_outbox | POSTGRESQL_PUBLISHED_TWICE",
      })
  void anUnsafeStateIsFoundAndMended(String state, Check check) throws SQLException {
    execute(state);
    List<Finding> findings = check("doctor");

    assertThat(findings).singleElement().returns(check, Finding::check);
    mend(findings, "postgres");
    if (check == Check.POSTGRESQL_SYNCHRONOUS_COMMIT_OFF
        || check == Check.POSTGRESQL_AUTOVACUUM_OFF) {
      // The server's own value was right before: the database's stands in its way.
      execute("alter database doctor reset all");
    }
    assertThat(check("doctor")).isEmpty();
    execute("drop table if exists copy; drop publication if exists cdc");
    execute("alter database doctor reset all; drop trigger if exists meddling on waybill_outbox");
  }

  @Test
  void aShortLimitOfTransactionsIsFoundAndMended() throws SQLException {
    // PostgreSQL 16 and before have no such setting.
    if (connection.getMetaData().getDatabaseMajorVersion() < 17) {
      return;
    }
    execute("alter database doctor set transaction_timeout = '1s'");
    List<Finding> findings = check("doctor");

    assertThat(findings).singleElement().returns(Check.POSTGRESQL_TRANSACTIONS_CUT, Finding::check);
    mend(findings, "doctor");
    assertThat(check("doctor")).isEmpty();
    execute("alter database doctor reset all");
  }

  @Test
  void rowLevelSecurityThatHidesEventsIsRefusedAndMended() throws SQLException {
    execute("alter table waybill_outbox enable row level security");
    List<Finding> findings = check("doctor_relay");

    assertThat(findings).singleElement().returns(Check.POSTGRESQL_ROWS_HIDDEN, Finding::check);
    assertThat(check("doctor")).isEmpty();
    mend(findings, "postgres");
  }

  @ParameterizedTest
  @CsvSource({"role doctor_relay", "database doctor"})
  void tooFewConnectionsAreFoundAndMended(String limited) throws SQLException {
    execute("alter " + limited + " connection limit 2");
    List<Finding> findings = check("doctor_relay");

    assertThat(findings)
        .singleElement()
        .returns(Check.POSTGRESQL_CONNECTIONS_LOW, Finding::check)
        .returns(limited, Finding::subject);
    mend(findings, "postgres");
  }

  @Test
  void aRoleThatMayNotSeeWhichServerItIsIsNamed() throws SQLException {
    execute("revoke execute on function pg_catalog.pg_control_system() from public");
    try {
      List<Finding> findings = check("doctor_relay");
      assertThat(findings)
          .singleElement()
          .returns(Check.POSTGRESQL_IDENTITY_HIDDEN, Finding::check);
      execute(findings.get(0).remedy());
      assertThat(check("doctor_relay")).isEmpty();
    } finally {
      execute("revoke execute on function pg_catalog.pg_control_system() from doctor_relay");
      execute("grant execute on function pg_catalog.pg_control_system() to public");
    }
  }

  @Test
  void standbysThatFollowAsynchronouslyAreNamed() throws SQLException {
    String url =
        url("postgres") + "&replication=database&assumeMinServerVersion=9.4&preferQueryMode=simple";
    try (Connection standby = DriverManager.getConnection(url)) {
      assertThat(standby.isClosed()).isFalse();
      List<Finding> findings = check("doctor");
      assertThat(findings)
          .singleElement()
          .returns(Check.POSTGRESQL_STANDBY_ASYNCHRONOUS, Finding::check)
          .satisfies(f -> assertThat(f.remedy()).contains("synchronous_standby_names = '*'"));
    }
  }

  @Test
  void aServerThatSaysItIsOldIsRefused() throws SQLException {
    execute(
        """
        create schema old;
        create view old.pg_settings as
        select name, case name when 'server_version_num' then '130022' else setting end as setting,
          reset_val
        from pg_catalog.pg_settings;
        alter role doctor set search_path = old, pg_catalog, public""");
    try {
      assertThat(check("doctor")).singleElement().returns(Check.POSTGRESQL_TOO_OLD, Finding::check);
    } finally {
      execute("alter role doctor reset search_path; drop schema old cascade");
    }
  }

  @Test
  void whatARoleMayNotSeeIsPassedOver() throws SQLException {
    execute("revoke select on pg_replication_slots from public");
    try {
      assertThat(check("doctor_relay")).isEmpty();
    } finally {
      execute("grant select on pg_replication_slots to public");
    }
  }

  @Test
  void aRoleThatMaySeeNoLocksIsNamedAndWorks() throws SQLException {
    execute("revoke select on pg_catalog.pg_locks from public");
    try (LaneStore lanes = outbox("doctor_relay").lanes()) {
      assertThat(check("doctor_relay"))
          .singleElement()
          .returns(Check.SESSION_LOCK_UNSEEN, Finding::check)
          .satisfies(f -> assertThat(f.detail()).contains("42501", "lease"));
      assertThat(check("doctor")).isEmpty();

      Session session = lanes.join("relay", Duration.ofMinutes(1));
      assertThat(lanes.acquire(session, Set.of(0, 1))).hasSize(2);
      assertThat(lanes.view(session))
          .returns(true, LaneView::alive)
          .returns(Set.of(0, 1), LaneView::mine);
      lanes.leave(session);
    } finally {
      execute("grant select on pg_catalog.pg_locks to public");
    }
  }

  private void mend(List<Finding> findings, String role) throws SQLException {
    try (Connection own = DriverManager.getConnection(url(role));
        Statement statement = own.createStatement()) {
      statement.execute("set default_transaction_read_only = off");
      for (Finding finding : findings) {
        for (String sql : finding.remedy().split("; ", -1)) {
          statement.execute(sql);
        }
      }
    }
  }

  private static String url(String role) {
    return PostgresFixture.SERVER.jdbcUrl(DATABASE).replace("user=postgres", "user=" + role);
  }

  private static List<Finding> check(String role) {
    return outbox(role).check();
  }

  private static PostgresOutbox outbox(String role) {
    return PostgresOutbox.of(
        ConnectionFactory.postgres(url(role), new Properties()), PostgresOptions.ofDefaults());
  }

  private void execute(String script) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(script);
    }
  }
}
