package io.waybill.internal.store;

import io.waybill.internal.text.JsonText;
import io.waybill.internal.text.Quoted;
import io.waybill.message.Header;
import io.waybill.message.Headers;
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

/** Headers as the outbox column has them: one JSON object, values as strings. */
public final class HeaderJson {
  // Far above any limit on headers; bounds the work on a row that another writer inserted.
  private static final int MAX_CHARS = 1 << 20;
  private static final JsonFactory JSON = JsonText.factory(0);

  private static final Parsed NOTHING = new Parsed.Valid(Headers.NONE);

  private HeaderJson() {}

  /** The contents of a headers column. */
  public sealed interface Parsed {
    /**
     * An object of scalars.
     *
     * @param headers the headers; names may repeat, nothing else is checked
     */
    record Valid(Headers headers) implements Parsed {}

    /**
     * Anything else.
     *
     * @param rule the rule it breaks, without any data
     */
    record Malformed(String rule) implements Parsed {}
  }

  /**
   * Writes headers.
   *
   * @param headers the headers
   * @return JSON text, or null without headers
   */
  public static @Nullable String write(Headers headers) {
    if (headers.isEmpty()) {
      return null;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      for (Header header : headers.list()) {
        json.writeName(header.name());
        json.writeString(header.value());
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  /**
   * Reads headers; numbers and booleans become their text.
   *
   * @param text the column's value, or null
   * @return the headers, or why they can't be read
   */
  public static Parsed read(@Nullable String text) {
    if (text == null) {
      return NOTHING;
    }
    if (text.length() > MAX_CHARS) {
      return new Parsed.Malformed("must be at most " + MAX_CHARS + " characters");
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      return readObject(json);
    } catch (JacksonException e) {
      return new Parsed.Malformed("must be well-formed JSON");
    }
  }

  private static Parsed readObject(JsonParser json) {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      return new Parsed.Malformed("must be a JSON object");
    }
    List<Header> list = new ArrayList<>();
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      JsonToken value = json.nextToken();
      if (value == JsonToken.VALUE_NULL || !value.isScalarValue()) {
        return new Parsed.Malformed(
            "must have strings, numbers or booleans as values, has "
                + value
                + " at "
                + Quoted.of(name));
      }
      list.add(new Header(name, json.getString()));
    }
    if (json.nextToken() != null) {
      return new Parsed.Malformed("must be one JSON object and nothing after it");
    }
    return new Parsed.Valid(list.isEmpty() ? Headers.NONE : new Headers(list));
  }
}
