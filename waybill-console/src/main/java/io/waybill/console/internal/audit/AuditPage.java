package io.waybill.console.internal.audit;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventView;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.internal.jdbc.operator.VainRetries;
import io.waybill.spring.internal.api.Answers;
import io.waybill.store.OperatorRequest.Verb;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who asked for what, why, and what became of it. */
public final class AuditPage implements Page {
  /**
   * The page.
   *
   * @param entries as the API has them
   * @param retried events of retries as they are now, by id
   */
  public record Audited(Answers.Audit entries, Map<String, EventView> retried) {
    /** The event of a retry if it has failed since; else null. */
    public @Nullable EventView failedAgain(AuditEntry entry) {
      return failedSince(entry, retried.get(String.valueOf(entry.eventId())));
    }
  }

  /** For the console. */
  public AuditPage() {}

  /**
   * The event of a retry that was carried out, if it has failed since.
   *
   * @param event as it is now, or null if it is not known
   */
  public static @Nullable EventView failedSince(AuditEntry entry, @Nullable EventView event) {
    return event != null && isRetry(entry) && VainRetries.isVain(entry.requestedAt(), event)
        ? event
        : null;
  }

  private static boolean isRetry(AuditEntry entry) {
    return entry.verb().equals(Verb.RETRY.name())
        && Boolean.TRUE.equals(entry.done())
        && entry.eventId() != null;
  }

  @Override
  public String path() {
    return "audit";
  }

  @Override
  public View show(Visit visit) {
    Answers.Audit entries =
        visit.ask("/audit", Answers.Audit.class, "after", visit.text("after"), "limit", "100");
    List<String> ids =
        entries.items().stream()
            .filter(AuditPage::isRetry)
            .map(entry -> Objects.requireNonNull(entry.eventId()))
            .distinct()
            .toList();
    Map<String, EventView> retried =
        ids.isEmpty()
            ? Map.of()
            : visit.ask("/events", Answers.Events.class, Map.of("eventId", ids)).items().stream()
                // An adopted table may have an id twice.
                .collect(
                    Collectors.toMap(
                        EventView::eventId, Function.identity(), (first, second) -> second));
    return new View("audit/audit.jte", "Audit", new Audited(entries, retried));
  }
}
