package io.waybill.message;

import io.waybill.internal.text.JsonText;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of everything in an event but its headers. */
final class EventRules {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern MEDIA_TYPE =
      Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: ?;[ -~]*)?");
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final EventLimits limits;
  private final Violations found;

  EventRules(EventLimits limits, Violations found) {
    this.limits = limits;
    this.found = found;
  }

  void check(Event event) {
    if (!ID.matcher(event.id()).matches()) {
      found.add("id", "must be 1 to 128 of A-Z a-z 0-9 . _ : -", event.id());
    }
    found.name("type", event.type());
    EventKey key = event.key();
    if (key != null) {
      found.name("aggregateType", key.aggregateType());
      found.name("aggregateId", key.aggregateId());
    }
    found.name("correlationId", event.correlationId());
    found.name("causationId", event.causationId());
    if (event.version() < 1) {
      found.add("version", "must be at least 1", Integer.toString(event.version()));
    }
    traceparent(event.traceparent());
    availableAt(event.availableAt());
    payload(event.payload());
  }

  private void payload(Payload payload) {
    String type = payload.contentType();
    if (type.length() > EventLimits.MAX_NAME_BYTES || !MEDIA_TYPE.matcher(type).matches()) {
      found.add("contentType", "must be a media type of at most 255 characters", type);
    }
    byte[] bytes = payload.bytes();
    if (bytes == null) {
      return;
    }
    if (bytes.length > limits.maxPayloadBytes()) {
      String size = bytes.length + " bytes";
      found.add("payload", "must be at most " + limits.maxPayloadBytes() + " bytes", size);
      return;
    }
    String rule = limits.jsonChecked() && JsonText.isJson(type) ? JsonText.violation(bytes) : null;
    if (rule != null) {
      found.add("payload", rule, bytes.length + " bytes of " + type);
    }
  }

  private void traceparent(@Nullable String value) {
    if (value != null && !TraceContext.isTraceparent(value)) {
      found.add("traceparent", "must have the form of W3C Trace Context", value);
    }
  }

  private void availableAt(@Nullable Instant value) {
    if (value != null && (value.isBefore(EARLIEST) || value.isAfter(LATEST))) {
      found.add("availableAt", "must lie in the years 1 to 9999", value.toString());
    }
  }
}
