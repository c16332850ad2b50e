package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.database.InboxTables;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.jdbc.TableSchema;
import io.waybill.observe.Finding;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of an inbox: Waybill's own, and PolyShop's with room for one consumer. */
public abstract class InboxTablesContract extends InboxContract {
  private static final String UUID = "0198f3a2-7c11-7d2e-9a5b-1c2d3e4f5a6b";
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final String table = "seen_" + NUMBER.incrementAndGet();

  @Test
  void applyingTwiceChangesNothingAndCheckIsContent() throws SQLException {
    try (Connection connection = connect()) {
      InboxSchema tables = InboxSchema.of(kind(), schema(connection), InboxTables.own());
      assertThat(tables.apply(connection)).isZero();
      assertThat(tables.check(connection)).isEmpty();
    }
  }

  @Test
  void manyMayApplyAtOnce() throws Exception {
    String url = database().empty();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Callable<Integer> apply =
        () -> {
          try (Connection own = DriverManager.getConnection(url)) {
            return InboxSchema.of(kind(), schema(own), InboxTables.own()).apply(own);
          }
        };
    int applied = 0;
    for (Future<Integer> future : threads.invokeAll(List.of(apply, apply, apply, apply))) {
      applied += future.get();
    }
    threads.shutdown();
    assertThat(applied).isEqualTo(2);
  }

  @Test
  void thePrintedScriptMakesTheSameTables() throws SQLException {
    try (Connection own = DriverManager.getConnection(database().empty())) {
      InboxSchema tables = InboxSchema.of(kind(), schema(own), InboxTables.own());
      assertThat(tables.check(own)).singleElement().satisfies(InboxTablesContract::namesTheCommand);
      TableSchema.run(own, tables.print());
      assertThat(tables.check(own)).isEmpty();
      assertThat(tables.apply(own)).isZero();
    }
  }

  private static void namesTheCommand(Finding finding) {
    assertThat(finding.remedy()).isEqualTo("waybill schema apply --inbox");
  }

  @Test
  void besideAnAdoptedTableItsOwnIsNotMade() throws SQLException {
    try (Connection own = DriverManager.getConnection(database().empty())) {
      InboxSchema tables = InboxSchema.of(kind(), schema(own), InboxTables.ofOneConsumer("seen"));
      assertThat(tables.apply(own)).isEqualTo(1);
      assertThat(tables.check(own)).isEmpty();
      assertThat(tables.print()).doesNotContain("create table processed_events");
      InboxSchema all = InboxSchema.of(kind(), schema(own), InboxTables.own());
      assertThat(all.check(own)).isNotEmpty();
      assertThat(all.apply(own)).isEqualTo(1);
      assertThat(tables.check(own)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop table waybill_inbox_attempt | table waybill_inbox_attempt",
        "drop table processed_events | table processed_events",
        "alter table processed_events drop column source | column processed_events.source",
        "alter table waybill_inbox_deferred drop column failure"
            + " | column waybill_inbox_deferred.failure",
        "alter table waybill_inbox_deferred drop constraint waybill_inbox_deferred_behind_check"
            + " | constraint waybill_inbox_deferred.waybill_inbox_deferred_behind_check",
      })
  void whatIsMissingIsFoundAndItsStatementMendsIt(String pair) throws SQLException {
    int bar = pair.indexOf(" | ");
    String harm = pair.substring(0, bar);
    String thing = pair.substring(bar + 3);
    try (Connection own = DriverManager.getConnection(database().empty())) {
      InboxSchema tables = InboxSchema.of(kind(), schema(own), InboxTables.own());
      tables.apply(own);
      TableSchema.run(own, harm);
      List<Finding> findings = tables.check(own);
      assertThat(findings).extracting(Finding::subject).contains(thing);
      String remedy = findings.get(0).remedy();
      TableSchema.run(own, remedy.substring(0, remedy.length() - 1));
      assertThat(tables.check(own).size()).isLessThan(findings.size());
    }
  }

  @Test
  void rolesMayDoTheirWorkAndNoMore() throws SQLException {
    String consumer = "consumer_" + NUMBER.incrementAndGet();
    String reader = "reader_" + NUMBER.incrementAndGet();
    database().createRole(consumer);
    database().createRole(reader);
    try (Connection connection = connect()) {
      InboxSchema tables = InboxSchema.of(kind(), schema(connection), InboxTables.own());
      TableSchema.run(connection, tables.grants(consumer, reader));
    }
    InboxStore store =
        JdbcInboxStore.of(() -> database().as(consumer), kind(), "a", InboxOptions.ofDefaults());
    store.open();
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    defer(store, deferred(event("e2", "k"), 0));
    defer(store, deferred(event("e3", "k"), 0));
    try (InboxTransaction transaction = store.begin()) {
      transaction.started(List.of("e2"));
      assertThat(transaction.openStarts(List.of("e2"))).containsOnly(entry("e2", 1));
      transaction.ended(List.of("e2"));
      transaction.forgetStarts(List.of("e2"));
      transaction.forget(store.due("me", MINUTE, 1).get(0));
      transaction.commit();
    }
    assertThat(store.purge(Duration.ofDays(1), 10)).isZero();
    store.close();
    InboxStore looker =
        JdbcInboxStore.of(() -> database().as(reader), kind(), "a", InboxOptions.ofDefaults());
    assertThatThrownBy(looker::open).isInstanceOf(IllegalStateException.class);
    looker.close();
  }

  @Test
  void missingTablesAreRefusedWithTheCommandThatMakesThem() {
    String url = database().empty();
    InboxStore store =
        JdbcInboxStore.of(
            () -> DriverManager.getConnection(url), kind(), "a", InboxOptions.ofDefaults());
    assertThatThrownBy(store::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("waybill_inbox_")
        .hasMessageContaining("schema apply --inbox");
    store.close();
  }

  @Test
  void aStoreThatWasNotOpenedRefuses() {
    InboxStore store = JdbcInboxStore.of(this::connect, kind(), "a", InboxOptions.ofDefaults());
    assertThatThrownBy(store::begin)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("opened");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb"})
  void namesOfConsumersAreChecked(String name) {
    assertThatThrownBy(
            () -> JdbcInboxStore.of(this::connect, kind(), name, InboxOptions.ofDefaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 100");
  }

  @Test
  void theDocumentedTableServesOneConsumer() throws SQLException {
    document(table);
    InboxStore store = openOn(table, "payment");
    assertThat(process(store, event(UUID))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event(UUID))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(texts("select event_id, event_type, source from " + table))
        .containsExactly(UUID + "|order.placed|orders");
    assertThat(texts("select event_id from processed_events")).isEmpty();
    defer(store, deferred(event(UUID.replace('0', '1'), "k"), 60_000));
    assertThat(process(store, event(UUID.replace('0', '2'), "k")))
        .isEqualTo(new DedupeResult.Behind());
  }

  @Test
  void aSecondConsumerIsRefusedByNameAndTheFirstComesBack() throws SQLException {
    document(table);
    openOn(table, "payment").close();
    assertThatThrownBy(() -> openOn(table, "inventory"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(table)
        .hasMessageContaining("'payment'")
        .hasMessageContaining("'inventory'");
    assertThat(process(openOn(table, "payment"), event(UUID))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void ofTwoConsumersThatComeAtOnceOneIsRefused() throws Exception {
    document(table);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    int refused = 0;
    List<Callable<Boolean>> both = List.of(() -> opens("payment"), () -> opens("inventory"));
    for (Future<Boolean> future : threads.invokeAll(both)) {
      refused += future.get() ? 0 : 1;
    }
    threads.shutdown();
    assertThat(refused).isEqualTo(1);
  }

  private boolean opens(String consumer) {
    InboxOptions options = InboxOptions.ofDefaults().tables(InboxTables.ofOneConsumer(table));
    try (InboxStore store = JdbcInboxStore.of(this::connect, kind(), consumer, options)) {
      store.open();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Test
  void aTableOfTwoColumnsIsEnough() throws SQLException {
    execute(
        "create table %s (event_id varchar(36) primary key, processed_at %s)"
            .formatted(table, timeType()));
    InboxStore store = openOn(table, "payment");
    assertThat(process(store, event(UUID))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event(UUID)))
        .isInstanceOfSatisfying(
            DedupeResult.Seen.class, seen -> assertThat(seen.age()).isLessThan(MINUTE));
    assertThat(process(store, event(UUID.replace('0', '1')))).isEqualTo(new DedupeResult.Fresh());
    assertThat(texts("select count(*) from " + table)).containsExactly("2");
    execute("update " + table + " set processed_at = " + database().ago(10 * 24 * 3600));
    assertThat(store.purge(Duration.ofDays(9), 1)).isEqualTo(1);
    assertThat(store.purge(Duration.ofDays(9), 10)).isEqualTo(1);
  }

  @Test
  void idsThatTheTableWouldTakeForTheSameStayApart() throws SQLException {
    document(table);
    String folding = table + "_folding";
    execute(
        "create table %s (event_id varchar(40) primary key, processed_at %s not null)"
            .formatted(folding, timeType()));
    for (InboxStore store : List.of(openOn(table, "a"), openOn(folding, "b"))) {
      for (String id :
          List.of(
              UUID, UUID.toUpperCase(Locale.ROOT), UUID + " 1", "e", "E", "e ", "x".repeat(160))) {
        assertThat(process(store, event(id))).as(id).isEqualTo(new DedupeResult.Fresh());
        assertThat(process(store, event(id))).as(id).isInstanceOf(DedupeResult.Seen.class);
      }
    }
  }

  @Test
  void batchesWorkOnAnAdoptedTable() throws SQLException {
    document(table);
    InboxStore store = openOn(table, "payment");
    process(store, event(UUID));
    List<DedupeKey> events =
        List.of(event(UUID), event("odd"), event(UUID.replace('0', '1')), event("odd"));
    try (InboxTransaction transaction = store.begin()) {
      assertThat(
              transaction.markSeen(events).stream()
                  .map(dedupe -> dedupe.getClass().getSimpleName()))
          .containsExactly("Seen", "Fresh", "Fresh", "Seen");
    }
  }

  @Test
  void anAdoptedTableThatCannotServeIsRefusedWithTheReason() throws SQLException {
    assertUnfit("processed_at " + timeType(), "must have a column event_id");
    assertUnfit("event_id varchar(36) primary key", "must have a column processed_at");
    assertUnfit("event_id varchar(36), processed_at " + timeType(), "primary key or a unique key");
    assertUnfit(
        "event_id varchar(20) primary key, processed_at " + timeType(), "at least 36 characters");
    assertUnfit("event_id bigint primary key, processed_at " + timeType(), "must be a UUID or");
    assertUnfit("event_id varchar(36) primary key, processed_at int", "must be a timestamp");
    assertUnfit(
        "event_id varchar(36) primary key, processed_at %s, tenant varchar(9) not null"
            .formatted(timeType()),
        "refuses the rows");
    assertUnfit(
        "consumer varchar(9), event_id varchar(36) primary key, processed_at " + timeType(),
        "has a column consumer");
  }

  private void assertUnfit(String columns, String reason) throws SQLException {
    String name = "unfit_" + NUMBER.incrementAndGet();
    execute("create table " + name + " (" + columns + ")");
    assertThatThrownBy(() -> openOn(name, "payment"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(reason);
    assertThat(texts("select * from " + name)).isEmpty();
  }

  /** Creates PolyShop's table under a name. */
  private void document(String name) throws SQLException {
    try (Connection connection = connect()) {
      InboxTables tables = InboxTables.ofOneConsumer(name);
      TableSchema.run(
          connection, InboxSchema.of(kind(), schema(connection), tables).printDocumented());
    }
  }

  private String timeType() {
    return kind() == DatabaseKind.POSTGRESQL ? "timestamp" : "datetime(6)";
  }
}
