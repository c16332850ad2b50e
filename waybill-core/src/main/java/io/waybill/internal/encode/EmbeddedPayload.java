package io.waybill.internal.encode;

import io.waybill.internal.text.JsonText;
import io.waybill.internal.text.Quoted;
import org.jspecify.annotations.Nullable;

/** What a payload must be to stand inside a JSON text. */
final class EmbeddedPayload {
  private EmbeddedPayload() {}

  static @Nullable String violation(String contentType, byte[] payload) {
    if (!JsonText.isJson(contentType)) {
      return "content type must be JSON, is " + Quoted.of(contentType);
    }
    String rule = JsonText.violation(payload);
    return rule == null ? null : "payload of " + payload.length + " bytes " + rule;
  }
}
