package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Headers;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What every {@link InboxStore} must do with events that wait: claims and delays. */
public abstract class InboxDeferralContract extends InboxDeferredKeysContract {
  @Test
  void laterEventsOfADeferredKeyAreBehindAndOthersAreNot() {
    InboxStore store = open("a");
    assertThat(defer(store, deferred(event("e1", "k"), 60_000))).isTrue();

    assertThat(process(store, event("e2", "k"))).isEqualTo(new DedupeResult.Behind());
    assertThat(process(store, event("e1", "k"))).isEqualTo(new DedupeResult.Behind());
    assertThat(process(store, event("e3", "K"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event("e4"))).isEqualTo(new DedupeResult.Fresh());
    DedupeKey elsewhere =
        new DedupeKey("e5", "t", "invoices", "k".getBytes(StandardCharsets.UTF_8));
    assertThat(process(store, elsewhere)).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(open("b"), event("e2", "k"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void whatWasProcessedBeforeIsSeenThoughItsKeyWaits() {
    InboxStore store = open("a");
    process(store, event("e0", "k"));
    defer(store, deferred(event("e1", "k"), 60_000));
    assertThat(process(store, event("e0", "k"))).isInstanceOf(DedupeResult.Seen.class);
  }

  @Test
  void whatIsGivenUpIsNotedThoughItsKeyWaits() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 60_000));
    for (DedupeResult expected :
        List.of(new DedupeResult.Fresh(), new DedupeResult.Seen(Duration.ZERO))) {
      try (InboxTransaction transaction = store.begin()) {
        assertThat(transaction.noteDead(event("e2", "k"))).hasSameClassAs(expected);
        transaction.commit();
      }
    }
    assertThat(process(store, event("e2", "k"))).isInstanceOf(DedupeResult.Seen.class);
    assertThat(ids(store.due("me", MINUTE, 10))).isEmpty();
  }

  @Test
  void anEventWithoutAKeyWaitsAlone() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1"), 60_000));
    assertThat(process(store, event("e2"))).isEqualTo(new DedupeResult.Fresh());
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Behind());
  }

  @Test
  void anEventIsDeferredOnce() {
    InboxStore store = open("a");
    assertThat(defer(store, deferred(event("e1", "k"), 60_000))).isTrue();
    assertThat(defer(store, deferred(event("e1", "k"), 0))).isFalse();
    assertThat(store.deferred()).isEqualTo(1);
    assertThat(store.due("me", MINUTE, 10)).isEmpty();
  }

  @Test
  void theLongestDueComesFirstAndNoMoreThanTheLimit() throws SQLException {
    InboxStore store = open("a");
    for (int i = 0; i < 5; i++) {
      defer(store, deferred(event("e" + i), 0));
      execute(
          "update waybill_inbox_deferred set due_at = %s where event_id = 'e%d'"
              .formatted(database().ago(100L * i + 1), i));
    }
    assertThat(ids(store.due("me", MINUTE, 2))).containsExactly("e4", "e3");
    assertThat(ids(store.due("me", MINUTE, 2))).containsExactly("e2", "e1");
    assertThat(ids(store.due("me", MINUTE, 2))).containsExactly("e0");
    assertThatThrownBy(() -> store.due("me", MINUTE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEventIsDueAfterItsDelayAndNotBefore() {
    InboxStore store = open("a");
    long started = System.nanoTime();
    defer(store, deferred(event("e1", "k"), 700));
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !store.due("me", MINUTE, 10).isEmpty());
    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(690_000_000L);
  }

  @Test
  void aClaimIsAnotherOwnersOnlyWhenItIsOver() throws SQLException {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent mine = store.due("me", MINUTE, 10).get(0);
    assertThat(mine.redelivered()).isFalse();
    assertThat(store.due("you", MINUTE, 10)).isEmpty();

    execute("update waybill_inbox_deferred set claimed_until = " + database().ago(1));
    DeferredEvent yours = store.due("you", MINUTE, 10).get(0);
    assertThat(yours.redelivered()).isTrue();

    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(mine, "me")).isEqualTo(new DedupeResult.Lost());
      assertThat(transaction.deferAgain(mine, "me")).isFalse();
      assertThat(transaction.markSeen(yours, "you")).isEqualTo(new DedupeResult.Fresh());
      transaction.forget(yours);
      transaction.commit();
    }
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(yours, "you")).isEqualTo(new DedupeResult.Lost());
    }
  }

  @Test
  void whatIsGivenUpOnRecordIsNotHandledByWhatWasKnownBefore() throws SQLException {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent mine = store.due("me", MINUTE, 10).get(0);
    execute("update waybill_inbox_deferred set dead_reason = 'attempts-exhausted'");
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(mine, "me")).isEqualTo(new DedupeResult.Lost());
    }
  }

  @Test
  void aClaimThatRunsOutWhileItsEventIsHandledIsNotTakenAway() throws SQLException {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent mine = store.due("me", MINUTE, 10).get(0);
    execute("update waybill_inbox_deferred set claimed_until = " + database().ago(1));
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(mine, "me")).isEqualTo(new DedupeResult.Fresh());
      assertThat(store.due("you", MINUTE, 10)).isEmpty();
      transaction.forget(mine);
      transaction.commit();
    }
    assertThat(store.due("you", MINUTE, 10)).isEmpty();
  }

  @Test
  void releasedEventsAreDueAtOnce() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    defer(store, deferred(event("e2", "l"), 0));
    store.due("me", MINUTE, 1);
    store.due("you", MINUTE, 1);
    store.release("me");
    assertThat(store.due("they", MINUTE, 10)).hasSize(1).noneMatch(DeferredEvent::redelivered);
  }

  @Test
  void anEventDeferredAgainKeepsItsPlaceAndGivesUpItsClaim() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    defer(store, deferred(event("e2", "k"), 0));
    DeferredEvent first = store.due("me", MINUTE, 10).get(0);
    assertThat(deferAgain(store, first, 60_000)).isTrue();
    assertThat(store.due("me", MINUTE, 10)).as("the next does not overtake it").isEmpty();

    assertThat(deferAgain(store, first, 0)).as("the claim is given up").isFalse();
    store.close();
  }

  @Test
  void anEventDeferredAgainComesBackWithItsAttemptsAndFailure() {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent first = store.due("me", MINUTE, 10).get(0);
    assertThat(deferAgain(store, first, 0)).isTrue();

    assertThat(store.due("you", MINUTE, 10))
        .singleElement()
        .returns(7, DeferredEvent::attempts)
        .returns("java.io.IOException: no", DeferredEvent::failure)
        .returns("ATTEMPTS", DeferredEvent::deadReason)
        .returns(false, DeferredEvent::redelivered);
  }

  private static boolean deferAgain(InboxStore store, DeferredEvent event, long delayMillis) {
    try (InboxTransaction transaction = store.begin()) {
      boolean done =
          transaction.deferAgain(
              new DeferredEvent(
                  event.dedupeKey(),
                  event.body(),
                  Headers.NONE,
                  0,
                  7,
                  delayMillis,
                  "java.io.IOException: no",
                  "ATTEMPTS",
                  false),
              "me");
      transaction.commit();
      return done;
    }
  }

  @Test
  void aDeferredEventThatACopyHasProcessedIsSeen() {
    InboxStore store = open("a");
    process(store, event("e1", "k"));
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent due = store.due("me", MINUTE, 10).get(0);
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(due, "me")).isInstanceOf(DedupeResult.Seen.class);
      transaction.forget(due);
      transaction.commit();
    }
    assertThat(store.deferred()).isZero();
  }

  @Test
  void handlingADeferredEventIsUndoneAsAWhole() throws SQLException {
    InboxStore store = open("a");
    defer(store, deferred(event("e1", "k"), 0));
    DeferredEvent due = store.due("me", MINUTE, 10).get(0);
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(due, "me")).isEqualTo(new DedupeResult.Fresh());
      addOne(transaction.connection(), "e1");
      transaction.forget(due);
    }
    assertThat(texts("select id from effect")).isEmpty();
    assertThat(store.deferred()).isEqualTo(1);
    finish(store, due, "me");
  }
}
