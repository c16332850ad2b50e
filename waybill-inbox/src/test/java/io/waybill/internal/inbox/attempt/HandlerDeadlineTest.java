package io.waybill.internal.inbox.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.MemoryStore;
import io.waybill.store.InboxTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The time limit of a handler whose connection takes its time to be cut. */
class HandlerDeadlineTest {
  private static final Duration LIMIT = Duration.ofMillis(20);

  private final AtomicLong nanos = new AtomicLong();
  private final MemoryStore store = new MemoryStore();
  private final List<Runnable> cuts = new ArrayList<>();
  private final AtomicBoolean threadless = new AtomicBoolean();
  private final HandlerDeadline watch = new HandlerDeadline(nanos::get, LIMIT, this::cut);

  private void cut(Runnable cutting) {
    if (threadless.get()) {
      throw new OutOfMemoryError("no thread");
    }
    cuts.add(cutting);
  }

  private void beLate() {
    nanos.addAndGet(LIMIT.toNanos());
  }

  @Test
  void whoLooksDoesNotWaitForTheCut() throws Exception {
    try (InboxTransaction transaction = store.begin()) {
      CompletableFuture<Failure> ended = new CompletableFuture<>();
      CompletableFuture<Void> begun = new CompletableFuture<>();
      CompletableFuture<Void> over = new CompletableFuture<>();
      Thread handler =
          new Thread(
              () -> {
                watch.begin(transaction, "slow");
                begun.complete(null);
                over.join();
                ended.complete(watch.end());
              });
      handler.start();
      begun.get(10, TimeUnit.SECONDS);
      beLate();

      assertThat(watch.look()).isEqualTo(HandlerDeadline.State.FINE);
      assertThat(store.aborted).hasValue(0);
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      assertThat(watch.look()).isEqualTo(HandlerDeadline.State.STUCK);
      over.complete(null);

      // The connection may not go back before it is cut.
      assertThat(ended).isNotDone();
      assertThat(cuts).hasSize(1);
      cuts.get(0).run();
      assertThat(ended.get(10, TimeUnit.SECONDS)).isEqualTo(watch.timeout());
      assertThat(store.aborted).hasValue(1);
      handler.join();
      assertThat(watch.look()).isEqualTo(HandlerDeadline.State.FINE);
    }
  }

  @Test
  void withoutAThreadForItTheNextLookTriesAgain() {
    try (InboxTransaction transaction = store.begin()) {
      watch.begin(transaction, "slow");
      beLate();
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      threadless.set(true);
      assertThat(watch.look()).isEqualTo(HandlerDeadline.State.FINE);
      threadless.set(false);

      assertThat(watch.look()).isEqualTo(HandlerDeadline.State.STUCK);
      cuts.forEach(Runnable::run);
      assertThat(watch.end()).isEqualTo(watch.timeout());
      assertThat(Thread.interrupted()).isFalse();
    }
  }
}
