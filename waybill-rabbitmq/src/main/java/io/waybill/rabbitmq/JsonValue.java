package io.waybill.rabbitmq;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON answer.
 *
 * @param fields fields of an object, otherwise empty
 * @param elements elements of an array, otherwise empty
 * @param text a scalar as text; null for null, objects and arrays
 */
record JsonValue(Map<String, JsonValue> fields, List<JsonValue> elements, @Nullable String text) {
  private static final JsonFactory FACTORY = JsonFactory.builder().build();
  private static final JsonValue NOTHING = new JsonValue(Map.of(), List.of(), null);

  static JsonValue parse(byte[] json) throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      return read(parser, parser.nextToken());
    } catch (JacksonException e) {
      throw new IOException("the management API did not answer with JSON", e);
    }
  }

  /** A field, or a value without content when it is missing. */
  JsonValue at(String name) {
    return fields.getOrDefault(name, NOTHING);
  }

  boolean isTrue() {
    return "true".equals(text);
  }

  private static JsonValue read(JsonParser parser, @Nullable JsonToken token) {
    if (token == JsonToken.START_OBJECT) {
      Map<String, JsonValue> fields = new LinkedHashMap<>();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        fields.put(name, read(parser, parser.nextToken()));
      }
      return new JsonValue(fields, List.of(), null);
    }
    if (token == JsonToken.START_ARRAY) {
      List<JsonValue> elements = new ArrayList<>();
      JsonToken next = parser.nextToken();
      while (next != JsonToken.END_ARRAY) {
        elements.add(read(parser, next));
        next = parser.nextToken();
      }
      return new JsonValue(Map.of(), elements, null);
    }
    return token == JsonToken.VALUE_NULL ? NOTHING : scalar(parser);
  }

  private static JsonValue scalar(JsonParser parser) {
    return new JsonValue(Map.of(), List.of(), parser.getString());
  }
}
