package io.waybill.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.observe.RelayEvent.Failure;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicrometerRelayListenerTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerRelayListener listener = new MicrometerRelayListener(registry, "orders");

  @Test
  void countsPublishedEventsPerDestinationAndTimesTheirThreeStretches() {
    listener.on(
        new RelayEvent.Published("e1", "placed", null, "orders-topic", 1_000, 2_000, 3_000));
    listener.on(new RelayEvent.Published("e2", "placed", null, "orders-topic", -5, 2_000, 3_000));

    assertThat(count("waybill.events.published", "destination", "orders-topic")).isEqualTo(2);
    assertThat(totalMillis("waybill.latency.creation.to.read")).isEqualTo(1);
    assertThat(totalMillis("waybill.latency.read.to.confirm")).isEqualTo(4);
    assertThat(totalMillis("waybill.latency.confirm.to.mark")).isEqualTo(6);
    assertThat(
            registry
                .get("waybill.latency.creation.to.read")
                .timer()
                .takeSnapshot()
                .histogramCounts())
        .isNotEmpty();
  }

  @Test
  void countsWhatFailedByOutcome() {
    Failure failure =
        new Failure("e1", "placed", null, "orders-topic", 2, "record-too-large", true);
    listener.on(new RelayEvent.Retried(failure, true, 100));
    listener.on(new RelayEvent.Retried(failure, false, 100));
    listener.on(new RelayEvent.Retried(failure, false, 100));
    listener.on(new RelayEvent.Parked(failure));
    listener.on(new RelayEvent.Dead(failure, true));
    listener.on(new RelayEvent.Held(7));
    listener.on(new RelayEvent.OrderedByChance(3));
    listener.on(new RelayEvent.StoreFailed("read", "connection refused", true));

    assertThat(failures("retried", "outcome", "rejected")).isEqualTo(1);
    assertThat(failures("retried", "outcome", "unknown")).isEqualTo(2);
    assertThat(count("waybill.events.parked", "destination", "orders-topic")).isEqualTo(1);
    assertThat(failures("dead", "dead.lettered", "true")).isEqualTo(1);
    assertThat(count("waybill.events.held", "outbox", "orders")).isEqualTo(7);
    assertThat(count("waybill.events.unordered", "outbox", "orders")).isEqualTo(3);
    assertThat(count("waybill.store.failures", "transient", "true")).isEqualTo(1);
  }

  @Test
  void failuresAreCountedFromZero() {
    assertThat(count("waybill.events.parked", "destination", "")).isZero();
    assertThat(count("waybill.events.dead", "destination", "")).isZero();
    assertThat(count("waybill.events.retried", "destination", "")).isZero();
    assertThat(count("waybill.store.failures", "transient", "true")).isZero();
    assertThat(count("waybill.store.failures", "transient", "false")).isZero();
    assertThat(count("waybill.relay.failures", "outbox", "orders")).isZero();

    listener.on(new RelayEvent.Published("e1", "placed", null, "orders-topic", 1, 1, 1));
    assertThat(count("waybill.events.parked", "destination", "orders-topic")).isZero();
    assertThat(count("waybill.events.dead", "destination", "orders-topic")).isZero();
  }

  @Test
  void countsHowOftenTheRelayFailed() {
    listener.on(new RelayEvent.Gauges(3, 4_000, 2, 16, 1, 80, 2_500));
    listener.on(new RelayEvent.Ended("relay-1", "java.lang.IllegalStateException"));
    listener.on(new RelayEvent.Ended("relay-1", null));

    assertThat(count("waybill.relay.failures", "outbox", "orders")).isEqualTo(1);
    assertThat(gauge("waybill.lanes.owned")).isZero();
    assertThat(gauge("waybill.oldest.unpublished.age")).as("what waits still waits").isEqualTo(2.5);
  }

  @Test
  void showsWhatDoesNotFlowAndWhetherItWasCountedToItsEnd() {
    listener.on(new RelayEvent.Backlog(2, 3, 224, 100_000));
    assertThat(gauge("waybill.backlog.parked")).isEqualTo(2);
    assertThat(gauge("waybill.backlog.dead")).isEqualTo(3);
    assertThat(gauge("waybill.backlog.held")).isEqualTo(224);
    assertThat(gauge("waybill.backlog.bounded")).isZero();

    listener.on(new RelayEvent.Backlog(2, 3, 100_000, 100_000));
    assertThat(gauge("waybill.backlog.bounded")).isEqualTo(1);
  }

  @Test
  void showsWhereTheRelayStands() {
    listener.on(new RelayEvent.Read(5, 500, 90));
    listener.on(new RelayEvent.Gauges(3, 4_000, 2, 16, 1, 80, 2_500));
    listener.on(new RelayEvent.LanesViewed(16, 64, 4));

    assertThat(count("waybill.events.read", "outbox", "orders")).isEqualTo(5);
    assertThat(gauge("waybill.in.flight")).isEqualTo(3);
    assertThat(gauge("waybill.memory")).isEqualTo(4_000);
    assertThat(gauge("waybill.unsettled")).isEqualTo(2);
    assertThat(gauge("waybill.keys.blocked")).isEqualTo(1);
    assertThat(gauge("waybill.keys.resting")).isEqualTo(80);
    assertThat(gauge("waybill.oldest.unpublished.age")).isEqualTo(2.5);
    assertThat(gauge("waybill.lanes.owned")).isEqualTo(16);
    assertThat(gauge("waybill.lanes")).isEqualTo(64);
    assertThat(gauge("waybill.relays")).isEqualTo(4);
  }

  @Test
  void ownsNoLanesAfterItWasFencedOrLeft() {
    listener.on(new RelayEvent.Joined("relay-1", 7));
    listener.on(new RelayEvent.LanesChanged(64));
    assertThat(gauge("waybill.lanes.owned")).isEqualTo(64);

    listener.on(new RelayEvent.Fenced("relay-1", 12));
    assertThat(gauge("waybill.lanes.owned")).isZero();
    assertThat(count("waybill.relay.fenced", "outbox", "orders")).isEqualTo(1);

    listener.on(new RelayEvent.TakenOver("relay-2", 5, 32, true, 800));
    Timer takeOvers = registry.get("waybill.relay.takeovers").tag("cause", "session-ended").timer();
    assertThat(takeOvers.count()).isEqualTo(1);
    assertThat(takeOvers.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(800);

    listener.on(new RelayEvent.Gauges(3, 4_000, 2, 16, 1, 80, 2_500));
    listener.on(new RelayEvent.Left("relay-1"));
    assertThat(gauge("waybill.lanes.owned")).isZero();
    assertThat(gauge("waybill.in.flight")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"CLOSED, 0", "PROBING, 1", "OPEN, 2", "PAUSED, 3"})
  void showsTheBreakerOfADestination(BreakerState breaker, double value) {
    listener.on(new RelayEvent.BreakerChanged("orders-topic", breaker, "why"));

    assertThat(
            registry
                .get("waybill.breaker.state")
                .tag("destination", "orders-topic")
                .gauge()
                .value())
        .isEqualTo(value);
  }

  @Test
  void showsWhetherTheBrokerTakesMessages() {
    assertThat(gauge("waybill.publisher.available")).isEqualTo(1);
    listener.on(new RelayEvent.PublisherUnavailable("connection refused"));
    assertThat(gauge("waybill.publisher.available")).isZero();
    listener.on(new RelayEvent.PublisherAvailable());
    assertThat(gauge("waybill.publisher.available")).isEqualTo(1);
  }

  @Test
  void keepsTheNumberOfTagValuesBounded() {
    for (int i = 0; i < 1_000; i++) {
      listener.on(new RelayEvent.Published("e" + i, "placed", null, "topic-" + i, 1, 1, 1));
    }

    assertThat(registry.find("waybill.events.published").counters()).hasSize(201);
    assertThat(count("waybill.events.published", "destination", "other")).isEqualTo(800);
  }

  private double failures(String name, String tag, String value) {
    return registry
        .get("waybill.events." + name)
        .tags("destination", "orders-topic", tag, value)
        .counter()
        .count();
  }

  private double count(String name, String tag, String value) {
    return registry.get(name).tag(tag, value).counter().count();
  }

  private double gauge(String name) {
    return registry.get(name).tag("outbox", "orders").gauge().value();
  }

  private double totalMillis(String name) {
    return registry.get(name).timer().totalTime(TimeUnit.MILLISECONDS);
  }
}
