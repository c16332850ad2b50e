package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.TemporaryException;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Mistakes of what an inbox is made of: what fails unexpectedly takes nothing else with it. */
class InboxMishapTest extends InboxRun {
  @Test
  void anInputThatFailsTakesNoOtherWithIt() {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch together = new CountDownLatch(1);
    broker.lag =
        () -> {
          looking.countDown();
          awaitOn(together);
          return Map.of();
        };
    start(builder().handler("placed", (event, connection) -> calls.add(event.id())));
    awaitOn(looking);
    confirmNothing();
    broker.deliver("placed", "a1");
    together.countDown();

    await(() -> broker.acknowledged.contains("a1"));
    assertThat(calls).containsExactly("a1");
    assertThat(inbox().problem().orElse(""))
        .contains("failed unexpectedly at DeadLetterOutcome (1 times since 2", "until a restart");
  }

  @SuppressWarnings("NullAway") // what a client with a mistake does
  private void confirmNothing() {
    broker.letterListener().onConfirmation(null);
  }

  @Test
  void anEffectThatFailsTakesNoOtherWithIt() {
    broker.failingAcknowledgements.set(1);
    start(builder().handler("placed", (event, connection) -> calls.add(event.id())));
    broker.deliver("placed", "a1", "a2");

    await(() -> broker.acknowledged.contains("a2"));
    assertThat(calls).containsExactly("a1", "a2");
    assertThat(broker.acknowledged).as("the first one failed").containsExactly("a2");
    assertThat(inbox().problem().orElse(""))
        .contains("failed unexpectedly at Acknowledge (1 times since 2", "until a restart");
  }

  @Test
  void whatIsTooLargeForTheDatabaseHoldsUpItsKeyOnly() {
    RetryPolicy twice =
        RetryPolicy.builder().constant(Duration.ofMillis(1)).attemptLimit(2).build();
    store.tooLarge.add("a1");
    start(
        builder()
            .settings(settings -> settings.retries(twice, twice))
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id());
                  if (event.id().equals("a1")) {
                    throw new TemporaryException("later");
                  }
                }));
    broker.deliver("placed", "a1", "a2", "b1");

    await(() -> broker.acknowledged.containsAll(List.of("a1", "a2", "b1")));
    assertThat(calls).containsExactlyInAnyOrder("a1", "a1", "a1", "a2", "b1");
    assertThat(broker.letters).hasSize(1);
    assertThat(told).hasAtLeastOneElementOfType(InboxEvent.Refused.class);
    assertThat(told).noneMatch(InboxEvent.StoreFailed.class::isInstance);
    assertThat(store.open).hasValue(0);
  }

  private static void awaitOn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
