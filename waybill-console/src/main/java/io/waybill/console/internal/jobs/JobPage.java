package io.waybill.console.internal.jobs;

import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.spring.internal.api.Answers;
import io.waybill.store.OperatorRequest.Verb;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A job: as a plan, while it runs, and what became of each event. */
public final class JobPage implements Page {
  /**
   * The page.
   *
   * @param job as the API has it
   * @param events a part of its events
   * @param outcome the outcome that is shown alone, or empty
   */
  public record OneJob(Answers.JobView job, Answers.JobEvents events, String outcome) {
    /** Outcomes that can be chosen, as the API names them. */
    public static final List<String> OUTCOMES =
        Arrays.stream(Job.Outcome.values())
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .toList();

    /** Whether it can change by itself. */
    public boolean moves() {
      return job.state() == Job.State.RUNNING || job.open() > 0;
    }

    /** How many of its events have an outcome. */
    public long settled() {
      return (long) job.succeeded() + job.failed() + job.refused() + job.skipped() + job.unclear();
    }

    /** How many of its events were never asked for, and never will be by it. */
    public long untried() {
      return switch (job.state()) {
        case STOPPED, CANCELLED, DONE -> Math.max(0, job.events().count() - settled() - job.open());
        case PLANNED, RUNNING, PAUSED -> 0;
      };
    }

    /** What follows when it runs, one or two sentences. */
    public String follows() {
      return job.verb().equals(Job.REDRIVE)
          ? "Each dead letter is sent to where it came from. Its consumer handles it again; one that"
              + " fails again becomes a dead letter again."
          : PlanPage.Plan.follows(Verb.valueOf(job.verb()));
    }
  }

  /** For the console. */
  public JobPage() {}

  @Override
  public String path() {
    return "job";
  }

  @Override
  public View show(Visit visit) {
    String id = visit.text("id");
    String outcome = visit.text("outcome");
    Answers.JobView job = visit.ask("/job", Answers.JobView.class, "id", id);
    OneJob page =
        new OneJob(
            job,
            visit.ask(
                "/job/events",
                Answers.JobEvents.class,
                "id",
                id,
                "outcome",
                outcome,
                "after",
                visit.text("after"),
                "limit",
                "50"),
            outcome);
    return new View(
        visit.text("part").equals("now") ? "jobs/now.jte" : "jobs/job.jte",
        "Job " + job.id(),
        page);
  }

  @Override
  public Reply submit(Visit visit) {
    String id = visit.text("id");
    switch (visit.text("action")) {
      case "run" ->
          visit.change("/job/run", Answers.JobView.class, "id", id, "reason", visit.text("reason"));
      case "pause" -> visit.change("/job/pause", Answers.JobView.class, "id", id);
      case "resume" -> visit.change("/job/resume", Answers.JobView.class, "id", id);
      case "cancel" -> visit.change("/job/cancel", Answers.JobView.class, "id", id);
      default -> {}
    }
    return new Reply.Next(Link.to("job", "id", id));
  }
}
