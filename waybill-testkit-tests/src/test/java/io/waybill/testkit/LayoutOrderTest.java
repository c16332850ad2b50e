package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.OrderColumn.Kind;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxReader;
import io.waybill.store.ReadResult;
import io.waybill.store.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that do not tell the order of a key's rows are named, and mended by what is said. */
@Tag("server")
class LayoutOrderTest {
  private static final String SCHEMA = "layout_order";

  static Stream<TestDatabase> databases() {
    return Stream.of(new PostgresTestDatabase(), new MariaDbTestDatabase());
  }

  private static Layout layout(RowIdKind kind) {
    return Layout.builder("shop", "shop_outbox")
        .schema(SCHEMA)
        .rowId("id", kind)
        .payload("payload", PayloadKind.TEXT)
        .singleKey("account", "account")
        .orderedBy("created_at", Kind.TIME)
        .state(new StateColumn.Word("status", "new", "done", "dead"))
        .build();
  }

  private static void table(Connection connection, String id, String created) throws SQLException {
    TableSchema.run(
        connection,
        """
        create table shop_outbox (id %s primary key, event_type varchar(100) not null,
          payload text not null, account varchar(100), created_at %s, status varchar(20) not null)"""
            .formatted(id, created));
  }

  private static List<Finding> findings(
      TestDatabase database, Connection connection, Layout layout, Check check)
      throws SQLException {
    SideNames names = SideNames.of(layout);
    TableSchema.of(layout, database.kind(), names, 1).apply(connection);
    return new TableChecks(layout, names)
        .run(connection).stream().filter(finding -> finding.check() == check).toList();
  }

  private static void mend(TestDatabase database, Connection connection, Layout layout, Check check)
      throws SQLException {
    List<Finding> findings = findings(database, connection, layout, check);
    assertThat(findings).hasSize(1);
    TableSchema.run(connection, findings.get(0).remedy());
    assertThat(findings(database, connection, layout, check)).isEmpty();
  }

  private static String uuid(TestDatabase database) {
    return database.kind() != DatabaseKind.POSTGRESQL ? "char(36)" : "uuid";
  }

  @ParameterizedTest
  @MethodSource("databases")
  void timesThatAreTooCoarseAreNamedWhereIdsDoNotGrow(TestDatabase database) throws SQLException {
    try (Connection connection = database.createSchema(SCHEMA)) {
      table(connection, uuid(database), "timestamp(0) not null default current_timestamp");
      mend(database, connection, layout(RowIdKind.UUID), Check.ADOPTED_TIME_COARSE);
    }
    try (Connection connection = database.createSchema(SCHEMA)) {
      table(connection, "bigint", "timestamp(0) not null default current_timestamp");
      Layout numbered = layout(RowIdKind.LONG);
      assertThat(findings(database, connection, numbered, Check.ADOPTED_TIME_COARSE)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"now()", "current_timestamp(6)", "transaction_timestamp()"})
  void aTimeOfTheTransactionIsNamedWhereIdsDoNotGrow(String clock) throws SQLException {
    TestDatabase database = new PostgresTestDatabase();
    try (Connection connection = database.createSchema(SCHEMA)) {
      table(connection, "uuid", "timestamptz not null default " + clock);
      mend(database, connection, layout(RowIdKind.UUID), Check.ADOPTED_TIME_OF_TRANSACTION);
    }
  }

  @Test
  void numbersThatAreGivenOutInBlocksAreNamed() throws SQLException {
    TestDatabase database = new PostgresTestDatabase();
    try (Connection connection = database.createSchema(SCHEMA)) {
      table(connection, "bigserial", "timestamptz not null");
      TableSchema.run(connection, "alter sequence shop_outbox_id_seq cache 50");
      mend(database, connection, layout(RowIdKind.LONG), Check.ADOPTED_SEQUENCE_CACHED);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void pairsInAnOrderByChanceAreCounted(TestDatabase database) throws SQLException {
    Layout layout = layout(RowIdKind.UUID);
    try (Connection connection = database.createSchema(SCHEMA)) {
      table(connection, uuid(database), "timestamp(6) not null");
      TableSchema.of(layout, database.kind(), SideNames.of(layout), 1).apply(connection);
      insert(connection, "a", "00");
      insert(connection, "a", "00");
      insert(connection, "b", "00");
      insert(connection, "a", "01");
    }
    TableOutbox outbox =
        TableOutbox.of(
            database.connections(), layout, database.kind(), TableOptions.defaults(layout));
    try (LaneStore lanes = outbox.lanes();
        OutboxReader reader = outbox.reader()) {
      Session session = lanes.join("relay", Duration.ofHours(1));
      lanes.acquire(session, Set.of(0));
      reader.assign(session, Set.of(0));

      ReadResult result = reader.read(100, 1_000_000);
      assertThat(result.rows()).hasSize(4);
      assertThat(result.unordered()).isEqualTo(1);
      assertThat(reader.read(100, 1_000_000).unordered()).isZero();
    }
  }

  private static void insert(Connection connection, String account, String second)
      throws SQLException {
    TableSchema.run(
        connection,
        "insert into shop_outbox (id, event_type, payload, account, created_at, status) values"
            + " ('%s', 't', '{}', '%s', '2026-01-01 00:00:%s', 'new')"
                .formatted(UUID.randomUUID(), account, second));
  }
}
