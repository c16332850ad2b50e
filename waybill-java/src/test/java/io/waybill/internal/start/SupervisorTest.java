package io.waybill.internal.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.internal.start.Supervisor.AfterFailure;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SupervisorTest implements Supervisor.Job, Supervisor.Watcher {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Queue<RuntimeException> checks = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Consumer<Throwable> life;
  private @Nullable Supervisor supervisor;

  @AfterEach
  void stop() {
    if (supervisor != null) {
      supervisor.stop(Duration.ZERO);
    }
  }

  @Override
  public @Nullable String check() {
    RuntimeException thrown = checks.poll();
    if (thrown != null) {
      throw thrown;
    }
    return null;
  }

  @Override
  public void begin(Consumer<Throwable> failed) {
    life = failed;
    seen.add("begun");
  }

  @Override
  public boolean end(Duration grace) {
    seen.add("ended");
    return true;
  }

  @Override
  public void waits(String reason) {
    seen.add(reason);
  }

  @Override
  public void gaveUp(Throwable cause) {
    seen.add("gave up: " + cause.getMessage());
  }

  private Supervisor start(AfterFailure afterFailure) {
    Supervisor started = new Supervisor("work", this, afterFailure, this);
    supervisor = started;
    started.start();
    return started;
  }

  private void fail(Throwable cause) {
    await().atMost(SOON).until(() -> life != null);
    Consumer<Throwable> told = life;
    life = null;
    if (told != null) {
      told.accept(cause);
    }
  }

  private void awaitSeen(String... expected) {
    await().atMost(SOON).until(() -> seen.size() >= expected.length);
    assertThat(seen).containsExactly(expected);
  }

  @Test
  void whatFailsIsEndedAndBegunAgain() {
    start(AfterFailure.RESTART);
    fail(new NoClassDefFoundError("x"));

    awaitSeen("begun", "ended", "it has failed: java.lang.NoClassDefFoundError: x", "begun");
  }

  @Test
  void afterAnErrorOfTheVirtualMachineItIsNotBegunAgain() {
    start(AfterFailure.RESTART);
    fail(new OutOfMemoryError("x"));

    awaitSeen(
        "begun",
        "ended",
        "ended",
        "java.lang.OutOfMemoryError: x; it is not started again",
        "gave up: x");
  }

  @Test
  void whereTheProcessIsStartedAgainAFailureEndsIt() {
    start(AfterFailure.GIVE_UP);
    fail(new IllegalStateException("x"));

    awaitSeen(
        "begun",
        "ended",
        "ended",
        "java.lang.IllegalStateException: x; it is not started again",
        "gave up: x");
  }

  @Test
  void aFailedStartIsTriedAgainWhateverFailed() {
    checks.add(new StoreException("no connection", new IllegalStateException("refused"), true));
    checks.add(new StoreException("no privilege", new IllegalStateException("denied"), false));
    start(AfterFailure.RESTART);

    awaitSeen(
        "ended",
        "no connection: java.lang.IllegalStateException: refused",
        "ended",
        "no privilege: java.lang.IllegalStateException: denied",
        "begun");
  }

  @Test
  void aWrongConfigurationIsRefused() {
    checks.add(new Supervisor.Refused("no route"));
    start(AfterFailure.RESTART);

    awaitSeen("ended", "no route; it is not started again", "gave up: no route");
  }

  @Test
  void afterAStopNothingBegins() {
    Supervisor started = start(AfterFailure.RESTART);
    await().atMost(SOON).until(() -> seen.contains("begun"));
    Consumer<Throwable> first = life;
    assertThat(started.stop(Duration.ZERO)).isTrue();
    if (first != null) {
      first.accept(new IllegalStateException("late"));
    }

    assertThat(seen).containsExactly("begun", "ended");
    supervisor = null;
  }
}
