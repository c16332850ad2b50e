package io.waybill.message;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An event as a handler sees it, whatever format it travelled in. Immutable, apart from the
 * payload's array, which is not copied.
 *
 * @param id identifies the event: the same for all its copies
 * @param type what happened, for example {@code order.placed}
 * @param version version of the type, 1 where the producer names none
 * @param key the object it happened to, or null; its aggregate type is empty if only the broker's
 *     message key is known
 * @param channel topic or queue it came from
 * @param source the sender, according to the producer, or null
 * @param createdAt when it was created, according to the producer, otherwise the time of the
 *     message; null if neither is known
 * @param payload content of the event: the data of an envelope or CloudEvent, otherwise the body
 * @param headers all headers of the message
 * @param correlationId groups related operations, or null
 * @param causationId id of the event or command that caused it, or null
 * @param traceparent W3C trace context, or null
 * @param tracestate data that tracing systems add to it, or null; dropped unless it and {@code
 *     traceparent} are valid, see {@link TraceContext}
 * @param metadata further facts of the envelope that are text, numbers or booleans, by name: {@code
 *     traceId}, {@code userId}, {@code idempotencyKey}
 * @param redriven how often an operator has sent it again from a dead-letter destination
 * @param place where the broker had it, or null: not known for an event that was deferred
 */
public record ReceivedEvent(
    String id,
    String type,
    int version,
    @Nullable EventKey key,
    String channel,
    @Nullable String source,
    @Nullable Instant createdAt,
    Payload payload,
    Headers headers,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    @Nullable String tracestate,
    Map<String, String> metadata,
    int redriven,
    @Nullable Place place) {

  private static final String IDEMPOTENCY_KEY = "idempotencyKey";
  private static final String TRACE_ID = "traceId";
  private static final int MAX_TRACE_ID = 128;

  /** Checks that the required parts are there, and copies the metadata. */
  public ReceivedEvent {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(channel, "channel");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(headers, "headers");
    tracestate = TraceContext.carried(traceparent, tracestate);
    metadata = Map.copyOf(metadata);
  }

  /**
   * The key to pass on with an effect outside the database, by which its receiver can drop a
   * repetition.
   *
   * @return the producer's idempotency key, otherwise the event id
   */
  public String idempotencyKey() {
    String own = metadata.get(IDEMPOTENCY_KEY);
    return own == null || own.isEmpty() ? id : own;
  }

  /**
   * The id that groups the log lines of one trace.
   *
   * @return the trace id of the W3C trace context (32 hexadecimal digits), otherwise {@code
   *     traceId} of the metadata (1 to 128 characters, none of them a control character); null if
   *     neither is valid
   */
  public @Nullable String traceId() {
    String id = TraceContext.traceId(traceparent);
    if (id != null) {
      return id;
    }
    String own = metadata.get(TRACE_ID);
    boolean plain =
        own != null
            && !own.isEmpty()
            && own.length() <= MAX_TRACE_ID
            && own.chars().noneMatch(Character::isISOControl);
    return plain ? own : null;
  }

  /**
   * Links an event that a handler appends to this event. The new event gets the same correlation id
   * (this event's id if it has none), this event as its cause, and the same trace.
   *
   * @param effect the new event
   * @return the same builder
   */
  public Event.Builder causes(Event.Builder effect) {
    return effect
        .correlationId(correlationId == null ? id : correlationId)
        .causationId(id)
        .traceparent(traceparent)
        .tracestate(tracestate);
  }
}
