package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.terminal.ExitCode;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code schema print} writes. */
@Tag("long")
class SchemaPrintTest extends OfflineSetting {
  @Test
  void schemaPrintShowsWhatBelongsToALayout() {
    CommandRun.write(
        folder,
        YAML.replace("jdbc:postgresql", "jdbc:mariadb")
            + "      layout: polyshop\n      side-tables: {prefix: wb_}\n");

    CommandRun beside = CommandRun.on(config, SECRETS, "schema", "print");
    assertThat(beside.out()).contains("`wb_row_state`").doesNotContain("`outbox_events` (");
    CommandRun documented = CommandRun.on(config, SECRETS, "schema", "print", "--documented");
    assertThat(documented.out()).contains("create table outbox_events").contains("InnoDB");
    CommandRun grants = CommandRun.on(config, SECRETS, "schema", "print", "--grants", "w,r,o,x");
    assertThat(grants.out())
        .contains("update (`processed`, `processed_at`, `error_message`)")
        .contains("to `r`");
    CommandRun postgres =
        CommandRun.on(config, SECRETS, "schema", "print", "--database", "postgresql");
    assertThat(postgres.out()).contains("\"wb_row_state\"");
    CommandRun none = CommandRun.on(config, SECRETS, "schema", "print", "--views");
    assertThat(none.code()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).contains("polyshop").contains("event-outbox");
  }

  @Test
  void schemaPrintShowsTheViewsOfTheReferenceTable() {
    CommandRun.write(folder, YAML + "      layout: event-outbox\n");

    CommandRun views = CommandRun.on(config, SECRETS, "schema", "print", "--views");
    assertThat(views.code()).as(views.toString()).isEqualTo(ExitCode.OK);
    assertThat(views.out()).contains("vw_event_outbox_due").doesNotContain("create table");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--documented", "--views"})
  void noDocumentHasATableOfWaybillsOwnLayout(String option) {
    CommandRun run = CommandRun.on(config, SECRETS, "schema", "print", option);

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void schemaPrintKnowsMySqlAndMariaDb() {
    CommandRun mysql =
        CommandRun.of(Map.of(), "schema", "print", "--schema", "shop", "--database", "mysql");
    CommandRun mariadb =
        CommandRun.of(Map.of(), "schema", "print", "--schema", "shop", "--database", "mariadb");
    assertThat(mysql.code()).isEqualTo(ExitCode.OK);
    assertThat(mysql.out()).contains("`shop`.waybill_outbox", "collate utf8mb4_0900_bin;");
    assertThat(mariadb.out()).contains("`shop`.waybill_outbox", "collate utf8mb4_nopad_bin;");
  }

  @Test
  void schemaPrintNeedsNoConfiguration() {
    CommandRun run =
        CommandRun.of(Map.of(), "schema", "print", "--schema", "events", "--lanes", "16");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).contains("create table \"events\".waybill_outbox").contains("% 16");
  }

  @Test
  void schemaPrintTakesTheSchemaFromTheConfiguration() {
    CommandRun.write(
        folder, YAML.replace("      kafka:", "      schema: {name: shop}\n      kafka:"));

    assertThat(CommandRun.on(config, SECRETS, "schema", "print").out())
        .contains("create table \"shop\".waybill_outbox");
  }

  @Test
  void schemaPrintGivesGrantsForFourRoles() {
    CommandRun run =
        CommandRun.of(Map.of(), "schema", "print", "--schema", "public", "--grants", "w,r,o,v");

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("to \"w\"")
        .contains("to \"r\"")
        .contains("\"o\"")
        .contains("\"v\"");
  }

  /** What lets people read payloads, or append events, is in no other grants. */
  @Test
  void schemaPrintGivesTheRightsThatAreGrantedApart() {
    String[] own = {"schema", "print", "--schema", "public"};
    assertThat(CommandRun.of(Map.of(), with(own, "--payload-grant", "o")).out())
        .isEqualTo("grant select (payload)\n  on \"public\".waybill_outbox to \"o\";\n");
    assertThat(CommandRun.of(Map.of(), with(own, "--correction-grant", "o")).out())
        .startsWith("grant insert (event_id, event_type,")
        .endsWith("traceparent)\n  on \"public\".waybill_outbox to \"o\";\n");
    assertThat(CommandRun.of(Map.of(), with(own, "--purge-grant", "o")).out())
        .isEqualTo(
            """
            grant delete on "public".waybill_outbox to "o";
            grant delete on "public".waybill_row_state to "o";
            grant delete on "public".waybill_published to "o";
            """);
    assertThat(CommandRun.of(Map.of(), with(own, "--inbox", "--purge-grant", "o")).err())
        .contains("no dead events");
    assertThat(CommandRun.of(Map.of(), with(own, "--login-grant", "o")).out())
        .isEqualTo("grant select, insert, update, delete on \"public\".waybill_login to \"o\";\n");
    assertThat(CommandRun.of(Map.of(), with(own, "--inbox", "--login-grant", "o")).err())
        .contains("no logins");
    assertThat(CommandRun.of(Map.of(), with(own, "--payload-grant", "a b")).code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of(Map.of(), with(own, "--inbox", "--payload-grant", "o")).err())
        .contains("An inbox has no payloads");
    assertThat(CommandRun.of(Map.of(), with(own, "--inbox", "--correction-grant", "o")).err())
        .contains("nothing to correct");
    CommandRun.write(folder, YAML + "      layout: polyshop\n");
    String[] both = {"schema", "print", "--payload-grant", "o", "--correction-grant", "c"};
    assertThat(CommandRun.on(config, SECRETS, both).out())
        .isEqualTo(
            """
            grant select ("payload") on "outbox_events" to "o";
            grant select, insert on "outbox_events" to "c";
            grant insert on "waybill_outbox_events_row_context" to "c";
            """);
  }

  @Test
  void schemaPrintShowsTheTablesOfAnInbox() {
    String[] print = {"schema", "print", "--schema", "public", "--inbox"};
    assertThat(CommandRun.of(Map.of(), print).out())
        .contains("create table \"public\".processed_events")
        .contains("waybill_inbox_deferred")
        .doesNotContain("waybill_outbox");
    assertThat(CommandRun.of(Map.of(), with(print, "--database", "mariadb")).out())
        .contains("`public`.processed_events");
    String[] beside = with(print, "--processed-table", "seen");
    assertThat(CommandRun.of(Map.of(), beside).out())
        .contains("waybill_inbox_consumer")
        .doesNotContain("create table \"public\".processed_events");
    assertThat(CommandRun.of(Map.of(), with(beside, "--documented")).out())
        .contains("create table \"public\".\"seen\"")
        .contains("event_id uuid");
    assertThat(CommandRun.of(Map.of(), with(print, "--grants", "app,viewer")).out())
        .contains("to \"app\"")
        .contains("to \"viewer\"");
    assertThat(CommandRun.of(Map.of(), with(print, "--grants", "a,b,c")).err())
        .contains("2 roles, CONSUMER,READER");
    assertThat(CommandRun.of(Map.of(), with(print, "--views")).code()).isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of(Map.of(), with(print, "--documented")).err())
        .contains("--processed-table");
    assertThat(CommandRun.of(Map.of(), with(print, "--processed-table", "a b")).err())
        .contains("must match");
    String[] alone = {"schema", "print", "--schema", "public", "--processed-table", "seen"};
    assertThat(CommandRun.of(Map.of(), alone).err()).contains("needs --inbox");
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
  }
}
