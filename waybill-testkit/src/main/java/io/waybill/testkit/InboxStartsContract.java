package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every {@link InboxStore} must know of events that may have killed the process. */
public abstract class InboxStartsContract extends InboxContract {
  @Test
  void startsWithoutAnEndAreCounted() {
    InboxStore store = open("a");
    assertThat(start(store, "e1")).isEmpty();
    assertThat(start(store, "e3", "e1", "e2")).containsOnly(entry("e1", 1));
    end(store, "e2", "e1");
    assertThat(start(store, "e1", "e2", "e3")).containsOnly(entry("e1", 1), entry("e3", 1));
    assertThat(start(open("b"), "e1")).isEmpty();
    end(store, "unknown");
    end(store, "e2", "e1");
    end(store, "e2");
    forgetStarts(store, "e1", "unknown");
    assertThat(start(store, "e1", "e2", "e3")).containsOnly(entry("e3", 2));
  }

  /** Returns the starts of before that have no end. */
  private static Map<String, Integer> start(InboxStore store, String... eventIds) {
    try (InboxTransaction transaction = store.begin()) {
      Map<String, Integer> open = transaction.openStarts(List.of(eventIds));
      transaction.started(List.of(eventIds));
      transaction.commit();
      return open;
    }
  }

  private static void end(InboxStore store, String... eventIds) {
    try (InboxTransaction transaction = store.begin()) {
      transaction.ended(List.of(eventIds));
      transaction.commit();
    }
  }

  private static void forgetStarts(InboxStore store, String... eventIds) {
    try (InboxTransaction transaction = store.begin()) {
      transaction.forgetStarts(List.of(eventIds));
      transaction.commit();
    }
  }

  @Test
  void workersNoteAndForgetStartsSideBySide() {
    InboxStore store = open("a");
    List<CompletableFuture<Void>> workers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int worker = i;
      workers.add(CompletableFuture.runAsync(() -> noteAndForget(store, worker)));
    }
    workers.forEach(CompletableFuture::join);
    assertThat(start(store, "0-0-0", "4-49-3")).isEmpty();
  }

  /** Their rows lie between those of the others. */
  private static void noteAndForget(InboxStore store, int worker) {
    for (int round = 0; round < 50; round++) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        ids.add(i + "-" + round + "-" + worker);
      }
      start(store, ids.toArray(new String[0]));
      forgetStarts(store, ids.toArray(new String[0]));
    }
  }
}
