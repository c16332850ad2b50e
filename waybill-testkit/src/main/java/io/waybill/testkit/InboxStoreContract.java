package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Event;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.outbox.Outbox;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What every {@link InboxStore} must do with what it has seen. */
public abstract class InboxStoreContract extends InboxCopiesContract {
  @Test
  void anEventIsFreshOnceAndSeenFromThenOn() {
    InboxStore store = open("a");
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event("e1")))
        .isInstanceOfSatisfying(
            DedupeResult.Seen.class,
            seen -> assertThat(seen.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1)));
    assertThat(process(store, event("e2"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void theAgeOfADuplicateIsTheTimeSinceItsFirstSight() throws SQLException {
    InboxStore store = open("a");
    process(store, event("e1"));
    age("e1", 3600);
    assertThat(process(store, event("e1")))
        .isInstanceOfSatisfying(
            DedupeResult.Seen.class,
            seen -> assertThat(seen.age()).isBetween(Duration.ofHours(1), Duration.ofMinutes(61)));
  }

  @Test
  void aRollbackLeavesNothing() {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(event("e1"))))
          .containsExactly(new DedupeResult.Fresh());
      transaction.defer(deferred(event("e2", "k"), 0));
      transaction.started(List.of("e3"));
      transaction.rollback();
    }
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(event("e1"))))
          .containsExactly(new DedupeResult.Fresh());
      // Closed without an end: as if it had been rolled back.
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(store.deferred()).isZero();
  }

  @Test
  void consumersDoNotSeeWhatOthersHaveProcessed() {
    assertThat(process(open("a"), event("e1"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(open("b"), event("e1"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void idsAreComparedAsBytes() {
    InboxStore store = open("a");
    for (String id : List.of("e", "E", "e ", "e.", "x".repeat(160))) {
      assertThat(process(store, event(id))).as(id).isEqualTo(new DedupeResult.Fresh());
      assertThat(process(store, event(id))).as(id).isInstanceOf(DedupeResult.Seen.class);
    }
    assertThat(process(open("A"), event("e"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void theHandlersWritesAreThereTogetherWithTheNoteOrNotAtAll() throws SQLException {
    InboxStore store = open("a");
    try (InboxTransaction transaction = store.begin()) {
      transaction.markSeen(List.of(event("e1")));
      addOne(transaction.connection(), "e1");
      transaction.rollback();
    }
    assertThat(texts("select id from effect")).isEmpty();
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(event("e1"))))
          .containsExactly(new DedupeResult.Fresh());
      addOne(transaction.connection(), "e1");
      assertThat(texts("select id from effect")).isEmpty();
      transaction.commit();
    }
    assertThat(texts("select id, n from effect")).containsExactly("e1|1");
    assertThat(texts("select event_id from processed_events")).containsExactly("e1");
  }

  @Test
  void anEventThatTheHandlerAppendsGoesWithItsTransaction() throws SQLException {
    InboxStore store = open("a");
    Outbox outbox = Outbox.of(database().append());
    for (boolean commits : new boolean[] {false, true}) {
      try (InboxTransaction transaction = store.begin()) {
        assertThat(transaction.markSeen(List.of(event("e1"))))
            .containsExactly(new DedupeResult.Fresh());
        Event caused = Event.builder("stock.reserved", "order", "1").id("c1").json("{}").build();
        outbox.append(transaction.connection(), caused);
        if (commits) {
          transaction.commit();
        }
      }
      assertThat(texts("select event_id from waybill_outbox")).hasSize(commits ? 1 : 0);
    }
  }

  @Test
  void whatWasProcessedIsKeptWithTypeAndSource() throws SQLException {
    process(open("a"), new DedupeKey("e1", "order.placed", "orders", null));
    assertThat(texts("select consumer, event_id, event_type, source from processed_events"))
        .containsExactly("a|e1|order.placed|orders");
  }

  @Test
  void typesAndSourcesThatAreTooLongAreCutAndNotRefused() {
    DedupeKey odd = new DedupeKey("e1", "t\u0000" + "\uD83D\uDE00".repeat(300), "s", null);
    assertThat(process(open("a"), odd)).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void aBatchIsAnsweredInItsOrderWithRepetitionsSeen() {
    InboxStore store = open("a");
    process(store, event("e2"));
    defer(store, deferred(event("d1", "held"), 60_000));
    try (InboxTransaction transaction = store.begin()) {
      List<DedupeResult> dedupeResults =
          transaction.markSeen(
              List.of(
                  event("e1"),
                  event("e2"),
                  event("e3", "held"),
                  event("e1"),
                  event("d1", "held"),
                  event("e4", "other"),
                  event("e4", "other")));
      assertThat(dedupeResults.stream().map(dedupe -> dedupe.getClass().getSimpleName()))
          .containsExactly("Fresh", "Seen", "Behind", "Seen", "Behind", "Fresh", "Seen");
      transaction.commit();
    }
    assertThat(process(store, event("e4"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(store, event("e3"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void aLargeBatchIsTaken() {
    InboxStore store = open("a");
    List<DedupeKey> events = IntStream.range(0, 1000).mapToObj(i -> event("e" + i)).toList();
    for (Class<?> kind : List.of(DedupeResult.Fresh.class, DedupeResult.Seen.class)) {
      try (InboxTransaction transaction = store.begin()) {
        assertThat(transaction.markSeen(events)).hasSize(1000).hasOnlyElementsOfType(kind);
        transaction.commit();
      }
    }
  }

  @Test
  void noEventAtAllIsAMistake() {
    try (InboxTransaction transaction = open("a").begin()) {
      assertThatThrownBy(() -> transaction.markSeen(List.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theHandlersConnectionDoesNotEndTheTransaction() throws SQLException {
    try (InboxTransaction transaction = open("a").begin()) {
      Connection connection = transaction.connection();
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      assertThatThrownBy(connection::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("commit");
      assertThatThrownBy(connection::rollback).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(connection::close).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> connection.setAutoCommit(true))
          .isInstanceOf(IllegalStateException.class);
      try (Statement statement = connection.createStatement()) {
        assertThat(statement.execute("select 1")).isTrue();
        assertThatThrownBy(() -> statement.execute("select nothing"))
            .isInstanceOf(SQLException.class);
      }
    }
  }

  @Test
  void anotherThreadCutsATransactionThatDoesNotEnd() throws Exception {
    InboxStore store = open("a");
    InboxTransaction transaction = store.begin();
    transaction.markSeen(List.of(event("e1")));
    Future<Boolean> sleeper = start(() -> run(transaction.connection(), database().sleep(30)));
    assertWaits(sleeper);
    transaction.abort();
    assertThatThrownBy(() -> sleeper.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(Exception.class);
    transaction.close();
    // Nobody waits for what the cut transaction had locked longer than it takes to notice.
    assertThat(start(() -> process(store, event("e1"))).get(20, TimeUnit.SECONDS))
        .isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void aLostConnectionIsTransientAndTheNextCallConnectsAnew() throws SQLException {
    InboxStore store = open("a");
    process(store, event("e1"));
    InboxTransaction lost = store.begin();
    lost.markSeen(List.of(event("e2")));
    database().killConnections();
    assertThatThrownBy(lost::commit)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.isTransient()).isTrue());
    lost.rollback();
    lost.close();
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .ignoreExceptionsInstanceOf(StoreException.class)
        .until(() -> process(store, event("e2")) instanceof DedupeResult.Fresh);
  }

  @Test
  void aStatementIsBounded() {
    InboxStore store = openWithLimit("a", Duration.ofSeconds(1));
    try (InboxTransaction transaction = store.begin()) {
      assertThatThrownBy(() -> run(transaction.connection(), database().sleep(20)))
          .isInstanceOf(SQLException.class);
    }
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
  }

  private static boolean run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }

  @Test
  void aClosedStoreRefuses() {
    InboxStore store = open("a");
    store.close();
    store.close();
    assertThatThrownBy(store::begin).isInstanceOf(StoreException.class);
  }

  @Test
  void whatWasProcessedLongAgoIsForgottenInSmallBatches() throws SQLException {
    InboxStore store = open("a");
    for (int i = 0; i < 5; i++) {
      process(store, event("old" + i));
      age("old" + i, 15 * 24 * 3600);
    }
    process(store, event("young"));
    process(open("b"), event("young"));
    try (InboxTransaction transaction = store.begin()) {
      transaction.started(List.of("old0"));
      transaction.commit();
    }
    execute("update waybill_inbox_attempt set started_at = " + database().ago(15 * 24 * 3600));

    Duration window = Duration.ofDays(14);
    assertThat(store.purge(window, 2)).isEqualTo(3);
    assertThat(texts("select event_id from processed_events where event_id like 'old%'"))
        .hasSize(3);
    assertThat(store.purge(window, 2)).isEqualTo(2);
    assertThat(store.purge(window, 2)).isEqualTo(1);
    assertThat(store.purge(window, 2)).isZero();
    assertThat(texts("select event_id from waybill_inbox_attempt")).isEmpty();
    assertThat(process(store, event("young"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(store, event("old1"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void aConsumerForgetsOnlyWhatIsItsOwn() throws SQLException {
    process(open("a"), event("e1"));
    age("e1", 3600);
    assertThat(open("b").purge(Duration.ofMinutes(1), 100)).isZero();
    assertThat(open("a").purge(Duration.ofMinutes(1), 100)).isEqualTo(1);
  }

  @Test
  void aDeferredEventComesBackAsItWas() {
    InboxStore store = open("a");
    byte[] key = {0, -1, 'k'};
    Headers headers =
        new Headers(List.of(new Header("h", "1"), new Header("h", "2"), new Header("\u00e9", "")));
    DedupeKey dedupeKey = new DedupeKey("e1", "order.placed", "orders", key);
    byte[] body = "{\"n\":1}\u0000\u00e9".getBytes(StandardCharsets.UTF_8);
    defer(
        store,
        new DeferredEvent(dedupeKey, body, headers, 1_234_567L, 3, 0, "why", "POISON", false));
    DedupeKey tombstone = new DedupeKey("e2", "t", "orders", null);
    defer(store, new DeferredEvent(tombstone, null, Headers.NONE, 0, 0, 0, "", null, false));
    defer(
        store, new DeferredEvent(event("e3"), new byte[0], Headers.NONE, 0, 0, 0, "", null, false));

    List<DeferredEvent> due = store.due("me", MINUTE, 10);

    assertThat(ids(due)).containsExactlyInAnyOrder("e1", "e2", "e3");
    DeferredEvent first = named(due, "e1");
    assertThat(first.dedupeKey().key()).isEqualTo(key);
    assertThat(first.body()).isEqualTo(body);
    assertThat(first.headers()).isEqualTo(headers);
    assertThat(first)
        .returns("order.placed", event -> event.dedupeKey().eventType())
        .returns("orders", event -> event.dedupeKey().source())
        .returns(1_234_567L, DeferredEvent::timestampMicros)
        .returns(3, DeferredEvent::attempts)
        .returns("why", DeferredEvent::failure)
        .returns("POISON", DeferredEvent::deadReason)
        .returns(false, DeferredEvent::redelivered);
    assertThat(named(due, "e2")).returns(null, DeferredEvent::body);
    assertThat(named(due, "e3").body()).isEmpty();
    assertThat(store.deferred()).isEqualTo(3);
    assertThat(open("b").deferred()).isZero();
  }
}
