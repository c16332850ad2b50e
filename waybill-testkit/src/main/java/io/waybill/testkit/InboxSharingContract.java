package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.EventHandler;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings.Shared;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Transactions that several events share. */
public abstract class InboxSharingContract extends InboxHandlerStatementsContract {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** A call of the handler, and the connection that stands for its transaction. */
  private record Call(String id, Connection transaction) {}

  private final HandBroker broker = new HandBroker();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final List<InboxEvent> told = new CopyOnWriteArrayList<>();
  private @Nullable Inbox inbox;

  @AfterEach
  void end() {
    if (inbox != null) {
      inbox.close();
    }
  }

  /** One worker, so that what is delivered at once is ready together. */
  private void start(Shared shared, EventHandler handler) {
    start(shared, LONG, handler);
  }

  private void start(Shared shared, Duration timeLimit, EventHandler handler) {
    inbox =
        Inbox.builder()
            .store(open("a"))
            .subscriber(broker)
            .deadLetters(broker, Transport.KAFKA)
            .settings(defaults -> defaults.workers(1).shared(shared))
            .handlerTimeout(timeLimit)
            .listener(told::add)
            .handler(
                HandBroker.TYPE,
                (event, connection) -> {
                  calls.add(new Call(event.id(), connection));
                  handler.handle(event, connection);
                })
            .start();
  }

  /** Two keys in turn. */
  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> (i % 2 == 0 ? "a" : "b") + i).toList();
  }

  private void deliverAndAwait(List<String> ids) {
    int before = broker.acknowledged.size();
    broker.deliver(ids);
    Awaitility.await().atMost(LONG).until(() -> broker.acknowledged.size() == before + ids.size());
  }

  private List<List<String>> transactions() {
    Map<Integer, List<String>> byConnection = new LinkedHashMap<>();
    for (Call call : calls) {
      byConnection
          .computeIfAbsent(System.identityHashCode(call.transaction()), c -> new ArrayList<>())
          .add(call.id());
    }
    return List.copyOf(byConnection.values());
  }

  private void assertEachEffectOnce(int events) throws SQLException {
    assertThat(texts("select count(*), min(n), max(n) from effect"))
        .containsExactly(events + "|1|1");
    assertThat(texts("select count(*) from processed_events")).containsExactly("" + events);
  }

  @Test
  void quickEventsShareATransactionAndKeepTheOrderOfTheirKeys() throws SQLException {
    start(new Shared(20, LONG), (event, connection) -> addOne(connection, event.id()));
    deliverAndAwait(ids(0, 60));

    assertThat(calls).hasSize(60);
    assertThat(transactions().size()).isLessThan(30);
    for (String key : List.of("a", "b")) {
      assertThat(calls.stream().map(Call::id).filter(id -> id.startsWith(key)))
          .containsExactlyElementsOf(ids(0, 60).stream().filter(i -> i.startsWith(key)).toList());
    }
    assertEachEffectOnce(60);
  }

  @Test
  void switchedOffEachEventHasItsOwn() throws SQLException {
    start(new Shared(1, LONG), (event, connection) -> addOne(connection, event.id()));
    deliverAndAwait(ids(0, 20));

    assertThat(transactions()).hasSize(20);
    assertEachEffectOnce(20);
  }

  @Test
  void whenOneFailsNothingIsLeftAndEachIsHandledInItsOwn() throws SQLException {
    start(
        new Shared(20, LONG),
        (event, connection) -> {
          addOne(connection, event.id());
          long tries = calls.stream().filter(call -> call.id().equals("a20")).count();
          if (event.id().equals("a20") && tries < 3) {
            throw new TemporaryException("not yet");
          }
        });
    deliverAndAwait(ids(0, 40));

    assertEachEffectOnce(40);
    List<List<String>> transactions = transactions();
    List<String> failed =
        transactions.stream().filter(ids -> ids.contains("a20")).findFirst().orElseThrow();
    assertThat(failed).as("the transaction in which it failed first").hasSizeGreaterThan(1);
    assertThat(transactions.stream().filter(ids -> ids.equals(List.of("a20")))).hasSize(2);
    for (String other : failed) {
      assertThat(transactions).as("its own after that").contains(List.of(other));
    }
    assertThat(broker.letters).isEmpty();
  }

  @Test
  void aHandlerThatHangsFailsAloneWhenItsTimeIsOver() throws SQLException {
    hangTwice(connection -> new CountDownLatch(1).await());
  }

  @Test
  @Tag("long")
  void soDoesOneThatHangsInAStatement() throws SQLException {
    hangTwice(connection -> run(connection, database().sleep(60)));
  }

  @Test
  @Tag("long")
  void soDoesOneThatDoesNotHeedItsInterruption() throws SQLException {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    hangTwice(
        connection -> {
          int mine = begun.incrementAndGet();
          // The first one comes back in the end: of one worker two threads at most are replaced.
          while (release.getCount() > 0 && begun.get() == mine) {
            LockSupport.parkNanos(10_000_000);
            Thread.interrupted();
          }
        });
    release.countDown();
    assertThat(told).hasAtLeastOneElementOfType(InboxEvent.HandlerStuck.class);
  }

  /** Something that does not come to an end by itself. */
  private interface Hang {
    void on(Connection connection) throws Exception;
  }

  /** Once in a transaction with others, which pay nothing for it but the time, and once alone. */
  private void hangTwice(Hang hang) throws SQLException {
    start(
        new Shared(20, LONG),
        Duration.ofSeconds(3),
        (event, connection) -> {
          addOne(connection, event.id());
          long tries = calls.stream().filter(call -> call.id().equals("a20")).count();
          if (event.id().equals("a20") && tries < 3) {
            hang.on(connection);
          }
        });
    deliverAndAwait(ids(0, 40));

    assertEachEffectOnce(40);
    assertThat(transactions().stream().filter(ids -> ids.contains("a20")).findFirst().orElseThrow())
        .as("the transaction in which it hung first")
        .hasSizeGreaterThan(1);
    assertThat(told)
        .filteredOn(InboxEvent.Retried.class::isInstance)
        .as("only its failure alone counts")
        .singleElement()
        .satisfies(
            retried ->
                assertThat(((InboxEvent.Retried) retried).about().eventId()).isEqualTo("a20"));
    assertThat(told)
        .noneMatch(InboxEvent.Deferred.class::isInstance)
        .noneMatch(InboxEvent.StoreFailed.class::isInstance);
    assertThat(broker.letters).isEmpty();
  }

  @Test
  void whatIsNotReachedInTimeIsLeftToAnotherTransaction() throws SQLException {
    start(
        new Shared(20, Duration.ofMillis(300)),
        (event, connection) -> {
          addOne(connection, event.id());
          if (event.id().equals("a70")) {
            run(connection, database().sleep(1));
          }
        });
    // The first calls of a process are slow.
    deliverAndAwait(ids(0, 60));
    deliverAndAwait(ids(60, 100));

    assertThat(calls.stream().map(Call::id)).as("each called once").hasSize(100);
    List<String> slow =
        transactions().stream().filter(ids -> ids.contains("a70")).findFirst().orElseThrow();
    assertThat(slow).endsWith("a70");
    assertEachEffectOnce(100);
  }
}
