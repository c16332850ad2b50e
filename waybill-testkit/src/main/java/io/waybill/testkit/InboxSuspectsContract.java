package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.EventHandler;
import io.waybill.inbox.Inbox;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings.Alone;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events that may have killed the process, handled by the next one. */
public abstract class InboxSuspectsContract extends InboxContract {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final HandBroker broker = new HandBroker();
  private final List<InboxEvent> told = new CopyOnWriteArrayList<>();
  private final AtomicInteger running = new AtomicInteger();
  // Of each event the most that were under way with it.
  private final Map<String, Integer> company = new ConcurrentHashMap<>();
  private @Nullable Inbox inbox;

  @AfterEach
  void end() {
    if (inbox != null) {
      inbox.close();
    }
  }

  private void start(EventHandler handler) {
    inbox =
        Inbox.builder()
            .store(open("a"))
            .subscriber(broker)
            .deadLetters(broker, Transport.KAFKA)
            .settings(defaults -> defaults.alone(new Alone(3, Duration.ofSeconds(1))))
            .handlerTimeout(LONG)
            .listener(told::add)
            .handler(
                HandBroker.TYPE,
                (event, connection) -> {
                  company.merge(event.id(), running.incrementAndGet(), Math::max);
                  try {
                    handler.handle(event, connection);
                    company.merge(event.id(), running.get(), Math::max);
                  } finally {
                    running.decrementAndGet();
                  }
                })
            .start();
  }

  private void awaitAcknowledged(int events) {
    Awaitility.await().atMost(LONG).until(() -> broker.acknowledged.size() == events);
  }

  /** Nine of each of eleven keys. */
  private static List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 99; i++) {
      ids.add((char) ('b' + i % 11) + "-" + i);
    }
    return ids;
  }

  /** As processes do that die while they handle these. */
  private void died(int times, String... eventIds) {
    InboxStore store = open("a");
    for (int i = 0; i < times; i++) {
      try (InboxTransaction transaction = store.begin()) {
        transaction.started(List.of(eventIds));
        transaction.commit();
      }
    }
  }

  @Test
  void allWorkersHandleThemAndOneThatHangsStopsNoOther() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    start(
        (event, connection) -> {
          if (event.id().equals("a-hangs")) {
            release.await();
          }
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        });
    List<String> ids = new ArrayList<>(List.of("a-hangs"));
    ids.addAll(ids());
    broker.deliverAgain(ids);

    awaitAcknowledged(99);
    assertThat(broker.acknowledged).doesNotContain("a-hangs");
    assertThat(company.values()).as("under way at a time").anyMatch(most -> most > 2);
    release.countDown();
    awaitAcknowledged(100);
    assertThat(texts("select event_id from waybill_inbox_attempt")).isEmpty();
  }

  @Test
  void whatWasUnderWayWhenAProcessDiedIsHandledWhileNothingElseIs() throws Exception {
    died(1, "b-0", "c-1", "d-2");
    start((event, connection) -> LockSupport.parkNanos(Duration.ofMillis(5).toNanos()));
    broker.deliverAgain(ids());

    awaitAcknowledged(99);
    assertThat(company).containsEntry("b-0", 1).containsEntry("c-1", 1).containsEntry("d-2", 1);
    assertThat(told.stream().filter(InboxEvent.Isolated.class::isInstance)).hasSize(3);
    assertThat(broker.letters).isEmpty();
    assertThat(texts("select event_id from waybill_inbox_attempt")).isEmpty();
  }

  @Test
  void theStartBesideOthersIsNoneOfTheThreeThatMakeADeadLetter() throws Exception {
    died(3, "b-0");
    died(4, "c-1");
    start((event, connection) -> {});
    broker.deliverAgain(List.of("b-0", "c-1"));

    awaitAcknowledged(2);
    Awaitility.await().atMost(LONG).until(() -> broker.letters.size() == 1);
    assertThat(company.keySet()).as("handled").containsExactly("b-0");
    assertThat(header("waybill-dead-reason")).isEqualTo("killed-the-process");
    Awaitility.await()
        .atMost(LONG)
        .until(() -> texts("select event_id from waybill_inbox_attempt").isEmpty());
  }

  private String header(String name) {
    return broker.letters.get(0).headers().stream()
        .filter(header -> header.name().equals(name))
        .map(header -> header.value())
        .findFirst()
        .orElseThrow();
  }
}
