package io.waybill.server.command;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventView;
import io.waybill.server.terminal.Output;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Events as listings show them. */
final class EventRows {
  private static final int MOST_PAYLOAD_BYTES = 64 << 10;

  private EventRows() {}

  static List<Map<String, @Nullable Object>> of(List<EventView> events) {
    return events.stream().map(EventRows::row).toList();
  }

  static Map<String, @Nullable Object> row(EventView event) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("eventId", event.eventId());
    row.put("eventType", event.eventType());
    row.put("key", key(event));
    row.put("lane", event.lane());
    row.put("state", event.status().name());
    row.put("held", event.held());
    row.put("attempts", event.attempts());
    row.put("createdAt", event.createdAt().toString());
    row.put("nextAttemptAt", text(event.nextAttemptAt()));
    row.put("publishedAt", text(event.publishedAt()));
    row.put("payloadBytes", event.payloadBytes());
    row.put("reason", event.reason());
    return row;
  }

  /** Programs get headers and audit as objects, people as texts. */
  static Map<String, @Nullable Object> detail(
      EventDetail detail, Optional<String> destination, boolean payload, boolean json) {
    Map<String, @Nullable Object> row = row(detail.event());
    row.put("detail", detail.event().detail());
    row.put("failedAt", text(detail.event().failedAt()));
    row.put("destination", destination.orElse(null));
    row.put("rowId", detail.event().rowId());
    row.put("unknownOutcome", detail.event().unknownOutcome());
    row.put("delayedUntil", text(detail.event().delayedUntil()));
    row.put("eventVersion", detail.eventVersion());
    row.put("contentType", detail.contentType());
    row.put("headers", json ? headers(detail.headersJson()) : detail.headersJson());
    row.put("correlationId", detail.correlationId());
    row.put("causationId", detail.causationId());
    row.put("traceparent", detail.traceparent());
    row.put(
        "audit",
        detail.audit().stream()
            .<Object>map(entry -> json ? AuditCommand.row(entry) : audit(entry))
            .toList());
    byte[] bytes = detail.payload();
    if (payload && bytes != null) {
      byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, MOST_PAYLOAD_BYTES));
      row.put("payload", new String(shown, StandardCharsets.UTF_8));
      row.put("payloadBase64", Base64.getEncoder().encodeToString(shown));
    }
    return row;
  }

  /** An object; what a writer has put there instead stays a text. */
  private static @Nullable Object headers(@Nullable String json) {
    if (json == null) {
      return null;
    }
    try {
      return Output.JSON.readTree(json);
    } catch (JacksonException e) {
      return json;
    }
  }

  private static String audit(AuditEntry entry) {
    return entry.requestedAt()
        + " "
        + entry.verb()
        + " by "
        + entry.requestedBy()
        + " as "
        + entry.databaseUser()
        + " ("
        + entry.reason()
        + "): "
        + outcome(entry)
        + (entry.note() == null ? "" : ", " + entry.note())
        + (entry.earlierReason() == null ? "" : "; before: " + entry.earlierReason());
  }

  static String outcome(AuditEntry entry) {
    return entry.done() == null ? "waits" : entry.done() ? "done" : "refused";
  }

  static @Nullable String key(EventView event) {
    return event.aggregateType() == null ? null : event.aggregateType() + "/" + event.aggregateId();
  }

  static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
