package io.waybill.console.internal.jobs;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;

/** Changes of many events, the latest first. */
public final class JobsPage implements Page {
  /** For the console. */
  public JobsPage() {}

  @Override
  public String path() {
    return "jobs";
  }

  @Override
  public View show(Visit visit) {
    return new View(
        "jobs/jobs.jte",
        "Jobs",
        visit.ask("/jobs", Answers.Jobs.class, "after", visit.text("after"), "limit", "50"));
  }
}
