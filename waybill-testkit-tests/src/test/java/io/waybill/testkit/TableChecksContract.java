package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.RowIdKind;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.Finding.Severity;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the start-up checks say of adopted tables, on every database. */
abstract class TableChecksContract extends LayoutUpkeepContract {
  /** A time type without zone. */
  abstract String naive();

  /** What makes a column's comparison ignore case. */
  abstract String ignoringCase(Connection connection) throws SQLException;

  @ParameterizedTest
  @ValueSource(strings = {"notification", "event-outbox", "wallet", "polyshop"})
  void documentedTablesMayBeRelayed(String name) throws SQLException {
    Layout preset =
        List.of(Layouts.NOTIFICATION, Layouts.EVENT_OUTBOX, Layouts.WALLET, Layouts.POLYSHOP)
            .stream()
            .filter(layout -> layout.name().equals(name))
            .findFirst()
            .orElseThrow();
    TableSchema.run(connection, TableSchema.documentedTable(name, database().kind()));
    Layout layout = preset.table(new TableName(schema, preset.table().name()));

    assertThat(told(layout, Severity.REFUSE)).isEmpty();
  }

  @Test
  void aMissingTableIsRefused() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    Layout layout = layout().build();
    findings(layout);
    sql("drop table shop_outbox");

    assertThat(new TableChecks(layout, SideNames.of(layout)).run(connection))
        .filteredOn(finding -> finding.severity() == Severity.REFUSE)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.check()).isEqualTo(Check.ADOPTED_TABLE_MISSING);
              assertThat(finding.subject()).contains("shop_outbox");
              assertThat(finding.detail()).contains("There is no such table in " + schema);
            });
  }

  @Test
  void aViewIsRefused() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    sql("create view shop_view as select * from shop_outbox");
    assertThat(checks(layout().build().table(new TableName(schema, "shop_view"))))
        .contains(Check.ADOPTED_TABLE_IS_A_VIEW);
  }

  @Test
  void aTableOfRecordsWithoutAColumnIsRefused() throws SQLException {
    TableSchema.run(connection, TableSchema.documentedTable("notification", database().kind()));
    Layout layout = Layouts.NOTIFICATION.table(new TableName(schema, "event_outbox"));
    assertThat(checks(layout)).doesNotContain(Check.ADOPTED_RECORD_COLUMN_MISSING);
    sql("alter table processed_event drop column updated_at");
    assertThat(checks(layout)).contains(Check.ADOPTED_RECORD_COLUMN_MISSING);
  }

  @Test
  void missingTablesBesideTheOutboxAreRefused() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    Layout layout = layout().build();

    assertThat(new TableChecks(layout, SideNames.of(layout)).run(connection))
        .filteredOn(finding -> finding.check() == Check.ADOPTED_SIDE_TABLE_MISSING)
        .extracting(Finding::subject)
        .contains("table waybill_shop_outbox_session", "table waybill_shop_outbox_row_state");
  }

  @Test
  void withoutTheTableOfHistoryARelayStarts() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    Layout layout = layout().build();
    DatabaseKind kind = DatabaseKind.of(connection);
    TableSchema.of(layout, kind, SideNames.of(layout), 8).apply(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop table waybill_shop_outbox_rollup");
    }
    assertThat(new TableChecks(layout, SideNames.of(layout)).run(connection))
        .filteredOn(finding -> finding.subject().endsWith("_rollup"))
        .singleElement()
        .returns(Check.HISTORY_TABLE_MISSING, Finding::check)
        .returns(Severity.NOTE, Finding::severity);
  }

  @Test
  void theTableOfLoginsIsNoBusinessOfRelays() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    Layout layout = layout().build();
    DatabaseKind kind = DatabaseKind.of(connection);
    TableSchema schema = TableSchema.of(layout, kind, SideNames.of(layout), 8);
    schema.apply(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("drop table waybill_shop_outbox_login");
    }
    assertThat(new TableChecks(layout, SideNames.of(layout)).run(connection))
        .filteredOn(finding -> finding.subject().endsWith("_login"))
        .isEmpty();
    assertThat(schema.check(connection))
        .singleElement()
        .returns(Check.LOGIN_TABLE_MISSING, Finding::check)
        .returns(Severity.NOTE, Finding::severity);
  }

  @Test
  void aMissingColumnIsRefusedWithWhatTheTableHas() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);

    assertThat(told(layout().publishedAt("sent_at").build(), Check.ADOPTED_COLUMN_MISSING))
        .singleElement()
        .asString()
        .contains("shop_outbox.sent_at: It is missing, but the layout has it as published-at")
        .contains("created_at");
  }

  @Test
  void columnsOfWrongTypesAreRefused() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);

    assertThat(
            told(
                layout().rowId("event_type", RowIdKind.LONG).build(),
                Check.ADOPTED_COLUMN_UNSUITABLE))
        .anyMatch(text -> text.contains("event_type: As row-id it must be one of"));
    assertThat(told(layout().attempts("note").build(), Check.ADOPTED_COLUMN_UNSUITABLE))
        .anyMatch(text -> text.contains("note: As attempts it must be one of"));
    assertThat(
            told(
                layout().state(new StateColumn.Flag("note")).build(),
                Check.ADOPTED_COLUMN_UNSUITABLE))
        .anyMatch(text -> text.contains("note: As state it must be one of"));
    assertThat(told(layout().createdAt("note").build(), Check.ADOPTED_COLUMN_UNSUITABLE))
        .anyMatch(text -> text.contains("note: As created-at it must be one of"));
    assertThat(
            told(
                layout().payload("payload", PayloadKind.BYTES).build(),
                Check.ADOPTED_COLUMN_UNSUITABLE))
        .anyMatch(text -> text.contains("payload: As payload it must be one of"));
  }

  @Test
  void columnsThatAreTooShortAreRefused() throws SQLException {
    table("", "timestamp(6) not null", "not null", 255);

    assertThat(told(layout().error("note").build(), Check.ADOPTED_COLUMN_UNSUITABLE))
        .singleElement()
        .asString()
        .contains("As error it takes 255 characters and must take 2000");
    StateColumn state = new StateColumn.Word("status", "new", "done", "given up for all eternity");
    assertThat(told(layout().state(state).build(), Check.ADOPTED_COLUMN_UNSUITABLE))
        .singleElement()
        .asString()
        .contains("is too short for the word 'given up for all eternity'");
  }

  @Test
  void anIdThatIsNotUniqueIsRefused() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);

    assertThat(
            told(
                layout().rowId("event_type", RowIdKind.STRING).build(),
                Check.ADOPTED_ID_NOT_UNIQUE))
        .singleElement()
        .asString()
        .contains("event_type is not unique")
        .contains("add primary key");
  }

  @Test
  void nullWhereNoReadFindsItIsRefusedIfThereIsSome() throws SQLException {
    table("", "timestamp(6) not null", "null", 2_000);

    assertThat(told(layout().build(), Check.ADOPTED_COLUMN_NULLABLE))
        .anyMatch(text -> text.contains("status: As state it must not be null"));
    sql(
        """
        insert into shop_outbox (id, event_type, payload, created_at, status, sent)
        values (1, 'a', '{}', '2026-01-01 00:00:00', null, false)""");
    assertThat(told(layout().build(), Check.ADOPTED_ROWS_WITH_NULL))
        .singleElement()
        .asString()
        .contains("status: As state it must not be null")
        .contains("there are some");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"status|warned", "created_at|warned", "status, created_at|fine"})
  void anIndexThatDoesNotServeIsNamedWithTheOneThatDoes(String columns, String answer)
      throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    sql("create index some_idx on shop_outbox (" + columns + ")");
    Layout layout = layout().build();
    List<String> told = told(layout, Check.ADOPTED_INDEX_MISSING);
    if (answer.equals("fine")) {
      assertThat(told).noneMatch(text -> text.contains("No index"));
      return;
    }
    String create =
        findings(layout).stream()
            .filter(finding -> finding.detail().contains("No index"))
            .map(Finding::remedy)
            .findFirst()
            .orElseThrow();
    sql(create);

    assertThat(told(layout, Check.ADOPTED_INDEX_MISSING))
        .noneMatch(text -> text.contains("No index"));
  }

  @Test
  void aCollationThatTakesDifferentIdsForTheSameIsNamed() throws SQLException {
    table(ignoringCase(connection), "timestamp(6) not null", "not null", 2_000);

    assertThat(told(layout().build(), Check.ADOPTED_IDS_NOT_BYTES))
        .anyMatch(text -> text.contains("account: It is compared by"));
  }

  @Test
  void aClockWithoutZoneIsNamedUnlessItsDefaultIsInUtc() throws SQLException {
    table("", naive() + " not null default current_timestamp(6)", "not null", 2_000);
    List<String> told = told(layout().build(), Check.ADOPTED_TIME_WITHOUT_ZONE);
    assertThat(told).anyMatch(text -> text.contains("created_at: It has no time zone"));

    sql(
        findings(layout().build()).stream()
            .filter(finding -> finding.detail().contains("no time zone"))
            .map(Finding::remedy)
            .findFirst()
            .orElseThrow());
    assertThat(told(layout().build(), Check.ADOPTED_TIME_WITHOUT_ZONE))
        .noneMatch(text -> text.contains("no time zone"));
  }

  @Test
  void rowsWithoutAnyOrderAreNamed() throws SQLException {
    sql(
        """
        create table outboxevent (id %s not null primary key, aggregatetype varchar(255) not null,
          aggregateid varchar(255) not null, type varchar(255) not null, payload text)"""
            .formatted(database().kind() != DatabaseKind.POSTGRESQL ? "char(36)" : "uuid"));
    Layout layout = Layouts.DEBEZIUM.table(new TableName(schema, "outboxevent"));

    assertThat(told(layout, Severity.REFUSE)).isEmpty();
    assertThat(told(layout, Check.ADOPTED_ORDER_UNKNOWN))
        .anyMatch(text -> text.contains("events of one key may be published in any order"));
  }
}
