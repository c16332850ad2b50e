package io.waybill.internal.encode;

import io.waybill.internal.text.JsonText;
import io.waybill.message.Headers;
import io.waybill.store.OutboxRow;

/** {@link io.waybill.encode.Format#CLOUDEVENTS}: the structured mode in its JSON format. */
final class CloudEventsBody implements BodyFormat {
  private static final String MEDIA_TYPE = "application/cloudevents+json; charset=UTF-8";
  private final CloudEventAttributes attributes;

  CloudEventsBody(String source) {
    this.attributes = new CloudEventAttributes(source);
  }

  @Override
  public Body body(OutboxRow row, Headers headers) {
    byte[] payload = row.payload();
    if (payload == null) {
      return new Body.Bytes(null, row.contentType());
    }
    boolean embed = JsonText.isJson(row.contentType());
    String rule = embed ? EmbeddedPayload.violation(row.contentType(), payload) : null;
    if (rule != null) {
      return new Body.Refused(rule);
    }
    int size = embed ? payload.length : payload.length / 3 * 4;
    return new Body.Bytes(
        JsonBody.object(size, json -> members(json, row, headers, payload, embed)), MEDIA_TYPE);
  }

  private void members(
      JsonBody json, OutboxRow row, Headers headers, byte[] payload, boolean embed) {
    attributes.forEach(row, headers, json::text);
    json.text("datacontenttype", row.contentType());
    if (embed) {
      json.embedded("data", payload);
    } else {
      json.base64("data_base64", payload);
    }
  }
}
