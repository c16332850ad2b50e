package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.retry.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an inbox says keeps it from making progress. */
class InboxHealthTest extends InboxRun {
  @Test
  void anOutageOfTheDatabaseIsAProblemUntilItEnds() {
    AtomicInteger handled = new AtomicInteger();
    start(builder().handler("placed", (event, connection) -> handled.incrementAndGet()));
    store.down = true;
    broker.deliver("placed", "a1");

    await(() -> inbox().problem().isPresent());
    assertThat(broker.acknowledged).isEmpty();
    store.down = false;
    await(() -> broker.acknowledged.size() == 1);
    await(() -> inbox().problem().isEmpty());
    assertThat(handled).hasValue(1);
  }

  @Test
  void eventsThatWaitWithoutProgressAreAProblem() {
    RetryPolicy endless =
        RetryPolicy.builder()
            .exponential(Duration.ofSeconds(1), 2, Duration.ofSeconds(5))
            .attemptLimit(1_000)
            .build();
    CountDownLatch repaired = new CountDownLatch(1);
    start(
        builder()
            .handlerTimeout(Duration.ofMillis(50))
            .settings(s -> s.retries(endless, once()))
            .handler(
                "placed",
                (event, connection) -> {
                  if (repaired.getCount() > 0) {
                    throw new TemporaryException("not yet");
                  }
                }));
    broker.deliver("placed", "a1");

    await(() -> inbox().problem().orElse("").startsWith("1 events wait"));
    repaired.countDown();
    await(() -> inbox().problem().isEmpty());
  }

  @Test
  void aStoppedLaneIsAProblem() {
    start(
        builder()
            .unknownTypes(UnknownTypes.FAIL)
            .handler("placed", (event, connection) -> calls.add(event.id())));
    broker.deliver("unknown", "a1");
    broker.deliver("placed", "a2");

    await(() -> inbox().problem().orElse("").contains("lanes are stopped"));
    assertThat(calls).isEmpty();
    assertThat(broker.acknowledged).isEmpty();
  }

  @Test
  void anUnreachableBrokerIsAProblem() {
    start(builder().handler("placed", (event, connection) -> {}));
    broker.listener().unavailable("connection refused");
    assertThat(inbox().problem()).contains("the broker can't be reached: connection refused");

    broker.listener().available();
    assertThat(inbox().problem()).isEmpty();
  }
}
