package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.admin.Admin;
import io.waybill.admin.FailureGroup;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.Jobs;
import io.waybill.server.terminal.ExitCode;
import io.waybill.store.OperatorRequest.Verb;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs that somebody has planned, by command. */
@Tag("long")
class JobsCommandTest extends ParkedGroup {
  private String planned(int canary, int rate) {
    try (Admin admin = admin()) {
      Job job =
          Jobs.of(admin)
              .plan(
                  Verb.RETRY,
                  FailureGroup.filter(GROUP),
                  new Pace(canary, rate, 5),
                  "kim",
                  Jobs.MOST_COUNTED);
      return Long.toString(job.id());
    }
  }

  @Test
  void aPlannedJobIsListedAndRun() throws Exception {
    assertThat(run("jobs", "list").out()).isEqualTo("No job was planned.\n");
    String job = planned(2, 100);
    JsonNode row = run("jobs", "list", "--json").json().get(0);
    assertThat(row.get("job").asString()).isEqualTo(job);
    assertThat(row.get("state").asString()).isEqualTo("PLANNED");
    assertThat(row.get("events").asInt()).isEqualTo(20);
    assertThat(run("jobs", "list", "--limit", "0").code()).isEqualTo(ExitCode.USAGE);

    assertThat(run("jobs", "run", job).out()).contains("Nothing was changed");
    assertThat(run("jobs", "run", job, "--yes").err()).contains("--reason");
    assertThat(requested()).isEmpty();
    CommandRun run = answered(running(job), id -> id.equals("p15"));

    assertThat(run.code()).isEqualTo(ExitCode.OK);
    assertThat(run.json().get("state").asString()).isEqualTo("DONE");
    assertThat(run.json().get("succeeded").asInt()).isEqualTo(19);
    assertThat(run.json().get("failed").asInt()).isEqualTo(1);
    JsonNode failed = run("jobs", "show", job, "--outcome", "failed", "--json").json();
    assertThat(failed).singleElement().returns("p15", each -> each.get("eventId").asString());
    assertThat(run("jobs", "show", job, "--after", "18", "--limit", "1", "--json").json())
        .singleElement()
        .returns(19, each -> each.get("number").asInt());
    assertThat(run("jobs", "run", job, "--yes", "--reason", "again").out()).contains("DONE");
    assertThat(run("jobs", "resume", job).err()).contains("is DONE, but must be PAUSED");
  }

  @Test
  void aJobThatIsPausedGoesOnWhenItIsResumedAndEndsWhenItIsCancelled() throws Exception {
    String job = planned(1, 1);
    Future<CommandRun> running = running(job);
    await().atMost(LIMIT).until(() -> !open().isEmpty());
    assertThat(run("jobs", "pause", job, "--json").json().get("state").asString())
        .isEqualTo("PAUSED");
    CommandRun paused = answered(running, id -> false);
    assertThat(paused.json().get("state").asString()).isEqualTo("PAUSED");
    assertThat(paused.code()).isEqualTo(ExitCode.FINDINGS);
    assertThat(requested()).containsExactly("p10");

    assertThat(run("jobs", "resume", job, "--json").json().get("state").asString())
        .isEqualTo("RUNNING");
    Future<CommandRun> again = running(job);
    await().atMost(LIMIT).until(() -> requested().size() > 1);
    assertThat(run("jobs", "cancel", job, "--json").json().get("state").asString())
        .isEqualTo("CANCELLED");
    CommandRun cancelled = answered(again, id -> false);
    assertThat(cancelled.json().get("state").asString()).isEqualTo("CANCELLED");
    assertThat(requested()).hasSizeLessThan(20);
    assertThat(run("jobs", "cancel", "1").err()).contains("There is no job 1");
  }

  private Future<CommandRun> running(String job) {
    return CompletableFuture.supplyAsync(
        () -> run("jobs", "run", job, "--yes", "--reason", "fixed", "--json"));
  }
}
