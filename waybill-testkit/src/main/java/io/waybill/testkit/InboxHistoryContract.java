package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.store.DedupeResult;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import io.waybill.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every {@link InboxStore} must do when its server may be another one. */
public abstract class InboxHistoryContract extends InboxContract {
  private static final Set<String> LANES = Set.of("orders-0", "orders-1", "orders-2");

  @Test
  void howFarLanesAreIsNotedWithTheServer() {
    InboxStore store = open("a");
    assertThat(store.recordedProgress(LANES))
        .isEqualTo(new RecordedProgress(store.server(), Map.of()));
    store.note(Map.of("orders-0", 7L, "orders-1", 8L));
    store.note(Map.of("orders-1", 6L));
    assertThat(store.recordedProgress(LANES).places())
        .isEqualTo(
            Map.of(
                "orders-0", new Place(store.server(), 7),
                "orders-1", new Place(store.server(), 6)));
    assertThat(open("b").recordedProgress(LANES).places()).isEmpty();
    assertThat(store.recordedProgress(Set.of()).places()).isEmpty();
  }

  @Test
  void whatIsProcessedOrDeferredIsThere() {
    InboxStore store = open("a");
    process(store, event("processed"));
    defer(store, deferred(event("deferred", "k"), 0));
    assertThat(store.among(List.of("processed", "deferred", "lost")))
        .containsExactlyInAnyOrder("processed", "deferred");
  }

  @Test
  void nothingIsDoneOnAnotherServerThanTheOneOnWhichItStands() {
    InboxStore store = open("a");
    String server = store.server();
    process(store, event("e1"));
    store.stand("another");

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(store::begin)
        .satisfies(refusal -> assertThat(refusal.isTransient()).isTrue());
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> store.note(Map.of("orders-0", 7L)));
    assertThat(store.recordedProgress(LANES)).isEqualTo(new RecordedProgress(server, Map.of()));
    assertThat(store.among(List.of("e1"))).containsExactly("e1");

    store.stand(server);
    assertThat(process(store, event("e2"))).isEqualTo(new DedupeResult.Fresh());
  }

  @Test
  void aTransactionThatBeganBeforeIsNotCommitted() {
    InboxStore store = open("a");
    String server = store.server();
    try (InboxTransaction transaction = store.begin()) {
      assertThat(transaction.markSeen(List.of(event("e1"))))
          .containsExactly(new DedupeResult.Fresh());
      store.stand("another");
      assertThatExceptionOfType(StoreException.class).isThrownBy(transaction::commit);
    }
    store.stand(server);
    assertThat(process(store, event("e1"))).isEqualTo(new DedupeResult.Fresh());
  }
}
