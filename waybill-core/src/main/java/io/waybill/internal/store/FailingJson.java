package io.waybill.internal.store;

import io.waybill.internal.text.JsonText;
import io.waybill.store.FailingDestination;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Failing destinations as a session has them: an array of arrays, or nothing. */
public final class FailingJson {
  private static final JsonFactory JSON = JsonText.factory(0);

  private FailingJson() {}

  /**
   * Writes destinations.
   *
   * @param failing the destinations
   * @return JSON text, or null without any
   */
  public static @Nullable String write(List<FailingDestination> failing) {
    if (failing.isEmpty()) {
      return null;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartArray();
      for (FailingDestination each : failing) {
        json.writeStartArray();
        json.writeString(each.destination());
        json.writeString(each.reason());
        json.writeString(each.detail());
        json.writeNumber(each.forMillis());
        json.writeEndArray();
      }
      json.writeEndArray();
    }
    return text.toString();
  }

  /**
   * Reads destinations.
   *
   * @param text the column's value, or null
   * @return the destinations; none if the text is of another form, as a later version may write
   */
  public static List<FailingDestination> read(@Nullable String text) {
    if (text == null) {
      return List.of();
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      return read(json);
    } catch (JacksonException e) {
      return List.of();
    }
  }

  private static List<FailingDestination> read(JsonParser json) {
    List<FailingDestination> failing = new ArrayList<>();
    json.nextToken();
    while (json.nextToken() == JsonToken.START_ARRAY) {
      String destination = json.nextStringValue();
      String reason = json.nextStringValue();
      String detail = json.nextStringValue();
      long forMillis = json.nextLongValue(0);
      if (destination == null || reason == null || detail == null) {
        return List.of();
      }
      failing.add(new FailingDestination(destination, reason, detail, forMillis));
      json.nextToken();
    }
    return failing;
  }
}
