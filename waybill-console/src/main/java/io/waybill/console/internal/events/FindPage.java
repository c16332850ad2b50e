package io.waybill.console.internal.events;

import io.waybill.admin.EventFilter;
import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.Answers;
import io.waybill.spring.internal.api.ApiProblem;
import java.util.Locale;

/** Leads from an id, a key or a trace to the page that shows it. */
public final class FindPage implements Page {
  private static final int NOT_FOUND = 404;

  /** For the console. */
  public FindPage() {}

  @Override
  public String path() {
    return "find";
  }

  @Override
  public boolean isSeen() {
    return false;
  }

  @Override
  public Reply show(Visit visit) {
    String text = visit.text("q");
    if (text.isEmpty()) {
      return new Reply.Next("events");
    }
    // An id can look like all else, and its index leads to it.
    if (isEvent(visit, text)) {
      return new Reply.Next(Link.to("event", "id", text));
    }
    String trace = text.toLowerCase(Locale.ROOT);
    if (EventFilter.isTraceId(trace)) {
      return new Reply.Next(Link.to("events", "traceId", trace));
    }
    int slash = text.indexOf('/');
    return new Reply.Next(
        slash < 1
            ? Link.to("events", "eventId", text)
            : Link.to(
                "events",
                "aggregateType",
                text.substring(0, slash),
                "aggregateId",
                text.substring(slash + 1)));
  }

  private static boolean isEvent(Visit visit, String id) {
    try {
      visit.ask("/event", Answers.Event.class, "id", id);
      return true;
    } catch (ApiProblem problem) {
      if (problem.status() == NOT_FOUND) {
        return false;
      }
      throw problem;
    }
  }
}
