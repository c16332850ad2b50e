package io.waybill.internal.inbox.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.Interceptor;
import io.waybill.handler.Registration;
import io.waybill.inbox.InboxRun;
import io.waybill.inbox.MemoryStore;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Plan;
import io.waybill.internal.inbox.attempt.Task;
import io.waybill.internal.inbox.attempt.TransactionRunner;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Headers;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DedupeKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that do not heed their interruption. Time passes when it is told to. */
class WorkerThreadsTest {
  private static final String TYPE = "stubborn";

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger entered = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<InboxInput.Ended> ended = new CopyOnWriteArrayList<>();
  // So many answers end the thread that gives them.
  private final AtomicInteger deadly = new AtomicInteger();
  private final WorkerThreads threads =
      new WorkerThreads(
          new WorkerThreads.Setup(
              "test",
              new TransactionRunner.Tools(
                  new MemoryStore(),
                  "owner",
                  new HandlerCall(Interceptor.NONE, ErrorClassifier.ofDefaults(), sql -> ""),
                  nanos::get,
                  1),
              Duration.ofMillis(20),
              this::ended),
          nanos::get,
          1);

  private void ended(InboxInput.Ended input) {
    if (deadly.getAndDecrement() > 0) {
      throw new StackOverflowError();
    }
    ended.add(input);
  }

  @AfterEach
  void stop() {
    release.countDown();
    threads.close();
  }

  @Test
  void theyAreReplacedUpToALimitAndWorkWaitsUntilOneComesBack() {
    loseOne(1);
    assertThat(threads.problem()).isNull();
    loseOne(2);
    assertThat(threads.problem())
        .isEqualTo(
            "1 of 1 workers are missing: 2 threads have not returned from handlers of [stubborn]");
    assertThat(threads.threads()).isEqualTo(new InboxEvent.Threads(2, 1));

    threads.put(work(3));
    assertThat(threads.look()).isEmpty();
    assertThat(entered).hasValue(2);
    release.countDown();
    InboxRun.await(
        () -> {
          threads.look();
          return ended.size() == 3;
        });
    assertThat(ended.get(2).outcome()).isInstanceOf(Outcome.Done.class);
    assertThat(threads.problem()).isNull();
    assertThat(threads.threads().workersMissing()).isZero();
  }

  @Test
  void aThreadThatHasEndedIsReplacedAndItsWorkAnsweredFor() {
    deadly.set(1);
    release.countDown();
    threads.put(work(1));
    InboxRun.await(
        () -> {
          threads.look();
          return !ended.isEmpty();
        });
    assertThat(ended.get(0))
        .isEqualTo(
            new InboxInput.Ended(
                1, new Outcome.StoreDown("a worker's thread has ended", false, true), 20_000));

    threads.put(work(2));
    InboxRun.await(() -> ended.size() == 2);
    assertThat(ended.get(1).outcome()).isInstanceOf(Outcome.Done.class);
    assertThat(threads.problem()).isNull();
  }

  private void loseOne(int number) {
    threads.put(work(number));
    InboxRun.await(() -> entered.get() == number);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(threads.look())
        .singleElement()
        .extracting(InboxEvent.HandlerStuck::eventType)
        .isEqualTo(TYPE);
    assertThat(ended.get(number - 1).outcome()).isInstanceOf(Outcome.Failed.class);
  }

  private Work work(int number) {
    String id = "e" + number;
    Headers headers = Headers.of(Map.of("waybill-event-id", id, "waybill-event-type", TYPE));
    Decoded decoded = new Decoder().decode("q", null, null, headers, 0);
    Plan plan = new Plan.Handle(new Registration(TYPE, 1, 1, (events, c) -> ignoreInterrupts()));
    Task task =
        new Task(
            new DedupeKey(id, TYPE, "q", null),
            ((Decoded.Event) decoded).event(),
            plan,
            new Delivery("q", "q", 0, null, null, headers, 0, false, 0, "token"),
            null);
    return new Work.Handle(number, List.of(task), Work.Mark.NONE);
  }

  private void ignoreInterrupts() {
    entered.incrementAndGet();
    while (release.getCount() > 0) {
      LockSupport.parkNanos(1_000_000);
      Thread.interrupted();
    }
  }
}
