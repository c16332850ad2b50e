package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.admin.Admin;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the demo as users do. */
@Tag("server")
class DemoTest {
  private static final List<String> KEYS =
      List.of(
          "committed",
          "rolledBack",
          "delivered",
          "lost",
          "ghosts",
          "orderViolations",
          "duplicates",
          "faults",
          "seconds");

  @TempDir private Path folder;

  @Test
  void everyCommittedEventArrivesThoughARelayAndTheBrokerAreKilled() throws Exception {
    everythingArrives("kafka");
  }

  @Tag("long")
  @Test
  void theSameOnRabbitMq() throws Exception {
    everythingArrives("rabbitmq");
  }

  private void everythingArrives(String broker) throws Exception {
    try (DemoRun demo =
        new DemoRun(folder, "--broker", broker, "--events", "3000", "--rate", "1000", "--json")) {
      int exit = demo.awaitEnd();

      assertThat(demo.lines())
          .anyMatch(line -> line.matches(" +time +written +published +consumed +lag +lanes"))
          .anyMatch(line -> line.matches(" *[0-9.]+s( +[0-9,]+){4} +relay-1 32, relay-2 32"))
          .anyMatch(line -> line.contains("kill -9 relay-1"))
          .anyMatch(line -> line.contains("carries on with the keys of relay-1"))
          .anyMatch(line -> line.contains("OK: every committed event arrived"));
      JsonNode result = lastLine(demo);
      assertThat(result.propertyNames()).containsExactlyElementsOf(KEYS);
      assertThat(result.path("committed").asInt()).isEqualTo(3000);
      assertThat(result.path("rolledBack").asInt()).isPositive();
      assertThat(result.path("delivered").asInt()).isEqualTo(3000);
      assertThat(result.path("lost").asInt()).isZero();
      assertThat(result.path("ghosts").asInt()).isZero();
      assertThat(result.path("orderViolations").asInt()).isZero();
      assertThat(result.path("faults").asInt()).isEqualTo(2);
      assertThat(result.path("seconds").asDouble()).isPositive();
      assertThat(exit).isZero();
      assertThat(demo.folders()).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void anInterruptStopsTheOrdersAndReconcilesWhatThereIs() throws Exception {
    try (DemoRun demo = new DemoRun(folder, "--events", "20000", "--rate", "500", "--json")) {
      demo.awaitLineWith("kill -9 relay-1");
      List<ProcessHandle> processes = demo.processes();

      demo.signal("INT");

      assertThat(demo.awaitEnd()).isZero();
      JsonNode result = lastLine(demo);
      assertThat(result.path("committed").asInt()).isBetween(1, 19_999);
      assertThat(result.path("lost").asInt()).isZero();
      // Guards of servers end after what they guard.
      assertThat(processes).isNotEmpty();
      await().untilAsserted(() -> assertThat(processes).noneMatch(ProcessHandle::isAlive));
      assertThat(demo.folders()).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void keepsEverythingRunningOnRequestUntilAnInterrupt() throws Exception {
    try (DemoRun demo = new DemoRun(folder, "--events", "1000", "--rate", "1000", "--keep")) {
      demo.awaitLineWith("Everything is still running");
      String status = demo.lineWith("./waybill status --config ");
      Path config = Path.of(status.substring(status.indexOf("--config ") + 9).strip());
      StandaloneOutbox outbox =
          StandaloneOutboxes.of(StandaloneOutboxes.loader().load(config, Map.of()), "test").get(0);
      try (Admin admin = outbox.admin()) {
        assertThat(admin.sessions()).isNotEmpty();
      }
      demo.signal("INT");

      assertThat(demo.awaitEnd()).isZero();
      assertThat(demo.folders()).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void nothingIsLeftWhenTheDemoItselfIsKilled() throws Exception {
    try (DemoRun demo = new DemoRun(folder, "--events", "100000", "--rate", "500")) {
      demo.awaitLineWith("lanes");
      List<ProcessHandle> processes = demo.processes();
      assertThat(processes).hasSizeGreaterThan(5);
      assertThat(processes.stream().map(DemoRun::command).filter(c -> c.get(0).endsWith("/java")))
          .areExactly(2, containing("relay"))
          .areExactly(1, containing("io.waybill.demo.OrderService"))
          .areExactly(1, containing("io.waybill.demo.ConsumerProcess"));

      demo.signal("KILL");

      await()
          .atMost(Patience.of(Duration.ofSeconds(30)))
          .untilAsserted(
              () -> {
                assertThat(processes).noneMatch(ProcessHandle::isAlive);
                assertThat(demo.folders()).isEmpty();
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rate=-1", "--broker=nats"})
  void aBadOptionIsNamedWithItsRuleAndValue(String option) throws Exception {
    try (DemoRun demo = new DemoRun(folder, option)) {
      assertThat(demo.awaitEnd()).isEqualTo(2);
      String[] parts = option.split("=", -1);
      assertThat(String.join("\n", demo.lines())).contains(parts[0]).contains(parts[1]);
    }
  }

  private static Condition<List<String>> containing(String argument) {
    return new Condition<>(command -> command.contains(argument), "with %s", argument);
  }

  private static JsonNode lastLine(DemoRun demo) throws Exception {
    List<String> lines = demo.lines();
    return JsonMapper.shared().readTree(lines.get(lines.size() - 1));
  }
}
