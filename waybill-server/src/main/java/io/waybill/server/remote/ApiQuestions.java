package io.waybill.server.remote;

import io.waybill.admin.EventFilter;
import io.waybill.admin.FailureGroup;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Questions about one outbox, whose answers are read as the types of a database's answers. */
record ApiQuestions(ApiClient client, String outbox) {
  private static final String ITEMS = "items";

  private String address(String path) {
    return "/outboxes/" + ApiClient.encoded(outbox) + path;
  }

  JsonNode get(String path) {
    return client.get(address(path), Map.of());
  }

  JsonNode get(String path, Map<String, ?> parameters) {
    return client.get(address(path), parameters);
  }

  Optional<JsonNode> find(String path, String id, String what) {
    return client.find(address(path), Map.of("id", id), what);
  }

  Optional<JsonNode> change(String path, Map<String, ?> body, String what) {
    return client.post(address(path), body, what);
  }

  /** All items of an answer in one piece. */
  <T> List<T> all(String path, Class<T> type) {
    return get(path).path(ITEMS).valueStream().map(item -> as(item, type)).toList();
  }

  /**
   * Items of as many pages as it takes.
   *
   * @param parameters conditions
   * @param after where to begin, or null
   * @param limit most items
   * @param page most items that the API gives at a time
   * @param item reads one
   */
  <T> List<T> pages(
      String path,
      Map<String, ?> parameters,
      @Nullable String after,
      int limit,
      int page,
      Function<JsonNode, T> item) {
    List<T> all = new ArrayList<>();
    Map<String, @Nullable Object> asked = new LinkedHashMap<>(parameters);
    asked.put("after", after);
    do {
      asked.put("limit", Math.min(page, limit - all.size()));
      JsonNode answer = get(path, asked);
      answer.path(ITEMS).forEach(each -> all.add(item.apply(each)));
      asked.put("after", text(answer, "next"));
    } while (asked.get("after") != null && all.size() < limit);
    return all;
  }

  /** Conditions as the API names them. */
  static Map<String, @Nullable Object> conditions(EventFilter filter) {
    Map<String, @Nullable Object> conditions = new LinkedHashMap<>();
    conditions.put("eventId", filter.eventIds().isEmpty() ? null : filter.eventIds());
    conditions.put("state", text(filter.status()));
    conditions.put("type", filter.eventType());
    conditions.put("aggregateType", filter.aggregateType());
    conditions.put("aggregateId", filter.aggregateId());
    conditions.put("reason", filter.reason());
    conditions.put("since", text(filter.since()));
    conditions.put("before", text(filter.before()));
    conditions.put(
        "group",
        filter.group() == null || filter.status() == null
            ? null
            : FailureGroup.id(filter.status(), filter.group()));
    conditions.put("traceId", filter.traceId());
    return conditions;
  }

  /** A text, or null if the member is null or missing. */
  static @Nullable String text(JsonNode of, String member) {
    return of.path(member).isString() ? of.path(member).stringValue() : null;
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /** The same record as a database gives. */
  <T> T as(JsonNode answer, Class<T> type) {
    try {
      return Output.JSON.treeToValue(answer, type);
    } catch (JacksonException e) {
      throw new CommandFailure(
          ExitCode.FINDINGS,
          "The API at %s is of another version, and its answer has another form: %s"
              .formatted(client.url(), e.getOriginalMessage()));
    }
  }
}
