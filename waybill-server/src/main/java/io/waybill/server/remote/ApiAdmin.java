package io.waybill.server.remote;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Counts;
import io.waybill.admin.DestinationView;
import io.waybill.admin.EventCount;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.api.DestinationStanding;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The operators' view of an outbox through an API. Payloads and headers are not shown, and who asks
 * is who has logged in. Used by one thread.
 */
final class ApiAdmin implements Admin {
  /** The API counts so far. */
  static final int MOST_COUNTED = 10_000;

  private static final int PAGE = 1_000;
  private static final int FEW = 100;

  private final ApiQuestions api;
  // The API tells both at once: how many wait, by the position of the event that blocks them.
  private final Map<String, Long> behind = new HashMap<>();
  private final Map<String, Notes.Note> notes = new HashMap<>();

  ApiAdmin(ApiQuestions api) {
    this.api = api;
  }

  @Override
  public Counts counts() {
    return api.as(api.get("").path("counts"), Counts.class);
  }

  @Override
  public EventPage find(EventFilter filter, @Nullable String after, int limit) {
    return page("/events", filter, after, limit);
  }

  private EventPage page(String path, EventFilter filter, @Nullable String after, int limit) {
    Map<String, @Nullable Object> asked = ApiQuestions.conditions(filter);
    asked.put("after", after);
    asked.put("limit", Math.min(limit, PAGE));
    JsonNode page = api.get(path, asked);
    List<EventView> events = page.path("items").valueStream().map(this::event).toList();
    return new EventPage(events, ApiQuestions.text(page, "next"));
  }

  private EventView event(JsonNode node) {
    return api.as(node, EventView.class);
  }

  @Override
  public EventPage latest(EventFilter filter, @Nullable String before, int limit) {
    return page("/events/latest", filter, before, limit);
  }

  @Override
  public List<EventView> blocking(@Nullable String after, int limit) {
    return api.pages(
        "/keys/blocked",
        Map.of(),
        after,
        limit,
        FEW,
        node -> {
          EventView head = event(node.path("head"));
          behind.put(head.position(), counted(node.path("behind")));
          return head;
        });
  }

  /** One more than is counted stands for all that are more. */
  private static long counted(JsonNode count) {
    return count.path("count").asLong() + (count.path("more").asBoolean() ? 1 : 0);
  }

  @Override
  public long behind(EventView head, int limit) {
    return Math.min(behind.getOrDefault(head.position(), 0L), limit);
  }

  @Override
  public List<FailureGroup> failures(
      EventStatus status, @Nullable String after, int limit, int counted) {
    return api.pages(
        "/failures",
        Map.of("state", status.name()),
        after,
        limit,
        FEW,
        node -> {
          String group =
              Objects.requireNonNull(FailureGroup.filter(node.path("id").asString("")).group());
          if (node.path("note").isObject()) {
            notes.put(group, api.as(node.path("note"), Notes.Note.class));
          }
          return new FailureGroup(
              status,
              group,
              Math.min(counted(node.path("events")), counted),
              api.as(node.path("first"), Instant.class),
              api.as(node.path("last"), Instant.class),
              event(node.path("sample")));
        });
  }

  /** Those of groups that were listed, by group. */
  Map<String, Notes.Note> notes() {
    return notes;
  }

  @Override
  public Optional<EventDetail> show(String eventId) {
    return api.find("/event", eventId, "event").map(this::detail);
  }

  private EventDetail detail(JsonNode node) {
    return new EventDetail(
        event(node.path("event")),
        node.path("eventVersion").asInt(),
        node.path("contentType").asString(""),
        null,
        ApiQuestions.text(node, "correlationId"),
        ApiQuestions.text(node, "causationId"),
        ApiQuestions.text(node, "traceparent"),
        null,
        node.path("audit").valueStream().map(this::entry).toList());
  }

  private AuditEntry entry(JsonNode node) {
    return api.as(node, AuditEntry.class);
  }

  @Override
  public EventCount count(EventFilter filter, @Nullable String after, int limit) {
    Map<String, @Nullable Object> asked = ApiQuestions.conditions(filter);
    asked.put("after", after);
    JsonNode count = api.get("/events/count", asked);
    long counted = counted(count);
    return new EventCount(
        Math.min(counted, limit), counted < limit ? ApiQuestions.text(count, "next") : null);
  }

  @Override
  public List<DestinationView> destinations() {
    return standing().stream().flatMap(each -> touched(each).stream()).toList();
  }

  /** How destinations stand, but for those that only routes name. */
  List<DestinationStanding> standing() {
    return api.all("/destinations", DestinationStanding.class);
  }

  private static Optional<DestinationView> touched(DestinationStanding each) {
    if (each.by() == null || each.since() == null || each.reason() == null) {
      return Optional.empty();
    }
    return Optional.of(
        new DestinationView(
            each.destination(), each.paused(), each.reason(), each.by(), each.since()));
  }

  @Override
  public void pause(String destination, boolean paused, Instruction by) {
    Optional<JsonNode> unused =
        api.change(
            paused ? "/destination/pause" : "/destination/resume",
            Map.of("destination", destination, "reason", by.reason()),
            "");
  }

  @Override
  public List<SessionView> sessions() {
    return api.all("/relays", SessionView.class);
  }

  @Override
  public List<LaneOwner> lanes() {
    return api.all("/lanes", LaneOwner.class);
  }

  @Override
  public List<AuditEntry> audit(long beforeId, int limit) {
    String after = beforeId == Long.MAX_VALUE ? null : Long.toString(beforeId);
    return api.pages("/audit", Map.of(), after, limit, PAGE, this::entry);
  }

  @Override
  public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
    throw notByAnApi("a change without a job");
  }

  @Override
  public List<AuditEntry> carriedOut(
      String verb, String destination, Set<String> eventIds, List<String> notes) {
    throw notByAnApi("a search of the audit");
  }

  @Override
  public void record(AuditNote note, Instruction by) {
    throw notByAnApi("a line in the audit");
  }

  /** By ids that were seen: the API knows no other removal. */
  @Override
  public int purge(EventFilter filter, int limit, Instruction by) {
    return api.change(
            "/events/purge", Map.of("eventId", filter.eventIds(), "reason", by.reason()), "")
        .map(answer -> answer.path("removed").asInt())
        .orElse(0);
  }

  @Override
  public long empty(Instruction by) {
    throw notByAnApi("a removal of events");
  }

  /** Commands that need this refuse {@code --url} before they come here. */
  private static CommandFailure notByAnApi(String what) {
    return new CommandFailure(ExitCode.USAGE, "--url does not go with " + what);
  }

  @Override
  public void close() {
    // Nothing stays open between two questions.
  }
}
