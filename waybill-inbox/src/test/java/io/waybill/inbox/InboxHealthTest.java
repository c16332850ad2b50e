package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import io.waybill.handler.UnknownTypes;
import io.waybill.message.Destination;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.Backoff;
import io.waybill.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
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
  void aThreadThatEndsWithAnErrorIsAProblem() {
    start(builder().handler("placed", (event, connection) -> {}));
    broker.lag =
        () -> {
          throw new AssertionError("the broker's client is broken");
        };

    await(() -> inbox().problem().orElse("").contains("ended with an error"));
    assertThat(inbox().stop(Duration.ofMinutes(1))).as("nobody to wait for").isFalse();
    assertThat(inbox().problem().orElse("")).doesNotContain("ended with an error");
  }

  @Test
  void whatDidNotStopInTimeIsNotWaitedForAgain() {
    start(
        builder()
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id());
                  new CountDownLatch(1).await();
                }));
    broker.deliver("placed", "a1");
    await(() -> !calls.isEmpty());
    assertThat(inbox().stop(Duration.ofMillis(1))).isFalse();

    long start = System.nanoTime();
    inbox().close();
    assertThat(inbox().stop(Duration.ofMinutes(1))).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void aPlaceOfDeadLettersThatCannotBeSaidHoldsUpItsKeyOnly() {
    AtomicInteger asked = new AtomicInteger();
    Backoff quick = new Backoff.Constant(Duration.ofMillis(1));
    start(
        builder()
            .deadLetters(
                broker.publisher(),
                source -> {
                  if (asked.incrementAndGet() < 3) {
                    throw new IllegalStateException("no place for " + source);
                  }
                  return Destination.topic("dead");
                })
            .settings(settings -> settings.pauses(quick, quick))
            .handler(
                "placed",
                (event, connection) -> {
                  if (event.id().equals("a1")) {
                    throw new PermanentException("poison");
                  }
                }));
    broker.deliver("placed", "a1", "a2", "b1");

    await(() -> broker.acknowledged.containsAll(List.of("a1", "a2", "b1")));
    await(() -> store.processed.contains("a1"));
    assertThat(broker.letters).hasSize(1);
    assertThat(told.stream().filter(InboxEvent.DeadLetterFailed.class::isInstance)).hasSize(2);
  }

  /** The letter of one is never confirmed while others go on, until that is a problem. */
  private String problemOfPoison() {
    broker.failingSends.set(Integer.MAX_VALUE);
    Backoff quick = new Backoff.Constant(Duration.ofMillis(1));
    start(
        builder()
            .handlerTimeout(Duration.ofMillis(500))
            .settings(settings -> settings.pauses(quick, quick))
            .handler(
                "placed",
                (event, connection) -> {
                  if (event.id().equals("a1")) {
                    throw new PermanentException("poison");
                  }
                }));
    broker.deliver("placed", "a1");
    AtomicInteger others = new AtomicInteger();
    String[] problem = {""};
    // On a slow machine, that none was finished for a second is a problem before.
    await(
        () -> {
          broker.deliver("placed", "b" + others.incrementAndGet());
          problem[0] = inbox().problem().orElse("");
          return problem[0].startsWith("event ");
        });
    return problem[0];
  }

  @Test
  void aMessageThatCannotBeFinishedIsAProblemThoughOthersGoOn() {
    assertThat(problemOfPoison())
        .startsWith("event a1, in the table of deferred events, can't be finished for PT")
        .contains("its dead letter is not confirmed", "the client is closed");
    assertThat(told).filteredOn(InboxEvent.MessageStuck.class::isInstance).hasSize(1);
    assertThat(broker.acknowledged).as("its lane goes on").contains("a1");

    broker.failingSends.set(0);
    await(() -> inbox().problem().isEmpty());
    assertThat(broker.letters).hasSize(1);
  }

  @Test
  void aMessageThatTheTableDoesNotTakeKeepsItsLaneOpen() {
    store.tooLarge.add("a1");
    assertThat(problemOfPoison())
        .startsWith("event a1, in message 0 of lane orders-0, can't be finished for PT")
        .contains("its dead letter is not confirmed", "the client is closed");
    assertThat(told)
        .filteredOn(InboxEvent.Open.class::isInstance)
        .last()
        .satisfies(
            open ->
                assertThat(((InboxEvent.Open) open).lanes().get("orders-0"))
                    .isGreaterThan(Duration.ofSeconds(1)));

    broker.failingSends.set(0);
    await(() -> inbox().problem().isEmpty());
    assertThat(broker.acknowledged).contains("a1");
  }

  @Test
  void aLetterThatItsClientDoesNotTakeIsSentAgain() {
    broker.failingSends.set(2);
    Backoff quick = new Backoff.Constant(Duration.ofMillis(1));
    start(
        builder()
            .deadLetters(broker.publisher(), source -> Destination.topic("dead"))
            .settings(settings -> settings.pauses(quick, quick))
            .handler(
                "placed",
                (event, connection) -> {
                  throw new PermanentException("poison");
                }));
    broker.deliver("placed", "a1");

    await(() -> store.processed.contains("a1"));
    assertThat(broker.letters).hasSize(1);
    assertThat(told.stream().filter(InboxEvent.DeadLetterFailed.class::isInstance)).hasSize(2);
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
