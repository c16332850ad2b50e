package io.waybill.internal.jdbc.operator;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import java.io.StringWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The conditions of a filter as a JSON object of texts, without its event ids. */
final class FilterJson {
  private static final JsonFactory JSON = new JsonFactory();

  private FilterJson() {}

  static String write(EventFilter filter) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      write(json, "state", filter.status());
      write(json, "type", filter.eventType());
      write(json, "aggregateType", filter.aggregateType());
      write(json, "aggregateId", filter.aggregateId());
      write(json, "reason", filter.reason());
      write(json, "since", filter.since());
      write(json, "before", filter.before());
      write(json, "group", filter.group());
      write(json, "traceId", filter.traceId());
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, String name, @Nullable Object value) {
    if (value != null) {
      json.writeStringProperty(name, value.toString());
    }
  }

  static EventFilter read(String text) {
    Map<String, String> members = new HashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        String value = json.nextStringValue();
        members.put(name, String.valueOf(value));
      }
    }
    String state = members.get("state");
    return new EventFilter(
        List.of(),
        state == null ? null : EventStatus.valueOf(state),
        members.get("type"),
        members.get("aggregateType"),
        members.get("aggregateId"),
        members.get("reason"),
        time(members.get("since")),
        time(members.get("before")),
        members.get("group"),
        members.get("traceId"));
  }

  private static @Nullable Instant time(@Nullable String text) {
    return text == null ? null : Instant.parse(text);
  }
}
