package io.waybill.spring.internal.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.TableSchema;
import io.waybill.observe.Check;
import io.waybill.observe.Finding;
import io.waybill.proof.server.PostgresServer;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.properties.WaybillProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unwise configurations on a real PostgreSQL; the broker is away. */
@Tag("server")
class ConfigChecksTest {
  private static final String YAML =
      """
      waybill:
        relay: {grace-period: 20s}
        outboxes:
          orders:
            database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
            layout: waybill
            rabbitmq: {addresses: ["127.0.0.1:1"]}
            routes: {default: {target: orders, routing-key: new}}
            failure: {policy: park}
            limits: {lease: 15s}
      """;

  /** What is found of the broker; one that refuses connections does so at once. */
  private static final Check[] BROKER = {Check.RABBITMQ_SILENT, Check.RABBITMQ_POLICIES_UNSEEN};

  private static PostgresServer server;
  @TempDir private Path folder;

  @BeforeAll
  static void launch() throws SQLException {
    server = PostgresServer.launch();
    try (Connection connection = server.dataSource().getConnection()) {
      Schema.of(SchemaOptions.ofDefaults()).apply(connection);
      TableSchema.run(
          connection, TableSchema.documentedTable("event-outbox", DatabaseKind.POSTGRESQL));
    }
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "grace-period: 20s | grace-period: 2s | CONFIG_GRACE_PERIOD_SHORT",
        "lease: 15s | lease: 5m | CONFIG_LEASE_LONG",
        "lease: 15s | lease: 15s, max-bytes: 16GB | CONFIG_MEMORY_SHORT",
        "policy: park | policy: bury, dead-letter: {target: orders} | CONFIG_DEAD_LETTERS_RETURN",
      })
  void anUnwiseSettingIsNamed(String good, String bad, Check check) {
    assertThat(checks(yaml())).containsExactly(BROKER);
    assertThat(checks(yaml().replace(good, bad))).containsExactly(BROKER[0], BROKER[1], check);
  }

  @Test
  void twoOutboxesOnOneTableAreRefused() {
    String second = yaml().replaceFirst("(?s).*outboxes:\n", "").replace("orders:", "audits:");
    assertThat(findings(yaml() + second, Clock.systemUTC()))
        .filteredOn(finding -> finding.severity() == Finding.Severity.REFUSE)
        .singleElement()
        .returns(Check.CONFIG_TABLE_SHARED, Finding::check)
        .satisfies(finding -> assertThat(finding.detail()).contains("audits"));
    String elsewhere = second.replace("layout: waybill", "schema: {name: other}");
    assertThat(checks(yaml() + elsewhere)).containsExactly(BROKER);
  }

  @Test
  void aTimeRangeThatIsOverIsNamed() {
    String layout = "layout: event-outbox\n      time-range: {until: \"%s-01-01T00:00:00Z\"}";
    assertThat(checks(yaml().replace("layout: waybill", layout.formatted("2020"))))
        .contains(Check.CONFIG_TIME_RANGE_OVER);
    assertThat(checks(yaml().replace("layout: waybill", layout.formatted("2900"))))
        .doesNotContain(Check.CONFIG_TIME_RANGE_OVER);
  }

  @Test
  void anOrderThatEndsAtADeadEventIsNamedUnlessItIsChosen() {
    String documented = yaml().replace("layout: waybill", "layout: event-outbox");
    String open = documented.replace("failure: {policy: park}", "failure: {give-up-after: 1h}");
    assertThat(findings(open, Clock.systemUTC()))
        .filteredOn(finding -> finding.check() == Check.CONFIG_ORDER_ENDS_AT_DEAD)
        .singleElement()
        .returns("waybill.outboxes.orders.failure.policy", Finding::subject)
        .returns(Finding.Severity.WARN, Finding::severity);
    assertThat(checks(documented)).doesNotContain(Check.CONFIG_ORDER_ENDS_AT_DEAD);
    assertThat(checks(documented.replace("policy: park", "policy: bury")))
        .doesNotContain(Check.CONFIG_ORDER_ENDS_AT_DEAD);
  }

  @Test
  void aClockThatIsWrongIsNamed() {
    for (int minutes : new int[] {-1, 1}) {
      Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(minutes));
      assertThat(findings(yaml(), wrong))
          .extracting(Finding::check)
          .containsExactly(Check.CLOCKS_APART, BROKER[0], BROKER[1]);
    }
  }

  private static String yaml() {
    return YAML.formatted(server.port());
  }

  private List<Check> checks(String yaml) {
    return findings(yaml, Clock.systemUTC()).stream().map(Finding::check).toList();
  }

  private List<Finding> findings(String yaml, Clock clock) {
    LoadedConfig<WaybillProperties> loaded =
        StandaloneOutboxes.loader().load(write(yaml), Map.of());
    List<StandaloneOutbox> outboxes = StandaloneOutboxes.of(loaded, "relay-t");
    assertThat(loaded.problems()).isEmpty();
    return outboxes.stream()
        .filter(outbox -> outbox.name().equals("orders"))
        .findFirst()
        .orElseThrow()
        .check(clock);
  }

  private Path write(String yaml) {
    try {
      return Files.writeString(folder.resolve("waybill.yaml"), yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
