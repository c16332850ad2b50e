package io.waybill.internal.encode;

import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.store.OutboxRow;
import org.jspecify.annotations.Nullable;

/** {@link io.waybill.encode.Format#GENERIC}. */
final class GenericBody implements BodyFormat {
  private static final int MAX_LONG_DIGITS = 19;

  @Override
  public Body body(OutboxRow row, Headers headers) {
    byte[] payload = row.payload();
    if (payload == null) {
      return new Body.Bytes(null, row.contentType());
    }
    String rule = EmbeddedPayload.violation(row.contentType(), payload);
    if (rule != null) {
      return new Body.Refused(rule);
    }
    byte[] bytes = JsonBody.object(payload.length, json -> members(json, row, payload));
    return new Body.Bytes(bytes, Payload.JSON);
  }

  private static void members(JsonBody json, OutboxRow row, byte[] payload) {
    json.text("event_id", row.eventId());
    json.text("event_type", row.eventType());
    EventKey key = row.key();
    if (key == null) {
      json.none("aggregate_type");
      json.none("aggregate_id");
    } else {
      json.text("aggregate_type", key.aggregateType());
      aggregateId(json, key.aggregateId());
    }
    json.embedded("payload", payload);
  }

  private static void aggregateId(JsonBody json, String id) {
    Long number = wholeNumber(id);
    if (number == null) {
      json.text("aggregate_id", id);
    } else {
      json.number("aggregate_id", number);
    }
  }

  /** The number that is written exactly as the text is, or null: 007 and +7 stay text. */
  static @Nullable Long wholeNumber(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    int digits = text.length() - start;
    if (digits < 1 || digits > MAX_LONG_DIGITS) {
      return null;
    }
    boolean leadingZero = text.charAt(start) == '0' && text.length() > 1;
    boolean allDigits = text.chars().skip(start).allMatch(c -> c >= '0' && c <= '9');
    return leadingZero || !allDigits ? null : asLong(text);
  }

  private static @Nullable Long asLong(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      // Of as many digits as the largest, but larger.
      return null;
    }
  }
}
