package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.PayloadReader;
import io.waybill.handler.TemporaryException;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.RetryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What fails or hangs around the engine, with tables and broker in memory. */
class InboxFailureTest extends InboxRun {
  @Test
  void aPayloadThatCannotBeReadIsDeadLettered() {
    PayloadReader<String> unable =
        payload -> {
          throw new IOException("no such field");
        };
    start(builder().handler("placed", 1, unable, (text, event, connection) -> calls.add(text)));
    broker.deliver("placed", "a1");

    await(() -> store.processed.contains("a1"));
    assertThat(broker.letters).hasSize(1);
    assertThat(calls).isEmpty();
    assertThat(broker.acknowledged).containsExactly("a1");
  }

  @Test
  void anEffectThatCannotBeCommittedIsTheHandlersFailure() {
    start(builder().handler("placed", (event, connection) -> calls.add(event.id())));
    store.nextCommit.set(new IOException("may pass"));
    broker.deliver("placed", "a1");
    await(() -> broker.acknowledged.contains("a1"));
    assertThat(calls).containsExactly("a1", "a1");

    store.nextCommit.set(new IllegalStateException("rollback only"));
    broker.deliver("placed", "b1");
    await(() -> store.processed.contains("b1"));
    assertThat(broker.letters).hasSize(1);
    assertThat(told).noneMatch(InboxEvent.StoreFailed.class::isInstance);
  }

  @Test
  void temporaryFailuresAreRetriedThenDeferredThenDeadLettered() {
    RetryPolicy quick =
        RetryPolicy.builder().constant(Duration.ofMillis(1)).attemptLimit(2).build();
    start(
        builder()
            .settings(settings -> settings.retries(quick, quick))
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id());
                  throw new TemporaryException("later");
                }));
    broker.deliver("placed", "a1");

    await(() -> !broker.letters.isEmpty());
    assertThat(calls).hasSize(3);
    await(() -> store.processed.contains("a1"));
    assertThat(broker.acknowledged).containsExactly("a1");
    assertThat(
            new String(
                Objects.requireNonNull(broker.letters.get(0).body()), StandardCharsets.UTF_8))
        .contains("\"eventId\":\"a1\"", "later", "\"consumerService\":\"test\"");
    assertThat(broker.letters.get(0).destination().target()).isEqualTo("orders.dlt");
  }

  @Test
  void errorsAreJudgedByTheClassifier() {
    start(
        builder()
            .errors(ErrorClassifier.ofDefaults().alsoPermanent(Set.of(IOException.class)))
            .handler(
                "placed",
                (event, connection) -> {
                  throw new IOException("for good");
                }));
    broker.deliver("placed", "a1");

    await(() -> broker.letters.size() == 1);
  }

  @Test
  void aHandlerThatTakesTooLongIsInterruptedAndItsConnectionCut() {
    start(
        builder()
            .handlerTimeout(Duration.ofMillis(50))
            .settings(settings -> settings.retries(once(), once()))
            .handler("placed", (event, connection) -> new CountDownLatch(1).await()));
    broker.deliver("placed", "a1");

    await(() -> broker.letters.size() == 1);
    assertThat(store.aborted.get()).isEqualTo(1);
    assertThat(
            new String(
                Objects.requireNonNull(broker.letters.get(0).body()), StandardCharsets.UTF_8))
        .contains("handler did not end within 50 ms");
  }

  @Test
  void aThreadThatDoesNotComeBackIsReplaced() {
    CountDownLatch release = new CountDownLatch(1);
    start(
        builder()
            .handlerTimeout(Duration.ofMillis(20))
            .settings(settings -> settings.workers(1).retries(once(), once()))
            .handler(
                "stubborn",
                (event, connection) -> {
                  while (release.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000);
                    Thread.interrupted();
                  }
                })
            .handler("placed", (event, connection) -> calls.add(event.id())));
    broker.deliver("stubborn", "a1");
    broker.deliver("placed", "b1");

    await(() -> broker.acknowledged.contains("b1"));
    assertThat(told).hasAtLeastOneElementOfType(InboxEvent.HandlerStuck.class);
    release.countDown();
  }

  @Test
  void aListenerThatFailsDoesNoHarm() {
    start(
        builder()
            .listener(
                event -> {
                  throw new IllegalStateException("listener");
                })
            .handler("placed", (event, connection) -> calls.add(event.id())));
    broker.deliver("placed", "a1");

    await(() -> broker.acknowledged.size() == 1);
    assertThat(calls).containsExactly("a1");
  }
}
