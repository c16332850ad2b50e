package io.waybill.spring.internal.api;

import io.waybill.internal.start.StartChecks;
import io.waybill.internal.start.Supervisor;
import io.waybill.spring.WaybillStartException;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the start-up checks of an outbox for all who ask: one at a time, and again when the last
 * ones are older than half a minute. A broker that is away keeps nobody waiting for long.
 * Thread-safe.
 */
final class Doctor {
  static final List<Operation> ALL =
      List.of(
          Operation.question(
              "/checks",
              "doctor",
              "Findings of the start-up checks, the worst first; up to half a minute old.",
              List.of(),
              Checks.class,
              (admin, call) -> call.doctor().checks()));

  private static final Duration FRESH = Duration.ofSeconds(30);
  private static final long PATIENCE_SECONDS = 10;
  private static final int MOST_WAITING = 2;

  private final Supplier<StartChecks> checks;
  private final boolean relay;
  private final ThreadFactory threads;
  private final Semaphore room = new Semaphore(MOST_WAITING);
  private @Nullable CompletableFuture<Checks> present;
  private volatile @Nullable Checks last;

  /**
   * Asks nothing yet.
   *
   * @param checks as the configuration has them now
   * @param relay whether this process runs a relay
   */
  Doctor(Supplier<StartChecks> checks, boolean relay, ThreadFactory threads) {
    this.checks = checks;
    this.relay = relay;
    this.threads = threads;
  }

  /** The last ones, if the present ones take their time. */
  Checks checks() {
    CompletableFuture<Checks> run = present();
    boolean waits = room.tryAcquire();
    try {
      return run.get(waits ? PATIENCE_SECONDS : 0, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      Checks earlier = last;
      if (earlier == null) {
        throw ApiProblem.checking();
      }
      return earlier;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiProblem.checking();
    } finally {
      if (waits) {
        room.release();
      }
    }
  }

  private synchronized CompletableFuture<Checks> present() {
    CompletableFuture<Checks> known = present;
    Checks made = last;
    boolean fresh = made != null && made.at().isAfter(Instant.now().minus(FRESH));
    if (known == null || (known.isDone() && !fresh)) {
      known = CompletableFuture.supplyAsync(this::make, work -> threads.newThread(work).start());
      present = known;
    }
    return known;
  }

  private Checks make() {
    try {
      Checks made = Checks.of(Instant.now(), relay, checks.get().run());
      last = made;
      return made;
    } catch (Supervisor.Refused | WaybillStartException e) {
      throw ApiProblem.conflict(String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      throw ApiProblem.database(String.valueOf(e.getMessage()));
    }
  }
}
