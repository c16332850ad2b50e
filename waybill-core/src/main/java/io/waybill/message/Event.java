package io.waybill.message;

import io.waybill.internal.text.Quoted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a business object. Immutable, apart from the payload's array, which is
 * not copied. Limits are checked when the event is appended, see {@link EventLimits}.
 *
 * @param id identifies the event on the wire and for consumers that drop duplicates
 * @param type what happened, for example {@code order.placed}
 * @param version version of the type, 1 by default
 * @param key the object it happened to: events of one key are delivered in order; null for none
 * @param payload content of the event
 * @param headers further headers, {@code tracestate} of W3C Trace Context among them: it is dropped
 *     unless it and {@code traceparent} are valid, see {@link TraceContext}
 * @param correlationId groups related operations, or null
 * @param causationId id of the event or command that caused this one, or null
 * @param traceparent W3C trace context, or null
 * @param availableAt earliest time of publishing, or null for no delay; a delayed event takes its
 *     place in the order of its key when it is due
 */
public record Event(
    String id,
    String type,
    int version,
    @Nullable EventKey key,
    Payload payload,
    Headers headers,
    @Nullable String correlationId,
    @Nullable String causationId,
    @Nullable String traceparent,
    @Nullable Instant availableAt) {

  /** Checks that the required parts are there, and drops an invalid {@code tracestate}. */
  public Event {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(headers, "headers");
    headers = TraceContext.kept(traceparent, headers);
  }

  /**
   * Starts building an event with a key.
   *
   * @param type event type
   * @param aggregateType kind of business object, for example {@code order}
   * @param aggregateId identity of the object within its kind
   * @return a builder
   */
  public static Builder builder(String type, String aggregateType, String aggregateId) {
    return new Builder(type, new EventKey(aggregateType, aggregateId));
  }

  /**
   * Starts building an event without a key, which has no place in any order.
   *
   * @param type event type
   * @return a builder
   */
  public static Builder builder(String type) {
    return new Builder(type, null);
  }

  /**
   * The data that tracing systems add to the trace context.
   *
   * @return the header {@code tracestate}, or null
   */
  public @Nullable String tracestate() {
    return headers.get(TraceContext.TRACESTATE);
  }

  /**
   * The same event in another trace context.
   *
   * @param context W3C trace context, or null
   * @return the event with it
   */
  public Event withTraceContext(@Nullable TraceContext context) {
    return new Event(
        id,
        type,
        version,
        key,
        payload,
        TraceContext.with(context == null ? null : context.tracestate(), headers),
        correlationId,
        causationId,
        context == null ? null : context.traceparent(),
        availableAt);
  }

  /** Collects the parts of an event; not thread-safe. */
  public static final class Builder {
    private final String type;
    private final @Nullable EventKey key;
    private final List<Header> headers = new ArrayList<>();
    private int version = 1;
    private @Nullable String id;
    private @Nullable Payload payload;
    private @Nullable String correlationId;
    private @Nullable String causationId;
    private @Nullable String traceparent;
    private @Nullable String tracestate;
    private @Nullable Instant availableAt;

    private Builder(String type, @Nullable EventKey key) {
      this.type = Objects.requireNonNull(type, "type");
      this.key = key;
    }

    /**
     * Sets the id; a new UUID of version 7 by default.
     *
     * @param id 1 to 128 of {@code A-Z a-z 0-9 . _ : -}
     * @return this builder
     */
    public Builder id(String id) {
      this.id = id;
      return this;
    }

    /**
     * Sets the version of the type; 1 by default.
     *
     * @param version at least 1
     * @return this builder
     */
    public Builder version(int version) {
      this.version = version;
      return this;
    }

    /**
     * Sets JSON text as payload.
     *
     * @param json the text
     * @return this builder
     * @throws InvalidEventException if the text has a lone surrogate
     */
    public Builder json(String json) {
      return payload(Payload.json(json));
    }

    /**
     * Sets the payload.
     *
     * @param payload bytes with their media type, or a tombstone
     * @return this builder
     */
    public Builder payload(Payload payload) {
      this.payload = payload;
      return this;
    }

    /**
     * Serialises an object as payload, now.
     *
     * @param value the object
     * @param serializer makes its bytes
     * @param <T> its type
     * @return this builder
     */
    public <T> Builder payload(T value, PayloadSerializer<? super T> serializer) {
      return payload(serializer.serialize(value));
    }

    /**
     * Adds a header. A header named {@code tracestate} is the event's {@link #tracestate}.
     *
     * @param name visible ASCII, not a name that brokers, frameworks or Waybill interpret
     * @param value text without control characters
     * @return this builder
     */
    public Builder header(String name, String value) {
      if (TraceContext.TRACESTATE.equals(name)) {
        return tracestate(value);
      }
      headers.add(new Header(name, value));
      return this;
    }

    /**
     * Sets the correlation id, which groups related operations.
     *
     * @param correlationId the id, or null
     * @return this builder
     */
    public Builder correlationId(@Nullable String correlationId) {
      this.correlationId = correlationId;
      return this;
    }

    /**
     * Sets the id of the event or command that caused this event.
     *
     * @param causationId id of the cause, or null
     * @return this builder
     */
    public Builder causationId(@Nullable String causationId) {
      this.causationId = causationId;
      return this;
    }

    /**
     * Sets the W3C trace context.
     *
     * @param traceparent for example {@code
     *     00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01}, or null
     * @return this builder
     */
    public Builder traceparent(@Nullable String traceparent) {
      this.traceparent = traceparent;
      return this;
    }

    /**
     * Sets the data that tracing systems add to the W3C trace context. It is dropped unless it and
     * {@code traceparent} are valid: invalid tracing data never keeps an event from being appended.
     *
     * @param tracestate for example {@code vendor=value,other=value}, at most {@value
     *     TraceContext#MAX_TRACESTATE_LENGTH} characters; or null
     * @return this builder
     */
    public Builder tracestate(@Nullable String tracestate) {
      this.tracestate = tracestate;
      return this;
    }

    /**
     * Delays the event.
     *
     * @param availableAt earliest time of publishing, rounded up to microseconds; null for no delay
     * @return this builder
     */
    public Builder availableAt(@Nullable Instant availableAt) {
      this.availableAt = availableAt;
      return this;
    }

    /**
     * Builds the event.
     *
     * @return the event, not yet checked against limits
     * @throws IllegalStateException if no payload was set; a tombstone must be set explicitly
     */
    public Event build() {
      if (payload == null) {
        throw new IllegalStateException(
            "Event of type "
                + Quoted.of(type)
                + " has no payload; use Payload.tombstone() if it is to have none");
      }
      Headers own = headers.isEmpty() ? Headers.NONE : new Headers(headers);
      return new Event(
          id == null ? EventIds.system().next() : id,
          type,
          version,
          key,
          payload,
          TraceContext.with(tracestate, own),
          correlationId,
          causationId,
          traceparent,
          availableAt);
    }
  }
}
