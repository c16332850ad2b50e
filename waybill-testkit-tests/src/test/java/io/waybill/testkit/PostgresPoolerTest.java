package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.OutboxTables;
import io.waybill.database.Pooler;
import io.waybill.database.SchemaOptions;
import io.waybill.internal.jdbc.outbox.PostgresOptions;
import io.waybill.internal.jdbc.outbox.PostgresOutbox;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.jdbc.Schema;
import io.waybill.layout.Layouts;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.PgBouncer;
import io.waybill.proof.server.PgBouncer.Mode;
import io.waybill.proof.server.UnpackedServer;
import io.waybill.store.LaneStore;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay behind a real PgBouncer. */
@Tag("server")
@Tag("long")
class PostgresPoolerTest {
  private static final String DATABASE = "behind_pooler";
  private static final Duration LEASE = Duration.ofSeconds(15);

  @BeforeAll
  static void tables() throws SQLException {
    UnpackedServer.PGBOUNCER.assumeThere();
    PostgresFixture.SERVER.createDatabase(DATABASE);
    try (Connection direct = PostgresFixture.SERVER.dataSource(DATABASE).getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(direct);
    }
  }

  @AfterAll
  static void dropped() throws SQLException {
    try (Connection direct = PostgresFixture.SERVER.dataSource().getConnection();
        Statement statement = direct.createStatement()) {
      statement.execute("drop database if exists " + DATABASE + " with (force)");
    }
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aPoolerThatNobodyAllowedIsRefused(Mode mode) {
    try (PgBouncer pooler = PgBouncer.launch(PostgresFixture.SERVER, mode)) {
      ConnectionFactory connections = ConnectionFactory.of(pooler.dataSource(DATABASE));
      OutboxTables own = PostgresOutbox.of(connections, PostgresOptions.ofDefaults());
      OutboxTables adopted =
          TableOutbox.of(
              connections,
              Layouts.WAYBILL,
              DatabaseKind.POSTGRESQL,
              TableOptions.defaults(Layouts.WAYBILL));
      for (OutboxTables outbox : new OutboxTables[] {own, adopted}) {
        assertThat(outbox.check())
            .filteredOn(finding -> finding.check() == Check.POSTGRESQL_POOLER)
            .singleElement()
            .extracting(Finding::remedy)
            .asString()
            .contains("pooler: session");
        try (LaneStore lanes = outbox.lanes()) {
          assertThatThrownBy(() -> lanes.join("behind", LEASE))
              .isInstanceOf(StoreException.class)
              .rootCause()
              .hasMessageContaining("pooler: session");
        }
      }
      try (JdbcInboxStore inbox =
          JdbcInboxStore.of(
              connections, DatabaseKind.POSTGRESQL, "billing", InboxOptions.ofDefaults())) {
        assertThatThrownBy(inbox::open).rootCause().hasMessageContaining("pooler: session");
      }
    }
  }

  @Test
  void aPoolerInSessionModeServesARelayThatAllowsIt() throws SQLException {
    try (PgBouncer pooler = PgBouncer.launch(PostgresFixture.SERVER, Mode.SESSION)) {
      ConnectionFactory connections =
          ConnectionFactory.of(pooler.dataSource(DATABASE)).behind(Pooler.SESSION);
      OutboxTables outbox = PostgresOutbox.of(connections, PostgresOptions.ofDefaults());

      assertThat(outbox.check()).noneMatch(finding -> finding.check() == Check.POSTGRESQL_POOLER);
      try (LaneStore lanes = outbox.lanes()) {
        assertThat(lanes.join("behind", LEASE).fence()).isPositive();
      }
      try (Connection next = pooler.dataSource(DATABASE).getConnection();
          Statement statement = next.createStatement();
          ResultSet row = statement.executeQuery("show statement_timeout")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("0");
      }
    }
  }

  @Test
  void aDirectConnectionIsNoPooler() {
    OutboxTables outbox =
        PostgresOutbox.of(
            ConnectionFactory.of(PostgresFixture.SERVER.dataSource(DATABASE)),
            PostgresOptions.ofDefaults());
    assertThat(outbox.check()).noneMatch(finding -> finding.check() == Check.POSTGRESQL_POOLER);
  }
}
