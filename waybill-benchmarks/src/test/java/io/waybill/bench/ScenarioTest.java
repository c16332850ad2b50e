package io.waybill.bench;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Tag("long")
class ScenarioTest {
  private static final List<String> FIELDS =
      List.of(
          "name",
          "eventsPerSecond",
          "ratioToLoop",
          "shareOfLimit",
          "relayCpuSecondsPer1000",
          "databaseCpuSecondsPer1000",
          "consumerCpuSecondsPer1000",
          "p50Ms",
          "p99Ms",
          "peakRssMb",
          "lost",
          "duplicates",
          "orderInversions");

  private static final Map<String, Set<String>> DETAILS =
      Map.ofEntries(
          entry("half-peak", Set.of("peakEventsPerSecond", "askedEventsPerSecond")),
          entry("instances", Set.of("ratioToOneInstance")),
          entry("held", Set.of("heldEventMs", "freeP99Ms")),
          entry(
              "outage",
              Set.of(
                  "backlogEvents",
                  "pauseBacklogEvents",
                  "recoverySeconds",
                  "peakEventsPerSecond",
                  "recoveryShareOfPeak",
                  "recoveryShareOfDrain")),
          entry(
              "takeover",
              Set.of(
                  "gapP50Seconds",
                  "gapP99Seconds",
                  "gapMaxSeconds",
                  "standstillP99Seconds",
                  "standstillMaxSeconds",
                  "stayedGapRatioToBefore",
                  "intervalSeconds")),
          entry("isolation", Set.of("p99RatioToBefore", "p99MsBefore", "sickEvents")),
          entry(
              "refusals",
              Set.of(
                  "p99RatioToBefore", "p99RatioToWithout", "parkedOrDead", "flowingAfterSeconds")),
          entry("inbox", Set.of("ratioToConsumer", "ratioToSingle")),
          entry("inbox-failing-key", Set.of("p99RatioToBefore", "deferred", "eventsOfFailingKey")),
          entry(
              "inbox-restart",
              Set.of("secondsWithout", "secondsWithRestart", "timeRatioToWithout")),
          entry(
              "writers",
              Set.of("shareOfRateAlone", "lockWaits", "lockWaitsForRelay", "behindAtEnd")));

  private static final Set<String> MOVES_NOTHING =
      Set.of("database", "inserts-alone", "inserts-beside-relay", "writers-alone");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "drain --events 3000 --rounds 1|client database loop waybill-keep waybill-delete",
      })
  void everyScenarioPrintsOneObjectAndLosesNothing(String command, String candidates) {
    verify(command, candidates);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "drain --broker rabbitmq --events 3000 --rounds 1"
            + "|client database loop waybill-keep waybill-delete",
        "latency --rate 100 --seconds 2|loop waybill-in-process waybill-relay",
        "inbox --events 2000 --rounds 1|consumer inbox inbox-batch",
        "hotkey --events 3000 --rounds 1|client database loop waybill-keep waybill-delete",
        "snapshot --events 3000 --rounds 1|loop waybill-keep waybill-delete",
        "backlog --events 3000|waybill-keep waybill-delete",
        "idle --seconds 1 --samples 3 --pause 0.3|loop waybill-relay",
        "adopted --events 2000 --rounds 1"
            + "|loop loop-notification waybill-notification loop-event-outbox waybill-event-outbox"
            + " loop-wallet waybill-wallet loop-polyshop waybill-polyshop",
        "mariadb --events 2000 --rounds 1 --seconds 1"
            + "|waybill-delete loop-mariadb waybill-mariadb inserts-alone inserts-beside-relay",
        "half-peak --events 3000 --seconds 1 --warm 1|loop waybill-delete",
        "keys --events 20000 --rounds 1|loop waybill-keep waybill-delete",
        "instances --events 4000 --rounds 1 --only loop-1,waybill-1,waybill-2,waybill-4"
            + "|loop-1 waybill-1 waybill-2 waybill-4",
        "held --rate 100 --seconds 2 --warm 1|loop waybill-relay",
        "outage --events 2000 --rate 100 --warm 1 --outage 3 --seconds 15|waybill-relay",
        "waiting --rate 100 --keys 20 --warm 1 --outage 45 --seconds 10"
            + " --only waybill-notification,waybill-polyshop|waybill-notification waybill-polyshop",
        "takeover --rate 100 --keys 20 --warm 1 --seconds 2 --pause 0 --rounds 1"
            + " --only takeover-back,takeover-stopped,takeover-rolling"
            + "|takeover-back takeover-stopped takeover-rolling",
        "takeover --broker rabbitmq --database mariadb --rate 100 --keys 20 --warm 1 --seconds 2"
            + " --rounds 1 --only takeover-two-killed,takeover-frozen,takeover-silenced,takeover-started"
            + "|takeover-two-killed takeover-frozen takeover-silenced takeover-started",
        "listings --events 20000|listings listings-mariadb",
        "isolation --rate 100 --keys 20 --seconds 3 --warm 1|missing-topic poison-key",
        "isolation --broker rabbitmq --rate 100 --keys 20 --seconds 3 --warm 1"
            + "|missing-topic poison-key full-queue",
        "refusals --rate 20 --seconds 3 --warm 1|without missing-topic no-permission",
        "refusals --broker rabbitmq --rate 60 --seconds 3 --warm 1"
            + "|without full-queue missing-exchange missing-binding no-permission",
        "writers --events 800 --rounds 1|writers-alone writers-beside-relay",
        "inbox --broker rabbitmq --database mariadb --events 2000 --rounds 1 --batch 10"
            + "|consumer inbox inbox-batch",
        "inbox-failing-key --rate 100 --keys 20 --seconds 3 --warm 1|inbox",
        "inbox-restart --events 2400|inbox",
        "inbox-failing-key --broker rabbitmq --database mariadb --rate 100 --keys 20 --seconds 3"
            + " --warm 1|inbox",
      })
  void everyCandidateOfAScenarioIsThere(String command, String candidates) {
    verify(command, candidates);
  }

  @Test
  void theDatabaseIsOneOfTwo() {
    assertThat(Bench.execute("inbox", "--database", "mysql")).isEqualTo(2);
  }

  private static void verify(String command, String candidates) {
    JsonNode report = BenchRun.report(command);
    assertThat(report.path("scenario").asString()).isEqualTo(command.split(" ", -1)[0]);
    assertThat(report.path("database").asString())
        .startsWith(command.contains("--database mariadb") ? "MariaDB " : "PostgreSQL ");
    assertThat(report.path("broker").asString()).isIn("kafka", "rabbitmq");
    List<String> names =
        report.path("candidates").valueStream().map(line -> line.path("name").asString()).toList();
    assertThat(names).containsExactly(candidates.split(" ", -1));
    List<String> mayNotHappen = mayNotHappen(command);
    report.path("candidates").forEach(line -> isWhole(line, mayNotHappen));
    assertThat(
            report
                .path("candidates")
                .valueStream()
                .flatMap(l -> l.path("details").propertyNames().stream()))
        .containsAll(DETAILS.getOrDefault(command.split(" ", -1)[0], Set.of()));
  }

  private static List<String> mayNotHappen(String command) {
    if (List.of("outage", "waiting", "takeover").contains(command.split(" ", -1)[0])) {
      // What was under way when the broker or the relay was killed may come twice.
      return List.of("lost", "orderInversions");
    }
    if (command.startsWith("refusals")) {
      // What had no answer may come twice, and each event has a key of its own.
      return List.of("lost");
    }
    if (command.startsWith("isolation")) {
      // Nobody receives it: what counts is when the broker confirmed.
      return List.of("lost");
    }
    return command.startsWith("inbox --broker rabbitmq")
        // The consumer without Waybill takes one queue with several channels.
        ? List.of("lost", "duplicates")
        : List.of("lost", "duplicates", "orderInversions");
  }

  private static void isWhole(JsonNode line, List<String> mayNotHappen) {
    assertThat(line.propertyNames()).containsAll(FIELDS);
    assertThat(line.path("eventsPerSecond").asLong()).isPositive();
    if (MOVES_NOTHING.stream().noneMatch(line.path("name").asString()::equals)) {
      mayNotHappen.forEach(name -> assertThat(line.path(name).asLong(-1)).as(name).isZero());
    }
  }
}
