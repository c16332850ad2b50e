package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Topics that routes need and Kafka lacks, with a relay whose events wait for them. */
@Tag("server")
@Tag("long")
class DeclareTopicsTest {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final Duration SOON = Patience.of(Duration.ofSeconds(10));
  private static final String[] DO_IT = {"--yes", "--reason", "ticket 7"};

  @TempDir private static Path folder;
  private static PostgresServer database;
  private static KafkaServer kafka;
  private static RelayProcesses relays;
  private static Path config;

  @BeforeAll
  static void launch() throws Exception {
    database = PostgresServer.launch();
    kafka = KafkaServer.launch();
    relays = new RelayProcesses(folder);
    kafka.createTopic("present", 3, Map.of());
    config =
        CommandRun.write(
            folder,
            """
            server: {port: 0}
            waybill:
              relay: {name: relay-1}
              outboxes:
                orders:
                  database: {url: "jdbc:postgresql://127.0.0.1:%d/postgres", username: postgres}
                  kafka: {bootstrap-servers: ["%s"]}
                  routes:
                    default: {target: present}
                    types:
                      waited: {target: waited-for}
                      coloured: {target: "in-{header.colour}"}
            """
                .formatted(database.port(), kafka.bootstrapServers()));
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    relays.start(config, Map.of());
  }

  @AfterAll
  static void end() {
    relays.close();
    kafka.close();
    database.close();
  }

  private static CommandRun run(String... words) {
    return CommandRun.on(config, Map.of(), words);
  }

  private static JsonNode part(CommandRun run, String destination) {
    return run.json()
        .get("parts")
        .valueStream()
        .filter(part -> part.get("destination").asString().equals(destination))
        .findFirst()
        .orElseThrow(() -> new AssertionError(run.toString()));
  }

  private static Set<String> topics() throws Exception {
    try (Admin admin = kafka.admin()) {
      return admin.listTopics().names().get(20, TimeUnit.SECONDS);
    }
  }

  private static void insert(String id, String type, String headers) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox
            (event_id, event_type, aggregate_type, aggregate_id, payload, headers)
          values ('%s', '%s', 'order', '%s', '{}', '%s')"""
              .formatted(id, type, id, headers));
    }
  }

  private static void failing(String destination) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(run("destinations", "list", "--json").out())
                    .containsPattern(
                        "\"destination\":\""
                            + destination
                            + "\"[^}]*\"failure\":\"topic-missing\""));
  }

  private static List<String> audited(String destination) {
    return run("audit", "--json")
        .json()
        .valueStream()
        .filter(
            entry ->
                entry.get("verb").asString().equals("DECLARE")
                    && entry.get("destination").asString().equals(destination))
        .map(entry -> entry.get("outcome").asString() + " " + entry.get("note").asString())
        .toList();
  }

  @Test
  void eventsThatWaitForATopicFlowAfterItsDeclaration() throws Exception {
    insert("w1", "waited", "{}");
    failing("waited-for");

    CommandRun plan = run("destinations", "declare", "--json");
    assertThat(plan.code()).as(plan.toString()).isEqualTo(ExitCode.OK);
    assertThat(plan.json().get("dryRun").asBoolean()).isTrue();
    assertThat(part(plan, "present").get("state").asString()).isEqualTo("EXISTS");
    assertThat(part(plan, "present").get("detail").asString()).startsWith("partitions: 3,");
    assertThat(part(plan, "waited-for").get("state").asString()).isEqualTo("MISSING");
    assertThat(part(plan, "waited-for").get("failure").asString()).isEqualTo("topic-missing");
    assertThat(part(plan, "in-{header.colour}").get("state").asString()).isEqualTo("UNKNOWN");
    assertThat(topics()).doesNotContain("waited-for");
    assertThat(run("destinations", "declare", "--yes").code()).isEqualTo(ExitCode.USAGE);
    assertThat(topics()).doesNotContain("waited-for");

    CommandRun done =
        run(
            CommandsOnPostgres.with(
                new String[] {"destinations", "declare", "--partitions", "2", "--json"}, DO_IT));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    long declared = System.nanoTime();
    assertThat(part(done, "waited-for").get("state").asString()).isEqualTo("DECLARED");
    assertThat(part(done, "waited-for").get("detail").asString()).startsWith("partitions: 2,");
    assertThat(part(done, "present").get("detail").asString()).startsWith("partitions: 3,");
    assertThat(Arrivals.await(kafka, "waited-for", 1)).hasSize(1);
    assertThat(Duration.ofNanos(System.nanoTime() - declared)).isLessThan(SOON);
    assertThat(audited("waited-for"))
        .singleElement()
        .asString()
        .startsWith("done topic waited-for DECLARED: partitions: 2,");
    assertThat(audited("present")).as("nothing was done").isEmpty();
  }

  /** The plan says which, as the relay does. */
  @Test
  void aDestinationOfATemplateIsDeclaredByItsName() throws Exception {
    insert("c1", "coloured", "{\"colour\":\"red\"}");
    failing("in-red");
    assertThat(part(run("destinations", "declare", "--json"), "in-{header.colour}").get("detail"))
        .asString()
        .contains("in-red");

    assertThat(run(CommandsOnPostgres.with(declare("in-red"), DO_IT)).out())
        .contains("DECLARED", "within seconds");
    assertThat(Arrivals.await(kafka, "in-red", 1)).hasSize(1);
    CommandRun again = run(CommandsOnPostgres.with(declare("in-red"), DO_IT));
    assertThat(again.code()).isEqualTo(ExitCode.OK);
    assertThat(again.out()).contains("EXISTS").doesNotContain("DECLARED");
    assertThat(audited("in-red")).hasSize(1);
  }

  @Test
  void oneThatIsRefusedHoldsUpNoOtherAndIsAudited() throws Exception {
    String[] names = declare("in-no spaces", "in-blue", "--replication-factor", "1");
    CommandRun some = run(CommandsOnPostgres.with(names, CommandsOnPostgres.with(DO_IT, "--json")));
    assertThat(some.code()).as(some.toString()).isEqualTo(ExitCode.FINDINGS);
    assertThat(part(some, "in-no spaces").get("state").asString()).isEqualTo("REFUSED");
    assertThat(part(some, "in-no spaces").get("detail")).asString().contains("a-z", "no spaces");
    assertThat(part(some, "in-blue").get("state").asString()).isEqualTo("DECLARED");
    assertThat(topics()).contains("in-blue");

    CommandRun plan = run(declare("in-green", "--replication-factor", "9", "--json"));
    assertThat(plan.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(part(plan, "in-green").get("detail").asString())
        .contains("InvalidReplicationFactorException");
    assertThat(
            run(CommandsOnPostgres.with(declare("in-green", "--replication-factor", "9"), DO_IT))
                .out())
        .contains("REFUSED");
    assertThat(audited("in-green")).singleElement().asString().contains("REFUSED");
    assertThat(topics()).doesNotContain("in-green");
  }

  @Test
  void whatFitsNoRouteOrNoBrokerIsWrongUsage() {
    for (String[] wrong :
        List.of(
            declare("waited-foo"),
            declare("--queue", "q"),
            declare("--exchange-type", "topic"),
            declare("--partitions", "0"),
            declare("--partitions", "many"))) {
      assertThat(run(wrong).code()).as(String.join(" ", wrong)).isEqualTo(ExitCode.USAGE);
    }
    assertThat(run(declare("waited-foo")).err()).contains("did you mean 'waited-for'");
    // The fields of a template are no part of a name.
    assertThat(run(CommandsOnPostgres.with(declare("in-{header.colour}"), DO_IT)).out())
        .contains("UNKNOWN")
        .doesNotContain("DECLARED");
  }

  private static String[] declare(String... more) {
    return CommandsOnPostgres.with(new String[] {"destinations", "declare"}, more);
  }
}
