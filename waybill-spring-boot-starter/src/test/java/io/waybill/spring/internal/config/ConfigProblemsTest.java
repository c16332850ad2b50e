package io.waybill.spring.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of all that is wrong with a configuration. */
class ConfigProblemsTest {
  private static final String OUTBOX = "waybill.outboxes.orders.";
  @TempDir private Path folder;

  @Test
  void listsAllAtOnceInTheOrderOfTheFile() {
    String yaml =
        """
        server: {port: 80x}
        waybill:
          relay: {grace-period: 20}
          outboxes:
            orders:
              kafka: {bootstrap-servers: [nowhere]}
              routes: {default: {format: xml, tarket: a}}
              limits: {lease: 15}
        loging: {format: xml}
        """;

    assertThat(Configs.problems(folder, yaml, Map.of("WAYBILL_RELAY_ENABLED", "maybe")))
        .extracting(Problem::toString)
        .containsExactly(
            "server.port must be a whole number from 0 to 65535, but is '80x' (relay.yaml line 1)",
            "waybill.relay.grace-period must be a whole number with a unit (ms, s, m, h, d), for"
                + " example 15s, but is '20' (relay.yaml line 3)",
            "waybill.outboxes.orders.kafka.bootstrap-servers must be host:port, but is 'nowhere'"
                + " (relay.yaml line 6)",
            "waybill.outboxes.orders.routes.default.tarket is not a known key; did you mean"
                + " 'target'? (relay.yaml line 7)",
            "waybill.outboxes.orders.routes.default.format must be one of raw, generic, envelope,"
                + " cloudevents, cloudevents-binary, but is 'xml' (relay.yaml line 7)",
            "waybill.outboxes.orders.limits.lease must be a whole number with a unit (ms, s, m, h,"
                + " d), for example 15s, but is '15' (relay.yaml line 8)",
            "loging is not a known key; did you mean 'logging'? (relay.yaml line 9)",
            "waybill.relay.enabled must be true or false, but is 'maybe' (WAYBILL_RELAY_ENABLED)",
            "waybill.outboxes.orders.database.url must be given",
            "waybill.outboxes.orders.routes.default.target must be given");
  }

  @Test
  void aRuleAboutADefaultShowsIt() {
    String yaml = Configs.outboxWith("limits: {renew-interval: 10s}");

    assertThat(Configs.problems(folder, yaml, Map.of()))
        .singleElement()
        .hasToString(
            "waybill.outboxes.orders.retention must be longer than limits.renew-interval, but is"
                + " '7d' (default)");
  }

  @Test
  void refusesPlaceholdersThatReferToThemselves() {
    Map<String, String> variables = Map.of("A", "x${B}", "B", "${C}", "C", "${A}");
    String yaml = Configs.MINIMAL.replace("database:\n", "database:\n        username: ${A}\n");

    assertThat(Configs.problems(folder, yaml, variables))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.key()).isEqualTo(OUTBOX + "database.username");
              assertThat(problem.rule()).contains("which refers to itself");
              assertThat(problem.origin()).isEqualTo("relay.yaml line 5");
            });
  }

  @Test
  void keepsTheListBounded() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      yaml.append("key").append(i).append(": 1\n");
    }

    assertThat(Configs.problems(folder, yaml.toString(), Map.of())).hasSizeBetween(1, 200);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    Path file = folder.resolve("nowhere.yaml");

    assertThat(Configs.LOADER.load(file, Map.of()).problems())
        .containsExactly(new Problem("", "cannot be read", "", ""));
  }
}
