package io.waybill.console.internal.inbox;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ConsumerAnswers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Consumers with inboxes beside the outbox: lag, dead letters, and what they have deferred. */
public final class InboxPage implements Page {
  /**
   * The page.
   *
   * @param consumers as the API has them
   * @param missing why there are none, or null
   */
  public record Inbox(ConsumerAnswers.Consumers consumers, @Nullable String missing) {
    /**
     * Consumers of an outbox, if it has tables of an inbox.
     *
     * @param visit the request
     * @param limit the most that are wanted
     */
    public static Inbox of(Visit visit, String limit) {
      try {
        return new Inbox(
            visit.ask(
                "/consumers",
                ConsumerAnswers.Consumers.class,
                "after",
                visit.text("after"),
                "limit",
                limit),
            null);
      } catch (ApiProblem problem) {
        if (problem.status() != 404) {
          throw problem;
        }
        return new Inbox(
            new ConsumerAnswers.Consumers(null, List.of(), null, null), problem.getMessage());
      }
    }
  }

  /** For the console. */
  public InboxPage() {}

  @Override
  public String path() {
    return "inbox";
  }

  @Override
  public View show(Visit visit) {
    return new View("inbox/inbox.jte", "Inbox", Inbox.of(visit, "50"));
  }
}
