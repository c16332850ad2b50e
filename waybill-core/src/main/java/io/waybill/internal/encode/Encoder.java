package io.waybill.internal.encode;

import io.waybill.broker.Outgoing;
import io.waybill.encode.Format;
import io.waybill.internal.text.Quoted;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Headers;
import io.waybill.message.Transport;
import io.waybill.store.OutboxRow;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a message of each row, in the format of its event type or the default one. Thread-safe.
 *
 * <p>Every message has these headers, as far as the row has values for them: {@code
 * waybill-event-id}, {@code waybill-event-type}, {@code waybill-event-version}, {@code
 * waybill-aggregate-type}, {@code waybill-aggregate-id}, {@code waybill-correlation-id}, {@code
 * waybill-causation-id}, {@code traceparent}, {@code waybill-created-at} (ISO-8601, UTC,
 * microseconds), {@code content-type}, and {@code waybill-replay: true} on copies that an operator
 * requested. Then follow the headers of the format, then the event's own, {@code tracestate} among
 * them. The message key is the aggregate id.
 */
public final class Encoder {
  private final Map<String, Chosen> byType;
  private final Chosen byDefault;
  private final BrokerHeaders brokerHeaders = new BrokerHeaders();

  private Encoder(Map<String, Chosen> byType, Chosen byDefault) {
    this.byType = Map.copyOf(byType);
    this.byDefault = byDefault;
  }

  /** A format and what carries it out. */
  private record Chosen(Format format, BodyFormat body) {}

  /**
   * Starts building an encoder.
   *
   * @param transport kind of broker the messages go to
   * @return a builder
   */
  public static Builder builder(Transport transport) {
    return new Builder(transport);
  }

  /**
   * Encodes a row.
   *
   * @param row the row
   * @param headers its headers, checked
   * @param destination its destination
   * @param sendId identifies the send
   * @return the message, or the reason why there is none
   */
  public Mapped encode(OutboxRow row, Headers headers, Destination destination, long sendId) {
    Chosen chosen = byType.getOrDefault(row.eventType(), byDefault);
    Body body = chosen.body().body(row, headers);
    if (body instanceof Body.Refused refused) {
      return new Mapped.Unmappable("bad-payload", detail(row, chosen.format(), refused.rule()));
    }
    Body.Bytes bytes = (Body.Bytes) body;
    return new Mapped.Message(
        new Outgoing(
            sendId,
            destination,
            key(row.key()),
            bytes.bytes(),
            bytes.contentType(),
            row.eventId(),
            row.eventType(),
            Math.floorDiv(row.createdAtMicros(), 1000L),
            brokerHeaders.of(row, headers, bytes)));
  }

  private static byte @Nullable [] key(@Nullable EventKey key) {
    return key == null ? null : key.aggregateId().getBytes(StandardCharsets.UTF_8);
  }

  private static String detail(OutboxRow row, Format format, String rule) {
    return "Event " + Quoted.of(row.eventId()) + ": format " + format.configName() + ": " + rule;
  }

  /** Collects formats; not thread-safe. */
  public static final class Builder {
    private final Transport transport;
    private final Map<String, Format> byType = new HashMap<>();
    private Format byDefault = Format.RAW;
    private @Nullable String source;

    private Builder(Transport transport) {
      this.transport = transport;
    }

    /**
     * Sets the format of all types without a specific one; {@link Format#RAW} by default.
     *
     * @param format the format
     * @return this builder
     */
    public Builder byDefault(Format format) {
      byDefault = format;
      return this;
    }

    /**
     * Sets the format of one event type.
     *
     * @param eventType exact event type
     * @param format the format
     * @return this builder
     */
    public Builder forType(String eventType, Format format) {
      byType.put(eventType, format);
      return this;
    }

    /**
     * Sets the source of the events; the formats envelope, cloudevents and cloudevents-binary need
     * it.
     *
     * @param source a URI reference, for example {@code order-service}
     * @return this builder
     */
    public Builder source(@Nullable String source) {
      this.source = source;
      return this;
    }

    /**
     * Checks and builds.
     *
     * @return the encoder
     * @throws IllegalArgumentException if a format needs a source and none is set, or the source is
     *     not a URI reference
     */
    public Encoder build() {
      String needing =
          Stream.concat(Stream.of(byDefault), byType.values().stream())
              .filter(Builder::needsSource)
              .map(Format::configName)
              .distinct()
              .sorted()
              .collect(Collectors.joining(", "));
      String checked = needing.isEmpty() ? "" : checkedSource(needing);
      Map<String, Chosen> chosen =
          byType.entrySet().stream()
              .collect(Collectors.toMap(Map.Entry::getKey, e -> choose(e.getValue(), checked)));
      return new Encoder(chosen, choose(byDefault, checked));
    }

    private static boolean needsSource(Format format) {
      return switch (format) {
        case ENVELOPE, CLOUDEVENTS, CLOUDEVENTS_BINARY -> true;
        case RAW, GENERIC -> false;
      };
    }

    private Chosen choose(Format format, String checkedSource) {
      BodyFormat body =
          switch (format) {
            case RAW -> (row, headers) -> new Body.Bytes(row.payload(), row.contentType());
            case GENERIC -> new GenericBody();
            case ENVELOPE -> new EnvelopeBody(checkedSource);
            case CLOUDEVENTS -> new CloudEventsBody(checkedSource);
            case CLOUDEVENTS_BINARY -> new CloudEventsBinaryBody(checkedSource, transport);
          };
      return new Chosen(format, body);
    }

    private String checkedSource(String needing) {
      if (source == null || source.isEmpty()) {
        throw new IllegalArgumentException("source must be given for the formats " + needing);
      }
      try {
        return new URI(source).toString();
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException(
            "source must be a URI reference, is " + Quoted.of(source), e);
      }
    }
  }
}
