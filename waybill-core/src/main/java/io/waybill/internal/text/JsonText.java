package io.waybill.internal.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Checks JSON bytes before they are embedded in a larger JSON text. One streaming pass with bounded
 * memory, whatever the input; numbers are never converted.
 */
public final class JsonText {
  /** Deepest nesting that is embedded. */
  public static final int MAX_DEPTH = 1000;

  private static final String JSON = "application/json";
  private static final int CHUNK_CHARS = 8192;
  private static final JsonFactory FACTORY = factory(0);

  private JsonText() {}

  /**
   * Creates a factory without bounds on single numbers, strings and names; the payload limit bounds
   * them.
   *
   * @param around levels of nesting around a value that may itself be as deep as {@link #MAX_DEPTH}
   * @return a factory for readers of Waybill's own texts
   */
  public static JsonFactory factory(int around) {
    StreamReadConstraints constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH + around)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();
    return JsonFactory.builder().streamReadConstraints(constraints).build();
  }

  /**
   * Whether a media type is JSON: {@code application/json}, {@code text/json} or {@code +json},
   * with or without parameters.
   *
   * @param contentType media type
   * @return true for JSON
   */
  public static boolean isJson(String contentType) {
    if (contentType.equals(JSON)) {
      return true;
    }
    int end = contentType.indexOf(';');
    String type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
    String lower = type.toLowerCase(Locale.ROOT);
    return lower.equals(JSON) || lower.equals("text/json") || lower.endsWith("+json");
  }

  /**
   * Checks that bytes are exactly one JSON value in UTF-8.
   *
   * @param bytes the bytes
   * @return the rule they break, without any data, or null if they are well-formed
   */
  public static @Nullable String violation(byte[] bytes) {
    if (!startsLikeUtf8(bytes)) {
      return "must be JSON in UTF-8 without a byte order mark";
    }
    if (!isUtf8(bytes)) {
      return "must be well-formed UTF-8";
    }
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      return violation(json);
    } catch (StreamConstraintsException e) {
      return "must not be nested deeper than " + MAX_DEPTH;
    } catch (JacksonException e) {
      return "must be well-formed JSON";
    }
  }

  private static @Nullable String violation(JsonParser json) {
    if (json.nextToken() == null) {
      return "must be a JSON value, has none";
    }
    json.skipChildren();
    return json.nextToken() == null ? null : "must be one JSON value and nothing after it";
  }

  // The parser would guess UTF-16 or UTF-32 from zero bytes, and skip a byte order mark.
  private static boolean startsLikeUtf8(byte[] bytes) {
    for (int i = 0; i < Math.min(4, bytes.length); i++) {
      if (bytes[i] == 0) {
        return false;
      }
    }
    return bytes.length == 0 || (bytes[0] & 0xff) < 0x80;
  }

  private static boolean isUtf8(byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(Math.min(bytes.length + 1, CHUNK_CHARS));
    CoderResult result;
    do {
      out.clear();
      result = decoder.decode(in, out, true);
    } while (result.isOverflow());
    return !result.isError();
  }
}
