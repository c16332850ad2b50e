package io.waybill.internal.encode;

import io.waybill.internal.text.JsonText;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The members of a JSON object that envelopes are made of: scalars as text, those of {@code
 * metadata} by their names with a prefix, and data as the bytes that stand there.
 */
final class JsonMembers {
  static final String METADATA = "metadata.";
  private static final String METADATA_OBJECT = "metadata";
  // What is embedded may be as deep as may be, inside the object around it.
  private static final JsonFactory JSON = JsonText.factory(1);
  private static final Set<String> DATA = Set.of("data", "payload", "originalEvent");
  private static final Set<String> SCALARS =
      Set.of(
          "eventId",
          "eventType",
          "version",
          "timestamp",
          "source",
          "event_id",
          "event_type",
          "aggregate_type",
          "aggregate_id",
          "specversion",
          "id",
          "type",
          "time",
          "subject",
          "partitionkey",
          "aggregatetype",
          "eventversion",
          "correlationid",
          "causationid",
          "traceparent",
          "tracestate",
          "datacontenttype",
          "data_base64",
          "originalEventEncoding",
          "originalLength",
          "originalSha256",
          "originalPlace",
          "errorMessage",
          "failedAt",
          "consumerService");

  private final byte[] body;
  private final Map<String, String> scalars = new HashMap<>();
  private final Map<String, Span> data = new HashMap<>();

  private record Span(int start, int end) {}

  private JsonMembers(byte[] body) {
    this.body = body;
  }

  /** Null if the bytes are not exactly one JSON object. */
  static @Nullable JsonMembers of(byte @Nullable [] body) {
    if (body == null || !startsLikeAnObject(body)) {
      return null;
    }
    JsonMembers members = new JsonMembers(body);
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
      return members.readFrom(json) ? members : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  /**
   * Whether a member of the body may have this value. Quick; a body with escapes may have any.
   *
   * @param text ASCII, not empty
   */
  static boolean mayHold(byte[] body, String text) {
    for (int i = 0; i < body.length; i++) {
      byte b = body[i];
      if (b == '\\' || (b == text.charAt(0) && startsAt(body, i, text))) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsAt(byte[] body, int start, String text) {
    if (text.length() > body.length - start) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      if (body[start + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  @Nullable String text(String name) {
    return scalars.get(name);
  }

  Map<String, String> scalars() {
    return scalars;
  }

  byte @Nullable [] data(String name) {
    Span span = data.get(name);
    return span == null ? null : Arrays.copyOfRange(body, span.start(), span.end());
  }

  /** With the white space around it. */
  byte @Nullable [] dataWithSpace(String name) {
    Span span = data.get(name);
    if (span == null) {
      return null;
    }
    int start = span.start();
    int end = span.end();
    while (isSpace(body[start - 1])) {
      start--;
    }
    while (isSpace(body[end])) {
      end++;
    }
    return Arrays.copyOfRange(body, start, end);
  }

  static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }

  private static boolean startsLikeAnObject(byte[] body) {
    int first = 0;
    while (first < body.length && isSpace(body[first])) {
      first++;
    }
    // UTF-16 has a zero behind the brace. Exchanged JSON is UTF-8 (RFC 8259, section 8.1), and
    // where members begin and end is known in UTF-8 alone.
    return first + 1 < body.length && body[first] == '{' && body[first + 1] != 0;
  }

  private boolean readFrom(JsonParser json) {
    json.nextToken();
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      JsonToken value = json.nextToken();
      if (DATA.contains(name)) {
        data.put(name, asItStands(json, value));
      } else if (name.equals(METADATA_OBJECT) && value == JsonToken.START_OBJECT) {
        readMetadata(json);
      } else if (SCALARS.contains(name) && isText(value)) {
        scalars.put(name, json.getString());
      } else {
        json.skipChildren();
      }
    }
    return json.nextToken() == null;
  }

  private void readMetadata(JsonParser json) {
    for (String name = json.nextName(); name != null; name = json.nextName()) {
      if (isText(json.nextToken())) {
        scalars.put(METADATA + name, json.getString());
      } else {
        json.skipChildren();
      }
    }
  }

  private static boolean isText(JsonToken value) {
    return value.isScalarValue() && value != JsonToken.VALUE_NULL;
  }

  /** Numbers keep all their digits and strings their escapes: nothing is read and written again. */
  private Span asItStands(JsonParser json, JsonToken value) {
    int start = (int) json.currentTokenLocation().getByteOffset();
    json.skipChildren();
    json.finishToken();
    int end =
        value.isStructStart() ? (int) json.currentLocation().getByteOffset() : endOfScalar(start);
    return new Span(start, end);
  }

  private int endOfScalar(int start) {
    return body[start] == '"' ? endOfString(start) : endOfWord(start);
  }

  private int endOfString(int start) {
    int i = start + 1;
    while (body[i] != '"') {
      i += body[i] == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  // The parser tells a number's end only after it has looked at what follows.
  private int endOfWord(int start) {
    int i = start;
    while (i < body.length && ",}] \t\r\n".indexOf(body[i]) < 0) {
      i++;
    }
    return i;
  }
}
