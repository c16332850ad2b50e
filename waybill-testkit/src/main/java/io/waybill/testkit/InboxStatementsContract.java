package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.EventHandler;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.message.Transport;
import io.waybill.policy.InboxSettings.Shared;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements of handlers that end the transaction: nothing is lost, whatever fails after them. */
public abstract class InboxStatementsContract extends InboxOpenNotesContract {
  private static final Duration LONG = Duration.ofSeconds(30);

  @AfterEach
  void end() {
    if (inbox != null) {
      inbox.close();
    }
  }

  private final HandBroker broker = new HandBroker();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Map<String, Connection> transactions = new ConcurrentHashMap<>();
  private @Nullable Inbox inbox;

  private void start(EventHandler handler) {
    inbox =
        Inbox.builder()
            .store(open("a"))
            .subscriber(broker)
            .deadLetters(broker, Transport.KAFKA)
            .settings(defaults -> defaults.workers(1).shared(new Shared(20, LONG)))
            .handlerTimeout(LONG)
            .handler(
                HandBroker.TYPE,
                (event, connection) -> {
                  calls.computeIfAbsent(event.id(), id -> new AtomicInteger()).incrementAndGet();
                  transactions.putIfAbsent(event.id(), connection);
                  handler.handle(event, connection);
                })
            .start();
  }

  private int calls(String id) {
    return calls.getOrDefault(id, new AtomicInteger()).get();
  }

  private static List<String> ids(String key, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> key + i).toList();
  }

  private void deliverAndAwait(List<String> ids) {
    int before = broker.acknowledged.size();
    broker.deliver(ids);
    Awaitility.await().atMost(LONG).until(() -> broker.acknowledged.size() == before + ids.size());
  }

  @Test
  void oneThatCommitsLosesNoOtherEventThatSharesTheTransaction() throws SQLException {
    List<String> commits = commits();
    start(
        (event, connection) -> {
          addOne(connection, event.id());
          int n = Integer.parseInt(event.id().substring(1));
          if (event.id().startsWith("k") && n % 20 == 4) {
            run(connection, commits.get(n / 20));
            addOne(connection, "after-" + event.id());
          } else if (event.id().startsWith("k") && n % 20 == 6 && calls(event.id()) <= 2) {
            throw new TemporaryException("not yet");
          }
        });
    int last = 20 * commits.size();
    for (int from = 0; from < last; from += 20) {
      // It takes some that go well until they share.
      deliverAndAwait(ids("w", 10 * from, 10 * from + 200));
      deliverAndAwait(ids("k", from, from + 12));
      assertThat(transactions.get("k" + (from + 4)))
          .as("the transaction of the one that committed")
          .isSameAs(transactions.get("k" + (from + 3)));
    }

    List<String> wrong = new ArrayList<>();
    for (int from = 0; from < last; from += 20) {
      for (String id : ids("k", from, from + 12)) {
        check(id, wrong);
      }
      check("after-k" + (from + 4), wrong);
    }
    assertThat(wrong).isEmpty();
    assertThat(broker.letters).isEmpty();
  }

  private void check(String id, List<String> wrong) throws SQLException {
    List<String> effects = texts("select n from effect where id = '" + id + "'");
    if (!effects.equals(List.of("1"))) {
      wrong.add(id + ": calls " + calls(id) + ", effects " + effects);
    }
  }

  @Test
  void aHandlerThatFailsAfterOneIsCalledAgain() {
    List<String> commits = commits();
    start(
        (event, connection) -> {
          if (calls(event.id()) == 1) {
            int n = Integer.parseInt(event.id().substring(1));
            run(connection, commits.get(n));
            throw new TemporaryException("not yet");
          }
          addOne(connection, event.id());
        });
    for (String id : ids("k", 0, commits.size())) {
      deliverAndAwait(List.of(id));
      assertThat(calls(id)).as("calls after " + commits.get(id.charAt(1) - '0')).isEqualTo(2);
    }
  }
}
