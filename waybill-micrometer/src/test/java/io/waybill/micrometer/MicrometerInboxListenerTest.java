package io.waybill.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxEvent.About;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerInboxListenerTest {
  private static final About EVENT = new About("e", "placed", "orders", null);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerInboxListener listener = new MicrometerInboxListener(registry, "stock");

  private double count(String name, String... tags) {
    return registry
        .get("waybill.inbox." + name)
        .tag("consumer", "stock")
        .tags(tags)
        .counter()
        .count();
  }

  private double gauge(String name) {
    return registry.get("waybill.inbox." + name).tag("consumer", "stock").gauge().value();
  }

  @Test
  void countsWhatBecameOfEvents() {
    listener.on(new InboxEvent.Handled(EVENT, 3_000, 9_000));
    listener.on(new InboxEvent.Ignored(EVENT));
    listener.on(new InboxEvent.PassedOver(EVENT, "another"));
    listener.on(new InboxEvent.Retried(EVENT, "broken", 50));
    listener.on(new InboxEvent.Refused(EVENT, "too large", 1_000));
    listener.on(new InboxEvent.Deferred(EVENT, 0, "", 0));
    listener.on(new InboxEvent.Deferred(EVENT, 1, "broken", 1_000));
    listener.on(new InboxEvent.DeadLettered(EVENT, "unknown-type", "no handler"));
    listener.on(new InboxEvent.DeadLetterFailed(EVENT, "no topic", 1_000));
    listener.on(new InboxEvent.DeadLetterWithoutBody(EVENT, "orders-3@15", 9, "too large"));
    listener.on(new InboxEvent.StoreFailed("gone", true, 100));
    listener.on(new InboxEvent.HandlerStuck("worker-1", "order.placed"));
    listener.on(new InboxEvent.Purged(12));

    assertThat(count("handled", "source", "orders")).isEqualTo(1);
    assertThat(count("ignored", "source", "orders")).isEqualTo(1);
    assertThat(count("passed.over", "source", "orders")).isEqualTo(1);
    assertThat(count("retried", "source", "orders")).isEqualTo(1);
    assertThat(count("refused", "source", "orders")).isEqualTo(1);
    assertThat(count("deferred", "source", "orders", "cause", "behind")).isEqualTo(1);
    assertThat(count("deferred", "source", "orders", "cause", "failed")).isEqualTo(1);
    assertThat(count("dead.lettered", "source", "orders", "reason", "unknown-type")).isEqualTo(1);
    assertThat(count("dead.letters.failed", "source", "orders")).isEqualTo(1);
    assertThat(count("dead.letters.without.body", "source", "orders")).isEqualTo(1);
    assertThat(count("store.failures", "transient", "true")).isEqualTo(1);
    assertThat(count("handlers.stuck")).isEqualTo(1);
    assertThat(count("purged")).isEqualTo(12);
  }

  @Test
  void failuresAreCountedFromZero() {
    assertThat(count("store.failures", "transient", "true")).isZero();
    assertThat(count("store.failures", "transient", "false")).isZero();
    assertThat(count("database.changes")).isZero();
    assertThat(count("database.lost")).isZero();
    assertThat(count("handlers.stuck")).isZero();

    listener.on(new InboxEvent.Handled(EVENT, 1, 1));
    assertThat(count("dead.lettered", "source", "orders", "reason", "permanent-failure")).isZero();
    assertThat(count("dead.lettered", "source", "orders", "reason", "no-event-id")).isZero();
    assertThat(count("deferred", "source", "orders", "cause", "failed")).isZero();
    assertThat(count("dead.letters.failed", "source", "orders")).isZero();
  }

  @Test
  void timesHandlersAndWaits() {
    listener.on(new InboxEvent.Handled(EVENT, 3_000, 9_000));

    assertThat(registry.get("waybill.inbox.transaction").timer().totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(3);
    assertThat(
            registry
                .get("waybill.inbox.delivery.to.commit")
                .timer()
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(9);
  }

  @Test
  void duplicatesAreCountedByTheirAgeSinceFirstSight() {
    listener.on(new InboxEvent.Duplicate(EVENT, Duration.ofSeconds(30)));
    listener.on(new InboxEvent.Duplicate(EVENT, Duration.ofDays(13)));

    var buckets =
        registry.get("waybill.inbox.duplicate.age").timer().takeSnapshot().histogramCounts();
    assertThat(buckets[0].count()).isZero();
    assertThat(buckets[1].count()).isEqualTo(1);
    assertThat(buckets[buckets.length - 1].count()).isEqualTo(2);
    assertThat(count("duplicates", "source", "orders")).isEqualTo(2);
  }

  @Test
  void showsMemoryLanesAndLag() {
    listener.on(new InboxEvent.Gauges(7, 700, 3, 4, 2, 1));
    listener.on(new InboxEvent.Lag(Map.of("orders-0", 5L, "orders-1", 6L)));

    assertThat(gauge("buffered")).isEqualTo(7);
    assertThat(gauge("memory")).isEqualTo(700);
    assertThat(gauge("transactions")).isEqualTo(3);
    assertThat(gauge("lanes")).isEqualTo(4);
    assertThat(gauge("lanes.held")).isEqualTo(2);
    assertThat(gauge("lanes.stopped")).isEqualTo(1);
    assertThat(gauge("lag")).isEqualTo(11);
  }

  @Test
  void showsTheOldestOpenMessageOfEachLaneThatIsThere() {
    listener.on(new InboxEvent.Open(Map.of("orders-0", Duration.ofMillis(90_500))));
    assertThat(
            registry.get("waybill.inbox.oldest.open.age").tag("lane", "orders-0").gauge().value())
        .isEqualTo(90.5);

    listener.on(new InboxEvent.Open(Map.of("orders-1", Duration.ZERO)));
    assertThat(registry.find("waybill.inbox.oldest.open.age").tag("lane", "orders-0").gauge())
        .isNull();
  }

  @Test
  void showsHowManyEventsWaitForTheirNextAttempt() {
    listener.on(new InboxEvent.Waiting(12));
    assertThat(gauge("deferred.waiting")).isEqualTo(12);
    listener.on(new InboxEvent.Waiting(0));
    assertThat(gauge("deferred.waiting")).isZero();
  }

  @Test
  void showsThreadsThatDoNotComeBackAndWorkersThatAreMissing() {
    listener.on(new InboxEvent.Threads(16, 3));
    assertThat(gauge("threads.stuck")).isEqualTo(16);
    assertThat(gauge("workers.missing")).isEqualTo(3);
    listener.on(new InboxEvent.Threads(0, 0));
    assertThat(gauge("threads.stuck")).isZero();
    assertThat(gauge("workers.missing")).isZero();
  }

  @Test
  void countsWhatIsHandledAlone() {
    listener.on(new InboxEvent.Isolated(EVENT, 1, 0));
    assertThat(count("isolated", "source", "orders")).isEqualTo(1);
  }

  @Test
  void metersOfEachEventAreLookedUpOnce() {
    listener.on(new InboxEvent.Handled(EVENT, 1, 1));
    registry.clear();
    listener.on(new InboxEvent.Handled(EVENT, 1, 1));
    listener.on(new InboxEvent.Ignored(EVENT));
    listener.on(new InboxEvent.Duplicate(EVENT, Duration.ZERO));

    assertThat(registry.getMeters()).isEmpty();
  }
}
