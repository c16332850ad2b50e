package io.waybill.console.internal.audit;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;

/** Who asked for what, why, and what became of it. */
public final class AuditPage implements Page {
  /** For the console. */
  public AuditPage() {}

  @Override
  public String path() {
    return "audit";
  }

  @Override
  public View show(Visit visit) {
    return new View(
        "audit/audit.jte",
        "Audit",
        visit.ask("/audit", Answers.Audit.class, "after", visit.text("after"), "limit", "100"));
  }
}
