package io.waybill.internal.encode;

import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.TraceContext;
import io.waybill.store.OutboxRow;

/** {@link io.waybill.encode.Format#ENVELOPE}. */
final class EnvelopeBody implements BodyFormat {
  private static final String IDEMPOTENCY_KEY = "idempotencyKey";
  private static final String USER_ID = "userId";

  private final String source;
  private final IsoTime time = new IsoTime();

  EnvelopeBody(String source) {
    this.source = source;
  }

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
    byte[] bytes = JsonBody.object(payload.length, json -> members(json, row, headers, payload));
    return new Body.Bytes(bytes, Payload.JSON);
  }

  private void members(JsonBody json, OutboxRow row, Headers headers, byte[] payload) {
    json.text("eventId", row.eventId());
    json.text("timestamp", time.format(row.createdAtMicros()));
    json.text("eventType", row.eventType());
    json.number("version", row.eventVersion());
    json.text("source", source);
    json.embedded("data", payload);
    json.object("metadata", () -> metadata(json, row, headers));
  }

  private static void metadata(JsonBody json, OutboxRow row, Headers headers) {
    json.textIfKnown("traceId", TraceContext.traceId(row.traceparent()));
    json.textIfKnown("correlationId", row.correlationId());
    String idempotencyKey = headers.get(IDEMPOTENCY_KEY);
    // Consumers drop duplicates by event id, so it serves where the writer gave no key of its own.
    json.text(IDEMPOTENCY_KEY, idempotencyKey == null ? row.eventId() : idempotencyKey);
    json.textIfKnown(USER_ID, headers.get(USER_ID));
  }
}
