package io.waybill.internal.jdbc.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is corrected of an event; everything else stays as it is.
 *
 * @param payload payload, or null
 * @param contentType media type of the payload, or null
 * @param eventType type of the event, or null
 * @param headers headers by name, beside those that stay
 */
public record Correction(
    byte @Nullable [] payload,
    @Nullable String contentType,
    @Nullable String eventType,
    Map<String, String> headers) {
  /** Checks that there is something. */
  public Correction(
      byte @Nullable [] payload,
      @Nullable String contentType,
      @Nullable String eventType,
      Map<String, String> headers) {
    if (payload == null && contentType == null && eventType == null && headers.isEmpty()) {
      throw CorrectionException.content(
          "payload", "must be given, or another part of the event that is to be corrected", "");
    }
    this.payload = payload;
    this.contentType = contentType;
    this.eventType = eventType;
    this.headers = Map.copyOf(headers);
  }
}
