package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.server.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Changes of somebody who has no database login, through a real API that carries them out. */
@Tag("long")
class UrlChangesTest extends ParkedGroup {
  @TempDir private Path home;
  private ApiServer api;
  private Path login = Path.of("unset");

  @BeforeEach
  void start() throws Exception {
    Path users = home.resolve("users");
    Files.write(users, List.of(ApiOnPostgres.user("operator", "operator")));
    login =
        Files.writeString(
            home.resolve("login"), "operator:" + ApiServer.password("operator") + "\n");
    api = ApiServer.start(config(), users);
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private CommandRun url(String... arguments) {
    return CommandRun.of(
        Map.of(), with(arguments, "--url", api.url(), "--token-file", login.toString()));
  }

  private Future<CommandRun> running(String... arguments) {
    return CompletableFuture.supplyAsync(() -> url(with(arguments, "--json")));
  }

  @Test
  void aGroupIsRetriedAfterItsCanary() throws Exception {
    assertThat(url("failures", "retry", GROUP).out())
        .isEqualTo(run("failures", "retry", GROUP).out())
        .contains("Would retry 20 event(s)");
    Future<CommandRun> retry =
        running(
            "failures", "retry", GROUP, "--canary", "3", "--rate", "50", "--yes", "--reason", "ok");
    await().atMost(LIMIT).until(() -> count("waybill_audit") == 3);
    assertThat(requested()).containsExactly("p10", "p11", "p12");

    CommandRun end = answered(retry, id -> id.equals("p15"));

    assertThat(end.code()).as(end.err()).isEqualTo(ExitCode.FINDINGS);
    assertThat(end.json().get("published").asInt()).isEqualTo(19);
    assertThat(end.json().get("failed").asInt()).isEqualTo(1);
    String job = end.json().get("job").asString();
    assertThat(url("jobs", "show", job, "--outcome", "failed", "--json").json())
        .singleElement()
        .returns("p15", each -> each.get("eventId").asString());
    assertThat(url("jobs", "list").out()).isEqualTo(run("jobs", "list").out()).contains(job);
    assertThat(text("select distinct requested_by || reason from waybill_audit"))
        .isEqualTo("operatorok");
  }

  @Test
  void aJobIsPausedResumedAndCancelled() throws Exception {
    Future<CommandRun> retry =
        running("failures", "retry", GROUP, "--canary", "1", "--yes", "--reason", "ok");
    await().atMost(LIMIT).until(() -> !open().isEmpty());
    String job = url("jobs", "list", "--json").json().get(0).get("job").asString();
    assertThat(url("jobs", "pause", job, "--json").json().get("state").asString())
        .isEqualTo("PAUSED");
    CommandRun paused = answered(retry, id -> false);
    assertThat(paused.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(url("jobs", "resume", job).out()).contains("RUNNING");
    Future<CommandRun> followed = running("jobs", "run", job, "--yes", "--reason", "ok");
    assertThat(url("jobs", "cancel", job, "--json").json().get("state").asString())
        .isEqualTo("CANCELLED");
    JsonNode end = answered(followed, id -> false).json();
    assertThat(end.get("state").asString()).isEqualTo("CANCELLED");
    CommandRun again = url("jobs", "cancel", job);
    assertThat(again.code()).isEqualTo(ExitCode.OK);
    CommandRun ended = url("jobs", "pause", job);
    assertThat(ended.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(ended.err()).contains("409", "is CANCELLED, but must be RUNNING");
  }

  /** Events that a filter means are changed by a job, too. */
  @Test
  void eventsAreChangedByAJob() throws Exception {
    Future<CommandRun> skip =
        running("events", "skip", "p10", "p11", "--yes", "--reason", "gone", "--wait");
    CommandRun end = answered(skip, id -> false);
    assertThat(end.code()).as(end.err()).isEqualTo(ExitCode.OK);
    assertThat(end.json().get("state").asString()).isEqualTo("DONE");
    assertThat(end.json().get("verb").asString()).isEqualTo("SKIP");
    assertThat(end.json().get("succeeded").asInt()).isEqualTo(2);
    assertThat(requested()).containsExactly("p10", "p11");
    CommandRun none = url("events", "skip", "p99", "--yes", "--reason", "gone");
    assertThat(none.code()).isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void aChangeWhoseJobIsPausedDoesNotEndWell() throws Exception {
    Future<CommandRun> skip =
        running("events", "skip", "p10", "--yes", "--reason", "gone", "--wait");
    await().atMost(LIMIT).until(() -> !open().isEmpty());
    String job = url("jobs", "list", "--json").json().get(0).get("job").asString();
    assertThat(url("jobs", "pause", job).code()).isEqualTo(ExitCode.OK);

    CommandRun end = answered(skip, id -> false);
    assertThat(end.json().get("state").asString()).isEqualTo("PAUSED");
    assertThat(end.code()).isEqualTo(ExitCode.FINDINGS);
  }

  @Test
  void aDestinationIsPausedAndResumed() throws Exception {
    String[] pause = {"destinations", "pause", "orders-red", "--yes", "--reason", "full"};
    assertThat(url(pause).out())
        .isEqualTo("orders-red is paused; relays follow at their next check.\n");
    assertThat(url("failures", "retry", GROUP, "--yes", "--reason", "x").err())
        .contains("orders-red is paused since", "by operator (full)");
    assertThat(url("destinations", "resume", "orders-red", "--yes", "--reason", "ok").code())
        .isZero();
    assertThat(text("select string_agg(verb || requested_by, ',' order by id) from waybill_audit"))
        .isEqualTo("PAUSEoperator,RESUMEoperator");
  }
}
