package io.waybill.internal.encode;

import io.waybill.broker.Delivery;
import io.waybill.internal.text.JsonText;
import io.waybill.internal.text.Quoted;
import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.Place;
import io.waybill.message.ReceivedEvent;
import io.waybill.message.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes an event of each delivery, whatever its format. Thread-safe, pure, never throws.
 *
 * <p>Waybill's own headers come first (see {@link Encoder}), then the attributes of CloudEvents in
 * headers, then the body: a structured CloudEvent, an envelope ({@code eventId, eventType, data,
 * ...}) or a generic event ({@code event_id, event_type, payload, ...}). A body whose id differs
 * from that of the headers is a payload that happens to look like an envelope. The payload is
 * returned as it is in the body, byte for byte.
 */
public final class Decoder {
  /** Longest accepted id. */
  public static final int MAX_ID_LENGTH = 128;

  /** Longest accepted type. */
  public static final int MAX_TYPE_LENGTH = 255;

  private final IsoTime isoTime = new IsoTime();

  /** Creates a decoder; it has no settings. */
  public Decoder() {}

  /**
   * Decodes a message.
   *
   * @param source topic or queue
   * @param key message key, or null
   * @param body message body, or null
   * @param headers its headers
   * @param timestampMicros time of the message, microseconds since the epoch; 0 if there is none
   * @return the event, or why there is none
   */
  public Decoded decode(
      String source,
      byte @Nullable [] key,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros) {
    return decode(source, key, body, headers, timestampMicros, null);
  }

  private Decoded decode(
      String source,
      byte @Nullable [] key,
      byte @Nullable [] body,
      Headers headers,
      long timestampMicros,
      @Nullable Place place) {
    Facts facts = Facts.of(headers, body);
    String id = facts.id;
    if (id == null || id.isEmpty()) {
      return new Decoded.Undecodable("no-event-id", "neither headers nor body name an event id");
    }
    if (!isId(id)) {
      return unfit("bad-event-id", "event id must be 1 to 128 printable ASCII characters", id);
    }
    String type = facts.type;
    if (type == null || type.isEmpty()) {
      return new Decoded.Undecodable(
          "no-event-type", "neither headers nor body name an event type");
    }
    if (!isType(type)) {
      return unfit(
          "bad-event-type",
          "event type must be 1 to 255 characters, none of them a control character",
          type);
    }
    Integer version = facts.version == null ? Integer.valueOf(1) : version(facts.version);
    if (version == null) {
      return unfit("bad-event-version", "event version must be a whole number", facts.version);
    }
    return new Decoded.Event(
        new ReceivedEvent(
            id,
            type,
            version,
            facts.key(key),
            source,
            facts.source,
            createdAt(facts.time, timestampMicros),
            facts.payload,
            headers,
            facts.correlationId,
            facts.causationId,
            facts.traceparent,
            facts.tracestate,
            facts.metadata,
            RedriveMarks.times(headers, id),
            place));
  }

  /**
   * Decodes a delivery.
   *
   * @param delivery as it came from the broker
   * @return the event, or why there is none
   */
  public Decoded decode(Delivery delivery) {
    return decode(
        delivery.source(),
        delivery.key(),
        delivery.body(),
        delivery.headers(),
        delivery.timestampMicros(),
        delivery.place());
  }

  private static Decoded unfit(String reason, String rule, @Nullable String value) {
    return new Decoded.Undecodable(reason, rule + ", is " + Quoted.of(value));
  }

  private static boolean isId(String id) {
    for (int i = 0; i < id.length(); i++) {
      if (id.charAt(i) <= ' ' || id.charAt(i) >= 0x7f) {
        return false;
      }
    }
    return id.length() <= MAX_ID_LENGTH;
  }

  private static boolean isType(String type) {
    for (int i = 0; i < type.length(); i++) {
      if (Character.isISOControl(type.charAt(i)) || Character.isSurrogate(type.charAt(i))) {
        return false;
      }
    }
    return type.length() <= MAX_TYPE_LENGTH;
  }

  private static @Nullable Integer version(String text) {
    try {
      // CloudEvents and foreign envelopes write v2 or 2.0 as well.
      String digits = text.startsWith("v") ? text.substring(1) : text;
      int point = digits.indexOf('.');
      int version = Integer.parseInt(point < 0 ? digits : digits.substring(0, point));
      return version < 0 ? null : version;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private @Nullable Instant createdAt(@Nullable String text, long timestampMicros) {
    try {
      if (text != null) {
        return isoTime.parse(text);
      }
    } catch (DateTimeException e) {
      // The time of the message serves where the producer's cannot be read.
    }
    return timestampMicros == 0 ? null : Instant.EPOCH.plus(timestampMicros, ChronoUnit.MICROS);
  }

  /** What headers and body say, the headers first. */
  private static final class Facts {
    private static final String AGGREGATE_TYPE = "aggregatetype";
    private final Map<String, String> metadata = new HashMap<>();
    private @Nullable String id;
    private @Nullable String type;
    private @Nullable String version;
    private @Nullable String source;
    private @Nullable String time;
    private @Nullable String aggregateType;
    private @Nullable String aggregateId;
    private @Nullable String correlationId;
    private @Nullable String causationId;
    private @Nullable String traceparent;
    private @Nullable String tracestate;
    private Payload payload = Payload.tombstone();

    static Facts of(Headers headers, byte @Nullable [] body) {
      Facts facts = new Facts();
      facts.ownHeaders(headers);
      facts.cloudEventHeaders(headers);
      facts.body(headers.get("content-type"), body);
      return facts;
    }

    private void ownHeaders(Headers headers) {
      id = headers.get("waybill-event-id");
      type = headers.get("waybill-event-type");
      version = headers.get("waybill-event-version");
      time = headers.get("waybill-created-at");
      aggregateType = headers.get("waybill-aggregate-type");
      aggregateId = headers.get("waybill-aggregate-id");
      correlationId = headers.get("waybill-correlation-id");
      causationId = headers.get("waybill-causation-id");
      traceparent = headers.get(TraceContext.TRACEPARENT);
      tracestate = headers.get(TraceContext.TRACESTATE);
    }

    private void cloudEventHeaders(Headers headers) {
      for (String prefix : new String[] {"ce_", "cloudEvents:", "cloudEvents_"}) {
        if (headers.get(prefix + "id") != null) {
          cloudEvent(name -> headers.get(prefix + name));
        }
      }
    }

    private void cloudEvent(Function<String, @Nullable String> attribute) {
      id = first(id, attribute.apply("id"));
      type = first(type, attribute.apply("type"));
      version = first(version, attribute.apply("eventversion"));
      source = first(source, attribute.apply("source"));
      time = first(time, attribute.apply("time"));
      aggregateType = first(aggregateType, attribute.apply(AGGREGATE_TYPE));
      aggregateId = first(aggregateId, attribute.apply("subject"));
      correlationId = first(correlationId, attribute.apply("correlationid"));
      causationId = first(causationId, attribute.apply("causationid"));
      trace(attribute);
    }

    /** Both parts of a trace context come from one place. */
    private void trace(Function<String, @Nullable String> named) {
      if (traceparent == null) {
        traceparent = named.apply(TraceContext.TRACEPARENT);
        tracestate = named.apply(TraceContext.TRACESTATE);
      }
    }

    private void body(@Nullable String contentType, byte @Nullable [] body) {
      if (body == null) {
        return;
      }
      payload = new Payload(body, contentType == null ? Payload.BYTES : contentType);
      JsonMembers json = mayBeEnvelope(contentType, body) ? JsonMembers.of(body) : null;
      if (json == null) {
        return;
      }
      if (contentType == null) {
        payload = new Payload(body, Payload.JSON);
      }
      if (isThis(json.text("id")) && json.text("specversion") != null) {
        structured(json);
      } else if (isThis(json.text("eventId")) && json.text("eventType") != null) {
        envelope(json);
      } else if (isThis(json.text("event_id")) && json.text("event_type") != null) {
        generic(json);
      }
    }

    /** Most bodies are about no event, or about another one, and need not be parsed. */
    private boolean mayBeEnvelope(@Nullable String contentType, byte[] body) {
      if (contentType == null) {
        return true;
      }
      return JsonText.isJson(contentType)
          && (id == null || id.isEmpty() || JsonMembers.mayHold(body, id));
    }

    private boolean isThis(@Nullable String bodyId) {
      return bodyId != null && (id == null || id.equals(bodyId));
    }

    private void structured(JsonMembers json) {
      cloudEvent(json::text);
      String named = json.text("datacontenttype");
      String media = named == null ? Payload.JSON : named;
      byte[] data = json.data("data");
      String base64 = json.text("data_base64");
      if (data != null) {
        payload = new Payload(data, media);
      } else {
        payload = base64 == null ? Payload.tombstone() : new Payload(decoded(base64), media);
      }
    }

    private static byte[] decoded(String base64) {
      // Lenient on line breaks; what is no base64 at all becomes as many bytes as could be read.
      return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void envelope(JsonMembers json) {
      id = first(id, json.text("eventId"));
      type = first(type, json.text("eventType"));
      version = first(version, json.text("version"));
      source = first(source, json.text("source"));
      time = first(time, json.text("timestamp"));
      json.scalars()
          .forEach(
              (name, value) -> {
                if (name.startsWith(JsonMembers.METADATA)) {
                  metadata.put(name.substring(JsonMembers.METADATA.length()), value);
                }
              });
      correlationId = first(correlationId, metadata.get("correlationId"));
      causationId = first(causationId, metadata.get("causationId"));
      trace(metadata::get);
      embedded(json.data("data"));
    }

    private void generic(JsonMembers json) {
      id = first(id, json.text("event_id"));
      type = first(type, json.text("event_type"));
      aggregateType = first(aggregateType, json.text("aggregate_type"));
      aggregateId = first(aggregateId, json.text("aggregate_id"));
      embedded(json.data("payload"));
    }

    private void embedded(byte @Nullable [] data) {
      payload = data == null ? Payload.tombstone() : new Payload(data, Payload.JSON);
    }

    @Nullable EventKey key(byte @Nullable [] messageKey) {
      if (aggregateId != null) {
        return new EventKey(aggregateType == null ? "" : aggregateType, aggregateId);
      }
      return messageKey == null
          ? null
          : new EventKey("", new String(messageKey, StandardCharsets.UTF_8));
    }

    private static @Nullable String first(@Nullable String one, @Nullable String other) {
      return one == null ? other : one;
    }
  }
}
