package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.Preset;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SideNames;
import io.waybill.encode.Format;
import io.waybill.internal.jdbc.table.TablePolling;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.RecordTable;
import io.waybill.layout.StateColumn;
import io.waybill.message.Transport;
import io.waybill.proof.system.DocumentedColumn;
import io.waybill.proof.system.DocumentedSystem;
import io.waybill.proof.system.DocumentedSystem.Fact;
import io.waybill.proof.system.DocumentedSystem.Kind;
import io.waybill.store.Polling;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Printed scripts and presets say what the documents of their systems say. */
class DocumentedSystemTest {
  private static final String PROCESSED = "processed_events";
  private static final DocumentedSystem NOTIFICATION = DocumentedSystem.of("notification");
  private static final DocumentedSystem WALLET = DocumentedSystem.of("wallet");
  private static final DocumentedSystem POLYSHOP = DocumentedSystem.of("polyshop");

  /** A table of a system on a kind of database, and the script that creates it. */
  private record Printed(DocumentedSystem system, String table, DatabaseKind kind) {
    private PrintedTable read() {
      String script =
          table.equals(PROCESSED)
              ? InboxSchema.of(kind, "shop", InboxTables.ofOneConsumer(table)).printDocumented()
              : TableSchema.documentedTable(system.layout(), kind);
      return PrintedTable.of(script, table);
    }

    private List<Fact> facts(Kind... kinds) {
      return Stream.of(kinds)
          .flatMap(each -> system.facts(each).stream())
          .filter(fact -> fact.says().startsWith(table + " ("))
          .toList();
    }

    @Override
    public String toString() {
      return system.layout() + " " + table + " " + kind;
    }
  }

  static List<DocumentedSystem> systems() {
    return DocumentedSystem.all();
  }

  static List<Printed> tables() {
    List<Printed> tables =
        systems().stream()
            .flatMap(
                system ->
                    system.names(Kind.TABLE).stream()
                        .flatMap(
                            table ->
                                Stream.of(DatabaseKind.POSTGRESQL, DatabaseKind.MYSQL)
                                    .map(kind -> new Printed(system, table, kind))))
            .toList();
    assertThat(tables).hasSize(12);
    return tables;
  }

  @ParameterizedTest
  @MethodSource("tables")
  void printedTablesHaveTheDocumentedColumns(Printed printed) {
    PrintedTable table = printed.read();
    List<DocumentedColumn> documented = printed.system().columns(printed.table());
    assertThat(table.columns().keySet())
        .containsExactlyInAnyOrderElementsOf(
            documented.stream().map(DocumentedColumn::name).toList());
    for (DocumentedColumn each : documented) {
      PrintedTable.Column column = Objects.requireNonNull(table.columns().get(each.name()));
      assertThat(column.type()).as(each.name()).matches(each.type(printed.kind()));
      assertThat(column.nullable()).as(each.name()).isEqualTo(each.nullable());
      if (printed.system().exact() || each.byDefault() != null) {
        assertThat(column.byDefault()).as(each.name()).isEqualTo(each.byDefault());
      }
      List<String> words = printed.system().words(printed.table() + "." + each.name());
      if (!words.isEmpty()) {
        assertThat(table.words()).containsEntry(each.name(), words);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void printedTablesHaveTheDocumentedKeysAndIndexes(Printed printed) {
    PrintedTable table = printed.read();
    assertThat(printed.facts(Kind.PRIMARY_KEY))
        .singleElement()
        .extracting(Fact::says)
        .isEqualTo(printed.table() + " (" + table.primaryKey() + ")");
    List<Fact> documented =
        printed.kind() == DatabaseKind.POSTGRESQL
            ? printed.facts(Kind.UNIQUE_KEY, Kind.INDEX, Kind.POSTGRES_INDEX)
            : printed.facts(Kind.UNIQUE_KEY, Kind.INDEX);
    for (Fact index : documented) {
      // Where the document has no name but words, any will do.
      String name = index.name().matches("\\w+") ? index.name() : "\\w+";
      String columns = index.says().substring(printed.table().length());
      assertThat(table.indexes())
          .as(index.place())
          .anyMatch(each -> each.matches(name + Pattern.quote(columns)));
    }
    if (printed.system().exact()) {
      assertThat(table.indexes()).hasSameSizeAs(documented);
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void layoutsNameEveryDocumentedColumnAndWord(DocumentedSystem system) {
    Layout layout = Preset.valueOf(constant(system.layout())).layout();
    assertThat(layout.name()).isEqualTo(system.layout());
    String table = layout.table().name();
    assertThat(columns(layout))
        .containsExactlyInAnyOrderElementsOf(
            system.columns(table).stream().map(DocumentedColumn::name).toList());
    if (layout.progress().state() instanceof StateColumn.Word word) {
      assertThat(system.words(table + "." + word.column()))
          .containsExactly(word.pending(), word.published(), word.dead());
    }
    RecordTable record = layout.progress().record();
    if (record != null) {
      assertThat(system.columns(record.name()))
          .extracting(DocumentedColumn::name)
          .containsExactly(
              record.eventId(), record.status(), record.createdAt(), record.updatedAt());
      assertThat(system.words(record.name() + "." + record.status()))
          .containsExactlyElementsOf(
              Stream.of(RecordTable.Status.values()).map(Enum::name).toList());
    }
    assertThat(system.names(Kind.TABLE)).contains(table);
  }

  private static String constant(String layout) {
    return layout.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private static Set<String> columns(Layout layout) {
    KeyColumns key = layout.order().key();
    StateColumn state = layout.progress().state();
    Set<String> columns = new TreeSet<>(layout.content().context().headerColumns().keySet());
    Stream.of(
            layout.identity().rowId(),
            layout.identity().eventId(),
            layout.identity().eventType(),
            layout.identity().eventVersion(),
            key instanceof KeyColumns.TypeAndId both ? both.type() : null,
            key instanceof KeyColumns.TypeAndId both ? both.id() : null,
            key instanceof KeyColumns.Single single ? single.id() : null,
            layout.order().createdAt(),
            layout.order().availableAt(),
            layout.content().payload(),
            layout.content().context().correlationId(),
            state instanceof StateColumn.Word word ? word.column() : null,
            state instanceof StateColumn.Flag flag ? flag.column() : null,
            layout.progress().publishedAt(),
            layout.progress().attempts(),
            layout.progress().nextAttemptAt(),
            layout.progress().error())
        .filter(Objects::nonNull)
        .forEach(columns::add);
    return columns;
  }

  @Test
  void notificationsGoToTheDocumentedQueues() {
    Preset.DefaultRoute route =
        Objects.requireNonNull(Preset.NOTIFICATION.route(Transport.RABBITMQ));
    assertThat(NOTIFICATION.names(Kind.EXCHANGE)).containsExactly(route.target());
    assertThat(NOTIFICATION.facts(Kind.QUEUE)).hasSize(4);
    for (Fact queue : NOTIFICATION.facts(Kind.QUEUE)) {
      String recipient = queue.says().toLowerCase(Locale.ROOT);
      assertThat(route.routingKey().replace("{aggregateType|lower}", recipient))
          .isEqualTo(queue.name());
    }
    assertThat(route.format()).isEqualTo(Format.GENERIC);
  }

  @Test
  void walletsAndOrdersGoToTheDocumentedTopics() {
    Preset.DefaultRoute wallet = Objects.requireNonNull(Preset.WALLET.route(Transport.KAFKA));
    assertThat(WALLET.names(Kind.DESTINATION))
        .containsExactly(wallet.target().replace("{eventType}", "<eventType>"));
    assertThat(wallet.format()).isEqualTo(Format.RAW);
    Preset.DefaultRoute order = Objects.requireNonNull(Preset.POLYSHOP.route(Transport.KAFKA));
    assertThat(order.target()).isEqualTo("{eventType}");
    assertThat(order.format()).isEqualTo(Format.ENVELOPE);
  }

  @Test
  void tablesAreReadAtTheDocumentedPace() {
    Polling notification = TablePolling.of(Layouts.NOTIFICATION);
    assertThat(notification.rhythm())
        .isEqualTo(new Polling.Rhythm.FixedDelay(Duration.ofMillis(property("interval"))));
    assertThat(notification.initialDelay().toMillis()).isEqualTo(property("initial delay"));
    assertThat(notification.batch()).isEqualTo((int) property("batch"));
    assertThat(TablePolling.of(Layouts.WALLET).rhythm())
        .isEqualTo(new Polling.Rhythm.FixedRate(Duration.ofMillis(pace(WALLET, "fixed rate "))));
    assertThat(TablePolling.of(Layouts.POLYSHOP).batch()).isEqualTo((int) pace(POLYSHOP, "batch "));
  }

  private static long property(String part) {
    Fact fact =
        NOTIFICATION.facts(Kind.PROPERTY).stream()
            .filter(each -> each.says().equals(part))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(fact.name().substring(fact.name().indexOf('=') + 1));
  }

  private static long pace(DocumentedSystem system, String prefix) {
    String says = system.facts(Kind.PACE).get(0).says();
    assertThat(says).startsWith(prefix);
    return Long.parseLong(says.substring(prefix.length()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theDocumentedViewsArePrinted(DatabaseKind kind) {
    String views =
        TableSchema.of(Layouts.EVENT_OUTBOX, kind, SideNames.of(Layouts.EVENT_OUTBOX), 1)
            .printViews();
    List<String> printed =
        Pattern.compile("create or replace (?:(?!view).)*view (\\w+) as")
            .matcher(views.replaceAll("[\"`]", ""))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(printed).containsSubsequence(DocumentedSystem.of("event-outbox").names(Kind.VIEW));
  }

  static List<DatabaseKind> kinds() {
    return List.of(DatabaseKind.POSTGRESQL, DatabaseKind.MYSQL);
  }
}
