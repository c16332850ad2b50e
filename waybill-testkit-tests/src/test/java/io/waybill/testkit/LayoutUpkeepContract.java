package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.LayoutBuilder;
import io.waybill.layout.OrderColumn.Kind;
import io.waybill.layout.PayloadKind;
import io.waybill.layout.StateColumn;
import io.waybill.layout.TableName;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.observe.Finding.Severity;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the start-up checks say of adopted tables that work, but not for ever or not for the relay's
 * user.
 */
abstract class LayoutUpkeepContract {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final String TABLE =
      """
      create table shop_outbox (
        id bigint not null, event_type varchar(100) not null, payload text not null,
        account varchar(100)%s, created_at %s, status varchar(20) %s, sent boolean not null,
        note varchar(%d), primary key (id))""";

  private final TestDatabase database = database();
  Connection connection;
  String schema = "unset";

  abstract TestDatabase database();

  @BeforeEach
  void create() throws SQLException {
    schema = "checks_" + getClass().getSimpleName().toLowerCase(Locale.ROOT);
    schema = schema.substring(0, Math.min(40, schema.length())) + NUMBERS.incrementAndGet();
    connection = database.createSchema(schema);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  void sql(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  void table(String collation, String created, String state, int note) throws SQLException {
    sql(TABLE.formatted(collation, created, state, note));
  }

  LayoutBuilder layout() {
    return Layout.builder("shop", "shop_outbox")
        .schema(schema)
        .payload("payload", PayloadKind.TEXT)
        .singleKey("account", "account")
        .orderedBy("created_at", Kind.TIME)
        .state(new StateColumn.Word("status", "new", "done", "dead"));
  }

  List<Finding> findings(Layout layout) throws SQLException {
    SideNames names = SideNames.of(layout);
    TableSchema.of(layout, database.kind(), names, 1).apply(connection);
    return new TableChecks(layout, names).run(connection);
  }

  List<String> told(Layout layout, Check check) throws SQLException {
    return findings(layout).stream()
        .filter(finding -> finding.check() == check)
        .map(finding -> finding.subject() + ": " + finding.detail() + "; " + finding.remedy())
        .toList();
  }

  /** Findings about the table; those of the test server's settings are tested elsewhere. */
  List<String> told(Layout layout, Severity severity) throws SQLException {
    return findings(layout).stream()
        .filter(finding -> finding.severity() == severity)
        .filter(f -> f.subject().contains(layout.table().name()))
        .map(finding -> finding.subject() + ": " + finding.detail() + "; " + finding.remedy())
        .toList();
  }

  /** A table with a number for an id that is given by the database, of 31 bits. */
  abstract String countedTable();

  /** Statement after which nearly all numbers are used. */
  abstract String useUpNumbers();

  /** A trigger before each delete from {@code shop_outbox}. */
  abstract List<String> trigger();

  @Test
  void numbersThatRunOutAreNamedAndMended() throws SQLException {
    sql(countedTable());
    Layout layout = layout().build().table(new TableName(schema, "counted"));
    assertThat(checks(layout)).doesNotContain(Check.TABLE_IDS_RUN_OUT);
    sql(useUpNumbers());
    mend(layout, Check.TABLE_IDS_RUN_OUT);
  }

  @Test
  void triggersThatMayPreventDeletesAreNamedAndMended() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    for (String statement : trigger()) {
      sql(statement);
    }
    mend(layout().build(), Check.TABLE_TRIGGER);
  }

  @Test
  void referencesThatKeepPublishedRowsAreNamedWhereRowsAreDeleted() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    sql(
        "create table copy (id bigint not null, constraint copied foreign key (id)"
            + " references shop_outbox (id))");
    assertThat(checks(layout().build())).doesNotContain(Check.TABLE_REFERENCED);
    mend(layout().state(new StateColumn.Presence()).build(), Check.TABLE_REFERENCED);
  }

  List<Check> checks(Layout layout) throws SQLException {
    return findings(layout).stream().map(Finding::check).toList();
  }

  /** Carries out what the finding says, after which it is gone. */
  void mend(Layout layout, Check check) throws SQLException {
    List<Finding> findings = findings(layout);
    assertThat(findings).extracting(Finding::check).contains(check);
    for (Finding finding : findings) {
      if (finding.check() == check) {
        sql(finding.remedy());
      }
    }
    assertThat(checks(layout)).doesNotContain(check);
  }

  @Test
  void theGrantsAreWhatTheChecksAskFor() throws SQLException {
    table("", "timestamp(6) not null", "not null", 2_000);
    Layout layout = layout().error("note").build();
    SideNames names = SideNames.of(layout);
    TableSchema tables = TableSchema.of(layout, database.kind(), names, 1);
    tables.apply(connection);
    database.createUser(connection, schema, "waybill_stranger");
    sql("grant select on shop_outbox to waybill_stranger");
    for (String side : SideNames.tables()) {
      sql("grant select on " + names.prefix() + side + " to waybill_stranger");
    }
    try (Connection stranger = database.connectAs(schema, "waybill_stranger")) {
      assertThat(new TableChecks(layout, names).run(stranger))
          .filteredOn(finding -> finding.check() == Check.PRIVILEGE_MISSING)
          .extracting(Finding::detail)
          .contains(
              "The relay's user has no privilege UPDATE (status)",
              "The relay's user has no privilege UPDATE (note)",
              "The relay's user has no privilege DELETE",
              "The relay's user has no privilege INSERT");

      String grants =
          tables.grants(
              "waybill_stranger", "waybill_stranger", "waybill_stranger", "waybill_stranger");
      TableSchema.run(connection, grants);

      assertThat(new TableChecks(layout, names).run(stranger))
          .filteredOn(finding -> finding.detail().contains("privilege"))
          .isEmpty();
    }
  }
}
