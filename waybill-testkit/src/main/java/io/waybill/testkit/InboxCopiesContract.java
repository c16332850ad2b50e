package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an inbox store must do with copies of an event that arrive together. */
abstract class InboxCopiesContract extends InboxContract {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void aCopyWaitsForTheTransactionOfTheOther() throws Exception {
    InboxStore store = open("a");
    InboxStore other = open("a");
    try (InboxTransaction first = store.begin()) {
      assertThat(first.markSeen(List.of(event("e1")))).containsExactly(new DedupeResult.Fresh());
      Future<DedupeResult> copy = start(() -> process(other, event("e1")));
      assertWaits(copy);
      first.commit();
      assertThat(copy.get(10, TimeUnit.SECONDS)).isInstanceOf(DedupeResult.Seen.class);
    }
  }

  @Test
  void aCopyTakesOverWhenTheOtherRollsBack() throws Exception {
    InboxStore store = open("a");
    InboxStore other = open("a");
    try (InboxTransaction first = store.begin()) {
      first.markSeen(List.of(event("e1")));
      Future<DedupeResult> copy = start(() -> process(other, event("e1")));
      assertWaits(copy);
      first.rollback();
      assertThat(copy.get(10, TimeUnit.SECONDS)).isEqualTo(new DedupeResult.Fresh());
    }
  }

  @Test
  void aCopyTakesOverFromATransactionThatRests() {
    InboxStore frozen = openWithLimit("a", Duration.ofSeconds(1));
    InboxStore other = openWithLimit("a", Duration.ofSeconds(20));
    try (InboxTransaction first = frozen.begin()) {
      first.markSeen(List.of(event("e1")));
      assertThat(process(other, event("e1"))).isEqualTo(new DedupeResult.Fresh());
      assertThatThrownBy(first::commit)
          .isInstanceOfSatisfying(
              StoreException.class, gone -> assertThat(gone.isTransient()).isTrue());
    }
    assertThat(process(other, event("e1"))).isInstanceOf(DedupeResult.Seen.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void everyEffectIsMadeOnceHoweverManyCopiesArriveAtOnce(int batch) throws Exception {
    List<Callable<Boolean>> consumers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      InboxStore store = open("a");
      int shift = i * 3;
      consumers.add(() -> count(store, batch, shift));
    }
    for (Future<Boolean> consumer : threads.invokeAll(consumers)) {
      assertThat(consumer.get()).isTrue();
    }
    assertThat(texts("select count(*), min(n), max(n) from effect")).containsExactly("42|1|1");
  }

  /** Adds one for each of 42 events, in batches that overlap those of others in another order. */
  private boolean count(InboxStore store, int batch, int shift) throws SQLException {
    for (int i = 0; i < 42; i += batch) {
      int from = i;
      List<DedupeKey> events =
          IntStream.range(0, batch)
              .mapToObj(n -> event("e" + (from + n * (shift + 1) + shift) % 42))
              .toList();
      while (!effect(store, events)) {
        // A deadlock or a lock wait that the database ended: all of it again.
      }
    }
    // Whatever the overlaps left out.
    for (int i = 0; i < 42; i++) {
      while (!effect(store, List.of(event("e" + i)))) {
        // As above.
      }
    }
    return true;
  }

  private static boolean effect(InboxStore store, List<DedupeKey> events) throws SQLException {
    try (InboxTransaction transaction = store.begin()) {
      List<DedupeResult> dedupeResults = transaction.markSeen(events);
      for (int n = 0; n < dedupeResults.size(); n++) {
        if (dedupeResults.get(n) instanceof DedupeResult.Fresh) {
          addOne(transaction.connection(), events.get(n).eventId());
        }
      }
      transaction.commit();
      return true;
    } catch (StoreException e) {
      if (!e.isTransient()) {
        throw e;
      }
      return false;
    }
  }

  <T> Future<T> start(Callable<T> work) {
    return threads.submit(work);
  }

  static void assertWaits(Future<?> future) {
    assertThatThrownBy(() -> future.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }
}
