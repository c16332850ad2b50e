package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.FaultWindow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A recovery from second 100 to 110. */
class DisturbancesTest {
  private static final long START = 100_000;
  private static final long END = 110_000;

  private static Disturbances one(String kind, String target, long start, long end) {
    return new Disturbances(List.of(new FaultWindow(kind, target, start, end)));
  }

  @ParameterizedTest
  @CsvSource({
    "relay-kill, relay-1, true",
    "relay-kill, relay-2, true",
    "relay-clock, relay-2, false",
    "database-slow, relay-2/database, true",
    "database-freeze, database, true",
    "commit-lost, writers/database, false",
    "broker-kill, broker, false",
    "broker-slow, relays/broker, false"
  })
  void aTakeoverIsDisturbedByOtherRelaysAndTheDatabase(
      String kind, String target, boolean disturbed) {
    assertThat(one(kind, target, START + 2_000, END).ofTakeover("relay-1", START, END))
        .isEqualTo(disturbed);
  }

  @ParameterizedTest
  @CsvSource({
    "relay-kill, relay-2, false",
    "database-slow, relay-2/database, true",
    "database-freeze, database, true",
    "broker-slow, relays/broker, true",
    "broker-freeze, broker, true",
    "commit-lost, writers/database, false"
  })
  void aFirstEventIsDisturbedOnItsWayAndByTheNextFaultOfTheServer(
      String kind, String target, boolean disturbed) {
    assertThat(one(kind, target, START + 500, END).ofFirstPublish("broker", START, END))
        .isEqualTo(disturbed);
  }

  @Test
  void theEndOfTheRelayIsWhatIsMeasured() {
    assertThat(
            one("relay-freeze", "relay-1", START - 20, END + 9_000)
                .ofTakeover("relay-1", START, END))
        .isFalse();
  }

  @Test
  void theKillOfTheRestartedServerIsWhatIsMeasured() {
    assertThat(
            one("broker-kill", "broker", START - 9_000, START + 900)
                .ofFirstPublish("broker", START, END))
        .isFalse();
  }

  @Test
  void whatEndedLongBeforeOrBeganAfterwardsDisturbsNothing() {
    assertThat(
            one("database-slow", "relay-2/database", START - 9_000, START - 5_001)
                .ofTakeover("relay-1", START, END))
        .isFalse();
    assertThat(
            one("database-slow", "relay-2/database", START - 9_000, START - 5_000)
                .ofTakeover("relay-1", START, END))
        .isTrue();
    assertThat(
            one("database-slow", "relay-2/database", END + 1, END + 2)
                .ofTakeover("relay-1", START, END))
        .isFalse();
  }
}
