package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.database.ConnectionFactory;
import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.JdbcInboxStore;
import io.waybill.message.Header;
import io.waybill.message.ReceivedEvent;
import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What inboxes on real servers do with events that failed: deferred, given up, sent again. */
abstract class DeadLetterRedriveContract extends DeadLetterSetting {
  private static final String TYPE = "placed";

  // Events that the handlers of an inbox refuse, or can't handle for now, as CONSUMER EVENT.
  final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final Set<String> unable = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void createTables() throws SQLException {
    assertThat(run("schema", "apply", "--inbox").code()).isEqualTo(ExitCode.OK);
    sql("create table effect (n serial, consumer text, event_id text)");
  }

  @Test
  void theInboxThatGaveUpAppliesAgainAndNoOther() throws Exception {
    refused.addAll(Set.of("payment e1", "payment e2"));
    boolean shared = broker().keeps();
    try (Inbox payment = inbox("payment");
        Inbox inventory = shared ? inbox("inventory") : payment) {
      send("e1", "e2", "e3");
      until(() -> ids("list").equals(List.of("e1", "e2")) && effects("payment").size() == 1);
      refused.clear();

      CommandRun done = redrive("--error", "permanent-failure");
      assertThat(done.code()).as(done.toString()).isEqualTo(ExitCode.OK);
      assertThat(done.json().get("redriven").asInt()).as(done.toString()).isEqualTo(2);
      assertThat(done.json().get("applied").asInt()).as(done.toString()).isEqualTo(2);
      until(() -> effects("payment").size() == 3);
      assertThat(effects("payment")).containsExactly("e3", "e1", "e2");

      // What is redriven for another is not applied, and what comes later of its key shows it.
      refused.add("payment e4");
      send("e4");
      until(() -> ids("list").contains("e4"));
      refused.clear();
      CommandRun another = redrive("e4", "--for", "mail", "--for-another");
      assertThat(another.json().get(shared ? "unclear" : "failed").asInt())
          .as(another.toString())
          .isEqualTo(1);
      send("e5");
      until(() -> effects("payment").contains("e5"));
      assertThat(effects("payment")).containsExactly("e3", "e1", "e2", "e5");
      if (shared) {
        until(() -> effects("inventory").contains("e5"));
        assertThat(effects("inventory")).containsExactly("e1", "e2", "e3", "e4", "e5");
      } else {
        // Nobody else reads a queue, so it is a letter again.
        until(() -> ids("list", "--error", "redriven-for-another").equals(List.of("e4")));
      }
      assertThat(inventory.problem()).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void aRedriveThatIsKilledLosesNothingAndAppliesNothingTwice() throws Exception {
    List<String> all = IntStream.range(10, 40).mapToObj(i -> "e" + i).toList();
    all.forEach(id -> refused.add("payment " + id));
    try (Inbox payment = inbox("payment");
        RelayProcesses processes = new RelayProcesses(folder)) {
      send(all.toArray(String[]::new));
      until(() -> ids("list").size() == all.size());
      refused.clear();
      Process killed =
          processes.run(config, Map.of(), redriveArguments("--type", TYPE, "--rate", "5"));
      until(() -> effects("payment").size() > 3);
      killed.destroyForcibly().waitFor();
      assertThat(effects("payment")).hasSizeLessThan(all.size());

      String job = run("jobs", "list", "--json").json().get(0).get("job").asString();
      CommandRun next = run("jobs", "run", job, "--yes", "--reason", "go on", "--json");
      assertThat(next.code()).as(next.toString()).isEqualTo(ExitCode.OK);
      assertThat(next.json().get("succeeded").asInt()).isEqualTo(all.size());
      assertThat(effects("payment")).hasSize(all.size());
      assertThat(redrive("--type", TYPE).json().get("redriven").asInt()).as("again").isZero();
      if (broker().keeps()) {
        assertThat(redrive("--type", TYPE, "--again").code()).isEqualTo(ExitCode.OK);
      }
      send("last");
      until(() -> effects("payment").contains("last"));
      assertThat(effects("payment"))
          .containsExactlyElementsOf(Stream.concat(all.stream(), Stream.of("last")).toList());
      assertThat(payment.problem()).isEmpty();
    }
  }

  @Test
  void aCanaryThatComesBackIsTheEndAndTheOthersStay() throws Exception {
    List<String> all = IntStream.range(10, 22).mapToObj(i -> "e" + i).toList();
    all.forEach(id -> refused.add("payment " + id));
    try (Inbox payment = inbox("payment")) {
      send(all.toArray(String[]::new));
      until(() -> ids("list").size() == all.size());

      CommandRun early = redrive("--type", TYPE, "--canary", "3");
      assertThat(early.code()).as(early.toString()).isEqualTo(ExitCode.FINDINGS);
      assertThat(early.json().get("redriven").asInt()).isEqualTo(3);
      assertThat(early.json().get("failed").asInt()).isEqualTo(3);
      assertThat(early.json().get("failure").asString())
          .startsWith("e10: permanent-failure")
          .contains("no account");
      String job = early.json().get("job").asString();
      assertThat(run("jobs", "show", job, "--json").jsonTexts("outcome"))
          .containsExactlyElementsOf(
              Stream.concat(
                      Stream.generate(() -> "FAILED").limit(3),
                      Stream.generate(() -> "PLANNED").limit(9))
                  .toList());

      refused.clear();
      CommandRun mended = redrive("--type", TYPE, "--canary", "3");
      assertThat(mended.code()).as(mended.toString()).isEqualTo(ExitCode.OK);
      assertThat(mended.json().get("applied").asInt()).isEqualTo(all.size());
      assertThat(effects("payment"))
          .containsExactlyElementsOf(
              Stream.concat(all.stream().skip(3), all.stream().limit(3)).toList());
      assertThat(redrive("--type", TYPE).json().get("redriven").asInt()).as("again").isZero();
      assertThat(payment.problem()).isEmpty();
    }
  }

  @Test
  void lettersThatComeBackForOneReasonInARowStopIt() throws Exception {
    List<String> all = IntStream.range(10, 40).mapToObj(i -> "e" + i).toList();
    all.forEach(id -> refused.add("payment " + id));
    try (Inbox payment = inbox("payment")) {
      send(all.toArray(String[]::new));
      until(() -> ids("list").size() == all.size());
      refused.remove("payment e10");

      CommandRun stopped =
          redrive("--type", TYPE, "--canary", "1", "--rate", "3", "--stop-after", "3");
      assertThat(stopped.code()).as(stopped.toString()).isEqualTo(ExitCode.FINDINGS);
      assertThat(stopped.json().get("applied").asInt()).as(stopped.toString()).isEqualTo(1);
      assertThat(stopped.json().get("failed").asInt()).isGreaterThanOrEqualTo(3);
      assertThat(stopped.json().get("redriven").asInt()).isLessThan(all.size());
      assertThat(run("jobs", "list", "--json").json().get(0).get("note").asString())
          .contains("3 events failed again without a success between", "permanent-failure");
      assertThat(payment.problem()).isEmpty();
    }
  }

  @Test
  @Tag("long")
  void whatIsDeferredIsHandledByTheNextProcess() throws Exception {
    unable.add("payment e1");
    try (Inbox first = inbox("payment")) {
      send("e1", "e2");
      until(
          () ->
              texts("select event_id from waybill_inbox_deferred order by event_id")
                  .equals(List.of("e1", "e2")));
      assertThat(first.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(effects("payment")).isEmpty();
    unable.clear();
    try (Inbox next = inbox("payment")) {
      until(() -> effects("payment").size() == 2);
      assertThat(effects("payment")).containsExactly("e1", "e2");
      until(() -> texts("select event_id from waybill_inbox_deferred").isEmpty());
      assertThat(next.problem()).isEmpty();
    }
    assertThat(ids("list")).isEmpty();
  }

  final Inbox inbox(String consumer) {
    Properties user = new Properties();
    user.setProperty("user", "postgres");
    ConnectionFactory connections = ConnectionFactory.postgres(databaseUrl(), user);
    return Inbox.builder()
        .name(consumer)
        .store(
            JdbcInboxStore.of(
                connections, DatabaseKind.POSTGRESQL, consumer, InboxOptions.ofDefaults()))
        .subscriber(broker().subscriber(consumer, source))
        .deadLetters(broker().publisher(), broker().transport())
        .handler(TYPE, (event, connection) -> apply(consumer, event, connection))
        .start();
  }

  private void apply(String consumer, ReceivedEvent event, Connection connection)
      throws SQLException {
    if (unable.contains(consumer + " " + event.id())) {
      throw new TemporaryException("the bank does not answer");
    }
    if (refused.contains(consumer + " " + event.id())) {
      throw new PermanentException("no account");
    }
    try (PreparedStatement insert =
        connection.prepareStatement("insert into effect (consumer, event_id) values (?, ?)")) {
      insert.setString(1, consumer);
      insert.setString(2, event.id());
      insert.executeUpdate();
    }
  }

  static List<String> effects(String consumer) throws SQLException {
    return texts("select event_id from effect where consumer = '" + consumer + "' order by n");
  }

  /** All of one key. */
  final void send(String... ids) throws Exception {
    for (String id : ids) {
      broker()
          .send(
              new Outgoing(
                  1,
                  broker().destination(source),
                  new byte[] {'1'},
                  "{}".getBytes(StandardCharsets.UTF_8),
                  "application/json",
                  id,
                  TYPE,
                  0,
                  List.of(
                      new Header("waybill-event-id", id),
                      new Header("waybill-event-type", TYPE),
                      new Header("waybill-aggregate-id", "1"))));
    }
  }

  static void until(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .pollInterval(Duration.ofMillis(100))
        .until(condition);
  }
}
