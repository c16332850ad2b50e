package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exchanges, queues and bindings that routes need and RabbitMQ lacks, with a relay that waits. */
@Tag("server")
@Tag("long")
class DeclareExchangesTest {
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final Duration SOON = Patience.of(Duration.ofSeconds(10));
  private static final Map<String, String> SECRETS = Map.of("RABBIT", "guest");
  private static final String[] DO_IT = {"--yes", "--reason", "ticket 7"};

  @TempDir private static Path folder;
  private static PostgresServer database;
  private static RabbitServer rabbit;
  private static RelayProcesses relays;
  private static Path config;

  @BeforeAll
  static void launch() throws Exception {
    database = PostgresServer.launch();
    rabbit = RabbitServer.launch();
    relays = new RelayProcesses(folder);
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
                  rabbitmq: {addresses: ["127.0.0.1:%d"], password: "${RABBIT}"}
                  routes:
                    types:
                      lost: {target: lost, routing-key: order.lost}
                      unbound: {target: unbound/x, routing-key: order.unbound}
                      straight: {target: "", routing-key: straight}
                      keyed: {target: keyed, routing-key: "order.{aggregateType|lower}"}
            """
                .formatted(database.port(), rabbit.port()));
    assertThat(run("schema", "apply").code()).isEqualTo(ExitCode.OK);
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare("unbound/x", "direct", true);
    }
    relays.start(config, SECRETS);
  }

  @AfterAll
  static void end() {
    relays.close();
    rabbit.close();
    database.close();
  }

  private static Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    return factory.newConnection();
  }

  private static CommandRun run(String... words) {
    return CommandRun.on(config, SECRETS, words);
  }

  private static CommandRun declare(String... more) {
    return run(CommandsOnPostgres.with(new String[] {"destinations", "declare"}, more));
  }

  private static List<String> states(CommandRun run, String destination) {
    return run.json()
        .get("parts")
        .valueStream()
        .filter(part -> part.get("destination").asString().equals(destination))
        .map(part -> part.get("state").asString())
        .toList();
  }

  private static void insert(String type) throws SQLException {
    try (java.sql.Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          values ('%s', '%s', 'Food', '%s', '{}')"""
              .formatted(type, type, type));
    }
  }

  private static void failing(String destination, String reason) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(run("destinations", "list", "--json").out())
                    .containsPattern(
                        "\"destination\":\"%s\"[^}]*\"failure\":\"%s\""
                            .formatted(destination, reason)));
  }

  private static void received(String queue) throws Exception {
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      await().atMost(SOON).until(() -> channel.basicGet(queue, true) != null);
    }
  }

  @Test
  void eventsThatWaitForAnExchangeFlowAfterItsDeclaration() throws Exception {
    insert("lost");
    failing("lost/order.lost", "exchange-missing");
    CommandRun plan = declare("lost/order.lost", "--queue", "losses", "--json");
    assertThat(states(plan, "lost/order.lost")).containsExactly("MISSING", "MISSING", "MISSING");
    assertThat(rabbit.ctl("list_exchanges", "name")).doesNotContain("lost");

    CommandRun done =
        declare(CommandsOnPostgres.with(DO_IT, "lost/order.lost", "--queue", "losses", "--json"));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(states(done, "lost/order.lost")).containsExactly("DECLARED", "DECLARED", "DECLARED");
    received("losses");
    assertThat(run("audit", "--json").out())
        .contains("\"verb\":\"DECLARE\"", "queue losses DECLARED");
  }

  /** To an exchange of another type, whose name has a slash. */
  @Test
  void eventsThatWaitForABindingFlowAfterItsDeclaration() throws Exception {
    insert("unbound");
    failing("unbound/x/order.unbound", "unroutable");
    CommandRun plan = declare("unbound/x/order.unbound");
    assertThat(plan.code()).isEqualTo(ExitCode.OK);
    assertThat(plan.out()).contains("EXISTS", "UNKNOWN", "unroutable", "--queue");

    CommandRun done =
        declare(CommandsOnPostgres.with(DO_IT, "unbound/x/order.unbound", "--queue", "bound"));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    assertThat(done.out()).contains("not as durable, of type topic", "stays as it is");
    received("bound");
    assertThat(rabbit.ctl("list_exchanges", "name", "type")).contains("unbound/x\tdirect");
  }

  @Test
  void theDefaultExchangeNeedsItsQueueAlone() throws Exception {
    insert("straight");
    failing("/straight", "unroutable");
    CommandRun done =
        declare(CommandsOnPostgres.with(DO_IT, "/straight", "--queue-type", "classic"));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    received("straight");
    assertThat(rabbit.ctl("list_queues", "name", "type")).contains("straight\tclassic");
  }

  /** The name has a pattern of the route's keys. */
  @Test
  void aRoutingKeyOfATemplateIsBoundByAName() throws Exception {
    String template = "keyed/order.{aggregateType|lower}";
    assertThat(states(declare("--json"), template)).containsExactly("MISSING", "MISSING");
    assertThat(declare(template, "--queue", "kept").code()).isEqualTo(ExitCode.USAGE);
    insert("keyed");
    failing("keyed/order.food", "exchange-missing");

    CommandRun alone =
        declare(CommandsOnPostgres.with(DO_IT, template, "--exchange-type", "topic"));
    assertThat(alone.code()).as("no queue takes its events").isEqualTo(ExitCode.FINDINGS);
    assertThat(alone.out()).contains("DECLARED", "MISSING");
    CommandRun done = declare(CommandsOnPostgres.with(DO_IT, "keyed/order.#", "--queue", "kept"));
    assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
    received("kept");
  }

  @Test
  void aQueueOfManyDestinationsHasToBeMeant() throws Exception {
    assertThat(declare("--queue", "all").err()).contains("The queue needs the name");
    assertThat(declare("/straight", "--queue", "all").code()).isEqualTo(ExitCode.USAGE);
    assertThat(declare("--partitions", "3").code()).isEqualTo(ExitCode.USAGE);
    assertThat(declare("--exchange-type", "queue").code()).isEqualTo(ExitCode.USAGE);
    assertThat(declare("unbound/x/order.unbound", "--queue", " ").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rabbit.ctl("list_queues", "name")).doesNotContain("all");
  }
}
