package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.OnPublished;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Toxic;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.Session;
import io.waybill.store.SessionLostException;
import io.waybill.store.Settlement;
import io.waybill.store.StoreException;
import io.waybill.testkit.StoreFixture.WrittenEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the stores do when the database fails them. */
class PostgresFailureTest extends StoreContract {
  private static final Session NOBODY = new Session(0, "nobody");
  private static final PostgresFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Test
  void aLostConnectionIsATransientFailureAndTheNextCallGoesOn() throws SQLException {
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("a", "1"));
    endConnections("waybill reader");
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> reader.read(ROWS, BYTES));
    assertThat(failure.isTransient()).isTrue();
    assertThat(ids(drain(reader))).containsExactly("a");
    assertThat(drain(reader)).isEmpty();
  }

  @Test
  void aSettlementIsRepeatedAfterALostConnection() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("a", "1"));
    List<OutboxRow> rows = drain(reader);
    OutboxStore store = store();
    assertThat(store.settle(session, Settlement.published(List.of())).fenced()).isFalse();
    endConnections("waybill settle");
    Settlement settlement = Settlement.published(rows);
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> store.settle(session, settlement));
    assertThat(failure.isTransient()).isTrue();
    assertThat(store.settle(session, settlement)).isEqualTo(new Settled(false, 1));
  }

  /** The call may have waited for its connection since. */
  @Test
  void aCallThatLeftBeforeARenewalFindsADatabaseThatLacksIt() throws SQLException {
    Session session = owner();
    OutboxReader reader = warmReader();
    insert(WrittenEvent.of("a", "1"));
    List<OutboxRow> rows = drain(reader);
    try (LaneStore lanes = lanes()) {
      assertThat(lanes.renew(session, LEASE)).isTrue();
    }
    try (Connection restoring = fixture().connect()) {
      execute(restoring, "update waybill_session set renewals = " + session.renewals());
    }

    assertThatExceptionOfType(SessionLostException.class)
        .isThrownBy(() -> store().settle(session, Settlement.published(rows)));
    assertThat(fixture().status("a")).isEqualTo("PENDING");
  }

  @Test
  void aBlockedStatementEndsInTime() throws SQLException {
    PostgresOutbox hasty = outbox("public", Duration.ofSeconds(1));
    try (OutboxReader reader = hasty.reader();
        Connection other = fixture().connect()) {
      reader.assign(living(), Set.of(0));
      other.setAutoCommit(false);
      execute(other, "lock table waybill_outbox in access exclusive mode");
      long started = System.nanoTime();
      StoreException failure =
          catchThrowableOfType(StoreException.class, () -> reader.read(ROWS, BYTES));
      assertThat(failure.isTransient()).isTrue();
      assertThat(System.nanoTime() - started).isLessThan(Duration.ofSeconds(8).toNanos());
      other.rollback();
      assertThat(reader.read(ROWS, BYTES).rows()).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void aServerThatFallsSilentIsGivenUpInTime() throws Exception {
    try (Proxy proxy = Proxy.start(Protocol.POSTGRESQL, PostgresFixture.SERVER.port())) {
      PostgresOutbox hasty =
          PostgresOutbox.of(
              ConnectionFactory.postgres(
                  "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres?user=postgres",
                  new Properties()),
              PostgresOptions.ofDefaults().statementLimit(Duration.ofSeconds(1)));
      try (OutboxReader reader = hasty.reader()) {
        assignAll(reader);
        insert(WrittenEvent.of("a", "1"));
        proxy.add(Toxic.blackHole());
        givenUpInTime(() -> reader.read(ROWS, BYTES));
        givenUpInTime(() -> reader.read(ROWS, BYTES));
        givenUpInTime(hasty::check);
        proxy.remove(Toxic.blackHole());
        assertThat(ids(drain(reader))).containsExactly("a");
      }
    }
  }

  /** One second for the statement, five for the network or for the connection. */
  private static void givenUpInTime(ThrowingCallable call) {
    long started = System.nanoTime();
    StoreException failure = catchThrowableOfType(StoreException.class, call);
    assertThat(failure.isTransient()).isTrue();
    assertThat(System.nanoTime() - started).isLessThan(Duration.ofSeconds(8).toNanos());
  }

  @Test
  void aZombieInTheMiddleOfASettlementIsNotFencedBeforeItEnds() throws Exception {
    LaneStore lanes = lanes();
    Session living = lanes.join("living", LEASE);
    Session zombie = lanes.join("zombie", Duration.ofMillis(1));
    lanes.acquire(zombie, Set.of(0));
    try (Connection settling = fixture().connect()) {
      settling.setAutoCommit(false);
      execute(
          settling,
          "select 1 from waybill_session where fence = " + zombie.fence() + " for key share");
      assertThat(lanes.view(living).free()).doesNotContain(0);
      settling.commit();
    }
    assertThat(lanes.view(living).free()).contains(0);
  }

  @Test
  void renewalsDoNotWaitForSettlements() throws SQLException {
    LaneStore lanes = lanes();
    Session session = lanes.join("relay", LEASE);
    try (Connection settling = fixture().connect()) {
      settling.setAutoCommit(false);
      execute(
          settling,
          "select 1 from waybill_session where fence = " + session.fence() + " for key share");
      assertThat(lanes.renew(session, LEASE)).isTrue();
      settling.rollback();
    }
  }

  @Test
  void missingTablesAreNoTransientFailure() {
    try (OutboxReader reader = outbox("nowhere", Duration.ofSeconds(5)).reader()) {
      StoreException failure =
          catchThrowableOfType(StoreException.class, () -> reader.assign(NOBODY, Set.of(0)));
      assertThat(failure.isTransient()).isFalse();
    }
  }

  @Test
  void anUnreachableServerIsATransientFailure() {
    ConnectionFactory nowhere =
        ConnectionFactory.postgres("jdbc:postgresql://127.0.0.1:1/x?user=x", new Properties());
    try (OutboxReader reader = PostgresOutbox.of(nowhere, PostgresOptions.ofDefaults()).reader()) {
      StoreException failure =
          catchThrowableOfType(StoreException.class, () -> reader.assign(NOBODY, Set.of(0)));
      assertThat(failure.isTransient()).isTrue();
    }
  }

  private static PostgresOutbox outbox(String schema, Duration limit) {
    return PostgresOutbox.of(
        ConnectionFactory.postgres(PostgresFixture.SERVER.jdbcUrl(), new Properties()),
        PostgresOptions.ofDefaults().schema(schema).statementLimit(limit));
  }

  private void endConnections(String name) throws SQLException {
    try (Connection connection = fixture().connect()) {
      execute(
          connection,
          "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
              + " where application_name = '"
              + name
              + "'");
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
