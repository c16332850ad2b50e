package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The order of deferred events of one key, also when others join or leave it meanwhile. */
abstract class InboxDeferredKeysContract extends InboxContract {
  @Test
  void theEventsOfAKeyComeOneAfterTheOtherInTheirOrder() {
    InboxStore store = open("a");
    for (String id : List.of("e3", "e1", "e2")) {
      defer(store, deferred(event(id, "k"), 0));
    }
    defer(store, deferred(event("other", "l"), 0));
    List<String> order = new ArrayList<>();
    List<DeferredEvent> due = store.due("me", MINUTE, 10);
    assertThat(ids(due)).containsExactlyInAnyOrder("e3", "other");
    while (!due.isEmpty()) {
      for (DeferredEvent event : due) {
        order.add(event.dedupeKey().eventId());
        finish(store, event, "me");
      }
      due = store.due("me", MINUTE, 10);
    }
    order.remove("other");
    assertThat(order).containsExactly("e3", "e1", "e2");
    assertThat(store.deferred()).isZero();
    assertThat(process(store, event("e1", "k"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(process(store, event("e4", "k"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void theNextOfAKeyWaitsForItsOwnDelay() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    defer(store, deferred(event("e2", "k"), 60_000));
    finish(store, store.due("me", MINUTE, 10).get(0), "me");
    assertThat(store.due("me", MINUTE, 10)).isEmpty();
    assertThat(process(store, event("e3", "k"))).isEqualTo(new DedupeResult.Behind());
  }

  @Test
  void anEventThatComesWhileTheLastOfItsKeyEndsIsNotForgotten() throws Exception {
    InboxStore store = open("a");
    InboxStore other = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent due = store.due("me", MINUTE, 10).get(0);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (InboxTransaction ending = store.begin()) {
      ending.markSeen(due, "me");
      ending.forget(due);
      Future<Boolean> late = thread.submit(() -> defer(other, deferred(event("e2", "k"), 0)));
      assertThatThrownBy(() -> late.get(300, TimeUnit.MILLISECONDS))
          .as("it waits for what becomes of the first")
          .isInstanceOf(TimeoutException.class);
      ending.commit();
      assertThat(late.get(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      thread.shutdownNow();
    }
    assertThat(ids(store.due("me", MINUTE, 10))).containsExactly("e2");
  }

  @Test
  void theLastOfAKeyDoesNotEndBeforeWhatStandsBehindIt() throws Exception {
    InboxStore store = open("a");
    InboxStore other = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent due = store.due("me", MINUTE, 10).get(0);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (InboxTransaction joining = other.begin()) {
      joining.defer(deferred(event("e2", "k"), 0));
      Future<?> ending = thread.submit(() -> finish(store, due, "me"));
      assertThatThrownBy(() -> ending.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      joining.commit();
      ending.get(10, TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }
    assertThat(ids(store.due("me", MINUTE, 10))).containsExactly("e2");
  }

  @Test
  void anEventJoinsItsKeyWhileTheFirstIsHandled() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent due = store.due("me", MINUTE, 10).get(0);
    try (InboxTransaction handling = store.begin()) {
      assertThat(handling.markSeen(due, "me")).isEqualTo(new DedupeResult.Fresh());
      assertThat(defer(store, deferred(event("e2", "k"), 0))).isTrue();
      handling.forget(due);
      handling.commit();
    }
    assertThat(ids(store.due("me", MINUTE, 10))).containsExactly("e2");
  }

  @Test
  void rowsWhoseFirstWasRemovedByHandAreDueAfterAPurge() throws SQLException {
    InboxStore store = open("a");
    for (String id : List.of("e1", "e2", "e3")) {
      defer(store, deferred(event(id, "k"), 0));
    }
    execute("delete from waybill_inbox_deferred where event_id = 'e1'");
    assertThat(store.due("me", MINUTE, 10)).isEmpty();
    store.purge(Duration.ofDays(14), 10);
    assertThat(ids(store.due("me", MINUTE, 10))).containsExactly("e2");
  }

  static void finish(InboxStore store, DeferredEvent event, String owner) {
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(event, owner)).isEqualTo(new DedupeResult.Fresh());
      transaction.forget(event);
      transaction.commit();
    }
  }
}
