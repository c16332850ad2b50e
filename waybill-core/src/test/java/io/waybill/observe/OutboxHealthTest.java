package io.waybill.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxHealthTest {
  private long now = 1_000;
  private final OutboxHealth health =
      new OutboxHealth(
          "orders",
          HealthLimits.of(Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(10)),
          () -> now);

  @BeforeEach
  void start() {
    health.on(new RelayEvent.Started("relay-1"));
  }

  @Test
  void isAliveAndNotReadyWhileItWaitsForItsDatabase() {
    OutboxHealth waiting =
        new OutboxHealth(
            "orders",
            HealthLimits.of(Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofSeconds(10)),
            () -> now);
    waiting.on(new RelayEvent.Waiting("connection refused"));
    pass(3_600);

    assertThat(waiting.dead()).isEmpty();
    assertThat(waiting.unready())
        .containsExactly("orders: the relay is not running: connection refused");
  }

  @Test
  void isAliveAndNotReadyAfterAFailureUntilItIsStartedAgain() {
    join();
    health.on(new RelayEvent.Ended("relay-1", "java.lang.NoClassDefFoundError: x"));
    pass(3_600);

    assertThat(health.dead()).isEmpty();
    assertThat(health.unready())
        .containsExactly(
            "orders: the relay is not running: it has failed: java.lang.NoClassDefFoundError: x");

    health.on(new RelayEvent.Started("relay-1"));
    join();
    health.on(new RelayEvent.LanesViewed(64, 64, 1));
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isNotReadyWhileOneKindOfCallFails() {
    join();
    for (int i = 0; i < 13; i++) {
      health.on(new RelayEvent.StoreFailed("read", "timeout", true));
      pass(1);
      health.on(new RelayEvent.LanesViewed(64, 64, 1));
      health.on(gauges(0));
    }
    assertThat(health.unready())
        .containsExactly("orders: every read of the database has been failing for 13 s (timeout)");

    health.on(new RelayEvent.StoreRecovered("read"));
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isReadyWhenACallThatFailedIsNotWantedAnyMore() {
    join();
    health.on(new RelayEvent.StoreFailed("assign", "timeout", true));
    for (int i = 0; i < 60; i++) {
      pass(1);
      health.on(new RelayEvent.LanesViewed(64, 64, 1));
      health.on(gauges(0));
    }
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isNotReadyBeforeTheRelayJoined() {
    health.on(new RelayEvent.StoreFailed("join", "connection refused", true));

    assertThat(health.unready())
        .containsExactly("orders: not a member of the outbox (join: connection refused)");
    assertThat(health.dead()).isEmpty();
  }

  @Test
  void isReadyWhileTheRelayLooksAndTurns() {
    join();

    for (int i = 0; i < 100; i++) {
      pass(1);
      health.on(new RelayEvent.LanesViewed(64, 64, 1));
      health.on(gauges(0));
      assertThat(health.unready()).isEmpty();
    }
  }

  @Test
  void isNotReadyWhenTheDatabaseStopsAnswering() {
    join();
    pass(16);
    health.on(gauges(0));
    health.on(new RelayEvent.StoreFailed("view", "timeout", true));

    assertThat(health.unready())
        .containsExactly("orders: no answer from the database for 16 s (view: timeout)");
    assertThat(health.dead()).isEmpty();

    health.on(new RelayEvent.LanesViewed(64, 64, 1));
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isNotReadyWhileTheBrokerTakesNothing() {
    join();
    health.on(new RelayEvent.PublisherUnavailable("connection refused"));
    assertThat(health.unready())
        .containsExactly("orders: the broker accepts no messages (connection refused)");

    health.on(new RelayEvent.PublisherAvailable());
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isNotReadyWhenEventsInFlightDoNotFinish() {
    join();
    for (int i = 0; i < 27; i++) {
      health.on(gauges(5));
      health.on(new RelayEvent.LanesViewed(64, 64, 1));
      pass(1);
    }
    assertThat(health.unready())
        .containsExactly("orders: events are in flight, but none has finished for 27 s");

    health.on(new RelayEvent.Published("e1", "placed", null, "orders", 1, 1, 1));
    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isNotStuckWhenEventsComeAfterALongSilence() {
    join();
    for (int i = 0; i < 100; i++) {
      health.on(gauges(0));
      health.on(new RelayEvent.LanesViewed(64, 64, 1));
      pass(1);
    }
    health.on(gauges(5));

    assertThat(health.unready()).isEmpty();
  }

  @Test
  void isDeadWhenTheRelaysThreadGivesNoSign() {
    join();
    pass(16);

    assertThat(health.dead())
        .containsExactly("orders: the relay's thread gave no sign of life for 16 s");
  }

  @Test
  void isNotReadyAfterTheRelayWasFencedOrLeft() {
    join();
    health.on(new RelayEvent.Fenced("relay-1", 3));
    assertThat(health.unready()).containsExactly("orders: not a member of the outbox");

    join();
    health.on(new RelayEvent.Left("relay-1"));
    assertThat(health.unready()).containsExactly("orders: not a member of the outbox");
  }

  private void join() {
    health.on(new RelayEvent.Joined("relay-1", 1));
    health.on(gauges(0));
  }

  private void pass(long seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
  }

  private static RelayEvent.Gauges gauges(int inFlight) {
    return new RelayEvent.Gauges(inFlight, 0, 0, 64, 0, 0, 0);
  }
}
