package io.waybill.console.internal.failures;

import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import java.util.List;

/** What fails, grouped by type, destination and reason. */
public final class FailuresPage implements Page {
  /**
   * The page.
   *
   * @param state the state that is shown, as the API names it
   * @param groups as the API has them
   */
  public record Failures(String state, Answers.Failures groups) {
    /** States with their names, in the order of the page. */
    public static final List<Tab> TABS =
        List.of(
            new Tab("parked", "Parked"), new Tab("pending", "Retrying"), new Tab("dead", "Dead"));
  }

  /** A state that can be chosen. */
  public record Tab(String state, String label) {}

  /** For the console. */
  public FailuresPage() {}

  @Override
  public String path() {
    return "failures";
  }

  private static String state(Visit visit) {
    return visit.text("state").isEmpty() ? "parked" : visit.text("state");
  }

  /** Writes a note on a group. */
  @Override
  public Reply submit(Visit visit) {
    visit.change(
        "/failures/note",
        Answers.Noted.class,
        "group",
        visit.text("group"),
        "text",
        // Forms have other ends of lines.
        visit.text("text").replace("\r\n", "\n"));
    return new Reply.Next(Link.to("failures", "state", state(visit)));
  }

  @Override
  public View show(Visit visit) {
    String state = state(visit);
    return new View(
        "failures/failures.jte",
        "Failures",
        new Failures(
            state,
            visit.ask(
                "/failures",
                Answers.Failures.class,
                "state",
                state,
                "after",
                visit.text("after"),
                "limit",
                "50")));
  }
}
