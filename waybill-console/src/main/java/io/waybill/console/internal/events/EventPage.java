package io.waybill.console.internal.events;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventView;
import io.waybill.console.internal.audit.AuditPage;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.Shown;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.message.TraceContext;
import io.waybill.spring.internal.api.Answers;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event: its life, what holds it, its neighbours, and its payload when it is revealed. */
public final class EventPage implements Page {
  private static final String FEW = "5";

  /**
   * The page.
   *
   * @param event as the API has it
   * @param line what has happened, in the order of time
   * @param before events of its key that were written before it, the nearest first
   * @param after events of its key that follow it
   * @param contents payload and headers, or null while they are masked
   */
  public record OneEvent(
      Answers.Event event,
      List<Moment> line,
      List<EventView> before,
      List<EventView> after,
      Answers.@Nullable Contents contents) {
    /**
     * The id of the trace in which it was written; null if there is none that can be looked for.
     */
    public @Nullable String trace() {
      String id = TraceContext.traceId(event.traceparent());
      return id != null && EventFilter.isTraceId(id) ? id : null;
    }
  }

  /**
   * Something that has happened, or will.
   *
   * @param at when
   * @param what a few words
   * @param note more about it, or empty
   */
  public record Moment(Instant at, String what, String note) {}

  /** For the console. */
  public EventPage() {}

  @Override
  public String path() {
    return "event";
  }

  @Override
  public View show(Visit visit) {
    return view(visit, null);
  }

  private static View view(Visit visit, Answers.@Nullable Contents contents) {
    Answers.Event event = visit.ask("/event", Answers.Event.class, "id", visit.text("id"));
    EventView view = event.event();
    boolean keyed = view.aggregateType() != null && view.aggregateId() != null;
    return new View(
        "events/event.jte",
        "Event",
        new OneEvent(
            event,
            line(event),
            keyed ? neighbours(visit, view, "/events/latest") : List.of(),
            keyed ? neighbours(visit, view, "/events") : List.of(),
            contents));
  }

  private static List<EventView> neighbours(Visit visit, EventView event, String path) {
    return visit
        .ask(
            path,
            Answers.Events.class,
            "aggregateType",
            event.aggregateType(),
            "aggregateId",
            event.aggregateId(),
            "after",
            event.position(),
            "limit",
            FEW)
        .items();
  }

  private static List<Moment> line(Answers.Event event) {
    EventView view = event.event();
    boolean again =
        event.audit().stream().anyMatch(entry -> AuditPage.failedSince(entry, view) != null);
    List<Moment> line = new ArrayList<>();
    add(line, view.createdAt(), "written", "");
    add(line, view.delayedUntil(), "due", "");
    // The latest is first.
    for (int i = event.audit().size() - 1; i >= 0; i--) {
      asked(line, event.audit().get(i), view);
    }
    add(
        line,
        view.failedAt(),
        (again ? "failed again: " : "")
            + (view.reason() == null ? "changed" : Shown.name(view.reason())),
        Shown.text(view.detail()));
    add(line, view.nextAttemptAt(), "next attempt", "");
    add(line, view.publishedAt(), "published", "");
    line.sort(Comparator.comparing(Moment::at));
    return line;
  }

  private static void asked(List<Moment> line, AuditEntry entry, EventView view) {
    if (entry.earlierReason() != null) {
      add(
          line,
          entry.requestedAt(),
          "had failed before this",
          Shown.text(entry.earlierReason()) + ". When is not kept.");
    }
    String verb = Shown.name(entry.verb());
    add(
        line,
        entry.requestedAt(),
        "%s asked: %s".formatted(Shown.name(entry.requestedBy()), verb),
        Shown.text(entry.reason()));
    // That it was carried out may be written after the failure that followed.
    boolean again = AuditPage.failedSince(entry, view) != null;
    Instant completed = entry.completedAt();
    Instant failed = view.failedAt();
    boolean late = again && completed != null && failed != null && completed.isAfter(failed);
    add(
        line,
        late ? failed : completed,
        verb
            + (!Boolean.TRUE.equals(entry.done())
                ? " refused"
                : entry.verb().equals(Verb.RETRY.name()) ? " carried out" : " done"),
        Shown.text(entry.note()));
  }

  private static void add(List<Moment> line, @Nullable Instant at, String what, String note) {
    if (at != null) {
      line.add(new Moment(at, what, note));
    }
  }

  /** No address may lead to what an event holds: each look is in the audit. */
  @Override
  public Reply submit(Visit visit) {
    return view(
        visit,
        visit.change(
            "/event/payload",
            Answers.Contents.class,
            "id",
            visit.text("id"),
            "reason",
            visit.text("reason")));
  }
}
