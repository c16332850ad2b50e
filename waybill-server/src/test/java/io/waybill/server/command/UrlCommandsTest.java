package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import io.waybill.testkit.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands of somebody who has no database login, through a real API. */
class UrlCommandsTest extends ApiOnPostgres {
  private static final String GROUP = "ab".repeat(16);

  /** Through the API as a user, whose login is in a file. */
  private CommandRun url(String user, String... arguments) throws Exception {
    return at(api.url(), user, arguments);
  }

  private CommandRun at(String url, String user, String... arguments) throws Exception {
    Path login = Files.writeString(home().resolve("login"), login(user) + "\n");
    return CommandRun.of(Map.of(), with(arguments, "--url", url, "--token-file", login.toString()));
  }

  private static String login(String user) {
    return user + ":" + ApiServer.password(user);
  }

  @Test
  @Tag("long")
  void theOutputIsThatOfTheCommandWithADatabase() throws Exception {
    aBusyOutbox();
    for (String command :
        List.of(
            "events list",
            "events list --json",
            "events list --state parked --type placed --key order/1 --newer-than 1d",
            "events list --newest-first --limit 2",
            "events count",
            "events count --state pending --json",
            "failures list",
            "failures list --json",
            "keys blocked",
            "keys blocked --json",
            "keys blocked --limit 1",
            "audit",
            "audit --json",
            "audit --limit 1",
            "jobs list",
            "jobs list --json",
            "doctor --json",
            "history",
            "history --newer-than 48h --json",
            "history --step hour --destination orders-red --json",
            "failures retry parked-" + GROUP,
            "events skip e3 e4",
            "events park --state pending --json",
            "destinations pause audit --json")) {
      CommandRun before = run(command.split(" "));
      CommandRun found = url("viewer", command.split(" "));
      // The history has another minute where one has passed meanwhile.
      CommandRun expected = found.out().equals(before.out()) ? before : run(command.split(" "));
      assertThat(found.out()).as(command).isEqualTo(expected.out()).isNotEmpty();
      assertThat(found.code()).as(found.err()).isEqualTo(expected.code());
    }
  }

  /** Something in each list, and more than fits a page where pages can be small. */
  private void aBusyOutbox() throws Exception {
    sql(
        """
        update waybill_row_state set failure_group = '%s', destination = 'orders-red' where state = 'PARKED';
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          select 'w' || n, 'placed', 'order', '1', '{}' from generate_series(1, 3) n;
        insert into waybill_session (relay, lease_until, renewed_at, failing) values
          ('relay-1', '2026-01-01T00:02:00Z', '2026-01-01T00:01:00Z', '[]');
        update waybill_lane set fence = (select min(fence) from waybill_session);
        insert into waybill_rollup
          select date_trunc('minute', now()) - n * interval '1 minute', 'orders-red', n, 0, 0, 0, 0, 0, 0, 0
          from generate_series(1, 90) n"""
            .formatted(GROUP));
    ApiServer.json(
        api.post(
            "operator", "/outboxes/orders/jobs", Map.of("verb", "park", "eventId", List.of("e3"))));
    assertThat(run("destinations", "pause", "audit", "--yes", "--reason", "full").code()).isZero();
    assertThat(run("events", "skip", "e4", "--yes", "--reason", "a test").code()).isZero();
  }

  /** What changes with time, what only routes say and what the API hides is left out. */
  @Test
  void whatKnowsTimesRoutesOrHeadersIsTheSameButForThese() throws Exception {
    aBusyOutbox();
    sql("update waybill_session set lease_until = now() + interval '1 hour'");
    for (List<String> command :
        List.of(List.of("status", "--count"), List.of("events", "show", "e1"), List.of("relays"))) {
      String[] json = with(command.toArray(String[]::new), "--json");
      assertThat(stable(url("here", json))).isEqualTo(stable(run(json)));
    }
    assertThat(url("here", "destinations", "list", "--json").jsonTexts("destination"))
        .isEqualTo(run("destinations", "list", "--json").jsonTexts("destination"))
        .contains("audit", "orders-red");
    assertThat(url("here", "events", "show", "e3").out()).contains("waits", "relay-1");
  }

  private static String stable(CommandRun run) {
    assertThat(run.code()).as(run.err()).isZero();
    return run.out()
        .replaceAll("\"(oldestUnpublishedSeconds|leaseSeconds|caughtUpSeconds)\":[0-9.E]+", "")
        .replaceAll("\"headers\":(null|\\{[^}]*\\})", "");
  }

  @Test
  void statusIsWatched() throws Exception {
    Path login = Files.writeString(home().resolve("login"), login("viewer"));
    CompletableFuture<String> lines = new CompletableFuture<>();
    Thread watch =
        new Thread(
            () ->
                lines.complete(
                    CommandRun.of(
                            Map.of(),
                            "status",
                            "--watch=100ms",
                            "--json",
                            "--url",
                            api.url(),
                            "--token-file",
                            login.toString())
                        .out()));
    watch.start();
    Duration limit = Patience.of(Duration.ofSeconds(60));
    await().atMost(limit).until(() -> watch.getState() == Thread.State.TIMED_WAITING);
    watch.interrupt();
    assertThat(lines.get(limit.toSeconds(), TimeUnit.SECONDS)).contains("\"outbox\":\"orders\"");
  }

  @Test
  void aPathBeforeTheApiAndItsOwnAreTaken() throws Exception {
    try (ApiServer below =
        ApiServer.start(config(), users, Map.of("SERVER_SERVLET_CONTEXTPATH", "/waybill"))) {
      String count = run("events", "count").out();
      for (String url : List.of("/waybill", "/waybill/", "/waybill/api/v1")) {
        assertThat(at(below.url() + url, "viewer", "events", "count").out()).isEqualTo(count);
      }
      CommandRun wrong = at(below.url(), "viewer", "events", "count", "--outbox", "orders");
      assertThat(wrong.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(wrong.err()).contains("There is no API at " + below.url(), "404");
    }
  }

  @Test
  void theTokenComesFromTheEnvironmentToo() {
    String[] command = {"events", "count", "--url", api.url()};
    assertThat(CommandRun.of(Map.of("WAYBILL_TOKEN", login("viewer")), command).code()).isZero();

    CommandRun none = CommandRun.of(Map.of(), command);
    assertThat(none.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(none.err()).contains(api.url() + " answers 401", "--token-file or WAYBILL_TOKEN");
    CommandRun wrong = CommandRun.of(Map.of("WAYBILL_TOKEN", "viewer:wr0ng"), command);
    assertThat(wrong.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(wrong.out() + wrong.err()).contains("401").doesNotContain("wr0ng");
    CommandRun odd = CommandRun.of(Map.of("WAYBILL_TOKEN", "s3cret\u0001"), command);
    assertThat(odd.code()).isEqualTo(ExitCode.USAGE);
    assertThat(odd.out() + odd.err()).contains("WAYBILL_TOKEN").doesNotContain("s3cret");
  }

  @Test
  void refusalsNameTheRoleTheThingAndTheRule() throws Exception {
    CommandRun role = url("viewer", "events", "skip", "e3", "--yes", "--reason", "x");
    assertThat(role.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(role.err()).contains(api.url(), "403", "WAYBILL_OPERATOR_orders");
    assertThat(url("elsewhere", "status").err()).contains("needs a role like WAYBILL_VIEWER");
    assertThat(url("elsewhere", "status", "--outbox", "orders").err())
        .contains("403", "WAYBILL_VIEWER_orders");
    assertThat(url("viewer", "status", "--outbox", "none").err())
        .contains("404", "There is no outbox 'none'");
    assertThat(url("viewer", "events", "show", "e9").err()).isEqualTo("There is no event 'e9'\n");
    assertThat(url("viewer", "jobs", "show", "7").err()).isEqualTo("There is no job 7\n");
    CommandRun rule = url("viewer", "keys", "blocked", "--after", "zz", "--json");
    assertThat(rule.code()).isEqualTo(ExitCode.USAGE);
    assertThat(rule.json().get("error").asString())
        .contains("400", "after must be the next of a previous page, but is 'zz'");
  }

  @Test
  void aDatabaseThatIsAwayIsTold() throws Exception {
    sql("alter table waybill_outbox rename to elsewhere");
    CommandRun away = url("viewer", "events", "list", "--outbox", "orders");
    assertThat(away.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(away.err()).contains(api.url() + " answers 503");
  }

  @Test
  void whoeverGuessesIsToldWhenToGoOn() throws Exception {
    String[] command = {"events", "count", "--url", api.url()};
    CommandRun last = CommandRun.of(Map.of("WAYBILL_TOKEN", "viewer:wrong"), command);
    for (int i = 0; i < 15; i++) {
      last = CommandRun.of(Map.of("WAYBILL_TOKEN", "viewer:wrong"), command);
    }
    assertThat(last.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(last.err()).contains("429", "try again in");
  }

  @Test
  void tlsThatFailsIsNamed() throws Exception {
    CommandRun run = at(api.url().replace("http:", "https:"), "viewer", "status");
    assertThat(run.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(run.err()).contains("https://127.0.0.1", "TLS", "trustStore");
  }
}
