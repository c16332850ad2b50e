package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.handler.Interceptor;
import io.waybill.handler.PayloadReader;
import io.waybill.handler.Registration;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import io.waybill.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The threads around the engine, with tables and broker in memory. */
class InboxTest extends InboxRun {
  @Test
  void nothingIsUsedBeforeItIsStarted() {
    start(builder().name("ordered").handler("placed", (event, connection) -> {}));

    await(() -> told.stream().anyMatch(InboxEvent.Gauges.class::isInstance));
    assertThat(broker.threadsAtStart)
        .as("its thread flushes the publisher")
        .isNotEmpty()
        .doesNotContain("waybill-ordered-inbox");
  }

  @Test
  void tablesThatCannotBeOpenedKeepNoConnection() {
    store.down = true;

    assertThatThrownBy(() -> start(builder().handler("placed", (event, connection) -> {})))
        .isInstanceOf(StoreException.class);
    assertThat(store.closed).isTrue();
  }

  @Test
  void anEventIsHandledOnceAndAcknowledged() {
    start(builder().handler("placed", (event, connection) -> calls.add(event.id())));
    broker.deliver("placed", "a1", "a1", "b1");

    await(() -> broker.acknowledged.size() == 3);
    assertThat(calls).containsExactlyInAnyOrder("a1", "b1");
    assertThat(store.processed).containsExactlyInAnyOrder("a1", "b1");
    assertThat(inbox().problem()).isEmpty();
  }

  @Test
  void typedHandlersGetTheirPayloadRead() {
    PayloadReader<String> reader =
        payload -> new String(Objects.requireNonNull(payload.bytes()), StandardCharsets.UTF_8);
    start(builder().handler("placed", 1, reader, (text, event, connection) -> calls.add(text)));
    broker.deliver("placed", "a1");

    await(() -> broker.acknowledged.size() == 1);
    assertThat(calls).containsExactly("{\"a\":1}");
  }

  @Test
  void batchesAreHandledInOneCall() {
    CountDownLatch first = new CountDownLatch(1);
    start(
        builder()
            .settings(settings -> settings.workers(1))
            .batchHandler(
                "placed",
                Registration.ANY_VERSION,
                10,
                (events, connection) -> {
                  calls.add(String.join(" ", events.stream().map(e -> e.id()).toList()));
                  first.await();
                }));
    broker.deliver("placed", "a1", "b1", "b2", "c1");
    await(() -> !calls.isEmpty());
    first.countDown();

    await(() -> broker.acknowledged.size() == 4);
    assertThat(String.join(" ", calls).split(" ", -1))
        .containsExactlyInAnyOrder("a1", "b1", "b2", "c1");
    assertThat(calls.size()).isLessThan(4);
  }

  @Test
  void eventsThatAreHandledSinglyShareTransactions() {
    CountDownLatch first = new CountDownLatch(1);
    start(
        builder()
            .settings(
                settings ->
                    settings.workers(1).shared(new InboxSettings.Shared(20, Duration.ofMinutes(1))))
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id() + " " + MDC.get("eventId"));
                  first.await();
                }));
    broker.deliver("placed", "a1", "a2", "a3", "a4", "a5", "a6", "a7");
    await(() -> !calls.isEmpty());
    first.countDown();

    await(() -> broker.acknowledged.size() == 7);
    assertThat(calls)
        .containsExactly("a1 a1", "a2 a2", "a3 a3", "a4 a4", "a5 a5", "a6 a6", "a7 a7");
    assertThat(store.committed.get()).as("a1, then two, then four").isEqualTo(3);
  }

  @Test
  void theLoggingContextHasEventAndTrace() {
    start(
        builder()
            .handler(
                "placed",
                (event, connection) ->
                    calls.add(
                        MDC.get("eventId")
                            + " "
                            + MDC.get("traceId")
                            + " "
                            + MDC.get("eventType"))));
    broker.deliver("placed", "a1");

    await(() -> broker.acknowledged.size() == 1);
    assertThat(calls).containsExactly("a1 4bf92f3577b34da6a3ce929d0e0e4736 placed");
  }

  @Test
  void anInterceptorStandsAroundEveryCall() {
    start(
        builder()
            .interceptor(Interceptor.all(List.of(noting("outer"), noting("inner"))))
            .handler("placed", (event, connection) -> calls.add("in")));
    broker.deliver("placed", "a1");

    await(() -> broker.acknowledged.size() == 1);
    assertThat(calls)
        .containsExactly("before outer a1", "before inner a1", "in", "after inner", "after outer");
  }

  private Interceptor noting(String name) {
    return (events, call) -> {
      calls.add("before " + name + " " + events.get(0).id());
      call.run();
      calls.add("after " + name);
    };
  }

  @Test
  void aLaneLeavesWhenItsHandlersHaveEnded() {
    CountDownLatch release = new CountDownLatch(1);
    start(
        builder()
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id());
                  release.await();
                }));
    broker.deliver("placed", "a1", "a2");
    await(() -> calls.size() == 1);
    Thread leaving = new Thread(() -> broker.listener().revoked(Set.of("orders-0"), false));
    leaving.start();
    await(() -> told.stream().anyMatch(InboxEvent.Revoked.class::isInstance));
    assertThat(leaving.isAlive()).isTrue();

    release.countDown();
    await(() -> !leaving.isAlive());
    assertThat(broker.acknowledged).containsExactly("a1");
    assertThat(calls).containsExactly("a1");
  }

  @Test
  void aLaneIsKeptNoLongerThanConfigured() {
    CountDownLatch release = new CountDownLatch(1);
    start(
        builder()
            .revocationWait(Duration.ofMillis(1))
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id());
                  release.await();
                }));
    broker.deliver("placed", "a1");
    await(() -> calls.size() == 1);
    broker.listener().revoked(Set.of("orders-0"), false);

    assertThat(broker.acknowledged).as("its handler still runs").isEmpty();
    release.countDown();
  }

  @Test
  void claimAndDedupeWindowAreThoseThatWereGiven() {
    InboxSettings.Deferred claimed =
        new InboxSettings.Deferred(Duration.ofMillis(10), 64, Duration.ofMinutes(7));
    start(
        builder()
            .dedupeWindow(Duration.ofDays(20))
            .settings(settings -> settings.deferred(claimed))
            .handler("placed", (event, connection) -> {}));

    await(() -> !store.claims.isEmpty() && !store.windows.isEmpty());
    assertThat(store.claims).containsExactly(Duration.ofMinutes(7));
    assertThat(store.windows)
        .as("an hour more, since brokers delete late and clocks differ")
        .containsExactly(Duration.ofDays(20).plusHours(1));
  }

  @Test
  void stoppingEndsWhatRunsAndGivesTheRestBack() {
    CountDownLatch release = new CountDownLatch(1);
    start(
        builder()
            .handler(
                "placed",
                (event, connection) -> {
                  calls.add(event.id());
                  release.await();
                }));
    broker.deliver("placed", "a1", "a2");
    await(() -> calls.size() == 1);
    Thread stopping = new Thread(() -> calls.add("clean " + inbox().stop(Duration.ofSeconds(20))));
    stopping.start();
    await(() -> broker.givenBack.contains("a2"));
    release.countDown();

    await(() -> calls.contains("clean true"));
    assertThat(broker.acknowledged).containsExactly("a1");
    assertThat(broker.stopped).isTrue();
    assertThat(store.closed).isTrue();
  }

  @Test
  void theListenerHearsOfWorkLagAndMemory() {
    start(builder().handler("placed", (event, connection) -> {}));
    broker.deliver("placed", "a1", "a1");

    await(() -> told.stream().anyMatch(InboxEvent.Duplicate.class::isInstance));
    await(() -> told.stream().anyMatch(InboxEvent.Lag.class::isInstance));
    await(() -> told.stream().anyMatch(InboxEvent.Waiting.class::isInstance));
    assertThat(told)
        .hasAtLeastOneElementOfType(InboxEvent.Started.class)
        .hasAtLeastOneElementOfType(InboxEvent.Handled.class)
        .hasAtLeastOneElementOfType(InboxEvent.Gauges.class)
        .contains(new InboxEvent.Lag(Map.of("orders-0", 7L)));
  }

  @Test
  void whatWasProcessedLongAgoIsSwept() {
    start(builder().handler("placed", (event, connection) -> {}));

    await(() -> store.purged.get() > 0);
    await(() -> told.stream().anyMatch(InboxEvent.Purged.class::isInstance));
  }
}
