package io.waybill.internal.encode;

import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.ReceivedEvent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads dead letters and restores their originals, byte for byte. It reads those of {@link
 * DeadLetterEncoder} and those of other writers in the same form. Thread-safe, never throws.
 */
public final class DeadLetterDecoder {
  private static final String ORIGINAL = "originalEvent";

  private final Decoder decoder = new Decoder();

  /** Creates a decoder; it has no settings. */
  public DeadLetterDecoder() {}

  /**
   * Reads a dead letter.
   *
   * @param delivery the message in its topic or queue
   * @return the dead letter; without an original if it has none that can be read
   */
  public DeadLetter decode(Delivery delivery) {
    Headers headers = delivery.headers();
    boolean isRaw = DeadLetterHeaders.RAW.equals(headers.get(DeadLetterHeaders.BODY));
    JsonMembers members = isRaw ? null : JsonMembers.of(delivery.body());
    DeadLetter.Original original = isRaw ? raw(delivery) : original(members, headers);
    String source = source(delivery);
    ReceivedEvent event = event(delivery, source, original);
    DeadLetter.Missing missing = missing(members, headers);
    String eventId = event == null ? text(members, "eventId") : event.id();
    String type = missing == null ? null : text(members, "eventType");
    return new DeadLetter(
        delivery,
        source,
        eventId,
        event == null ? type : event.type(),
        key(delivery, event),
        known(headers.get(DeadLetterHeaders.CONSUMER), text(members, "consumerService")),
        headers.get(DeadLetterHeaders.REASON),
        known(headers.get(DeadLetterHeaders.ERROR), text(members, "errorMessage")),
        known(headers.get(DeadLetterHeaders.FAILED_AT), text(members, "failedAt")),
        RedriveMarks.times(headers, event == null && missing == null ? null : eventId),
        original,
        missing);
  }

  private static DeadLetter.Original raw(Delivery delivery) {
    Headers own = new Headers(DeadLetterHeaders.raw(delivery.headers()));
    String type = own.get(DeadLetterHeaders.CONTENT_TYPE);
    return new DeadLetter.Original(delivery.body(), own, type == null ? "" : type);
  }

  private static DeadLetter.@Nullable Missing missing(
      @Nullable JsonMembers members, Headers headers) {
    if (members == null || !DeadLetterHeaders.MISSING.equals(headers.get(DeadLetterHeaders.BODY))) {
      return null;
    }
    return new DeadLetter.Missing(
        DeadLetterHeaders.length(members.text("originalLength")),
        members.text("originalSha256"),
        members.text("originalPlace"));
  }

  /**
   * Restores the original of a dead letter, to be sent where it came from and marked as sent again.
   *
   * @param letter the dead letter
   * @param original its original
   * @param consumer consumer that it is for: other inboxes ignore it
   * @param destination its destination
   * @param sendId identifies the send
   * @param now time of the message. With the original's time, a topic's retention could delete it
   *     immediately; the event's own time is in its headers or its body
   * @return the message
   */
  public static Outgoing again(
      DeadLetter letter,
      DeadLetter.Original original,
      String consumer,
      Destination destination,
      long sendId,
      Instant now) {
    // By no id where the original is no event, whatever the letter says of it.
    String eventId = letter.eventType() == null ? null : letter.eventId();
    int times = letter.redriven() + 1;
    List<Header> headers = RedriveMarks.mark(original.headers().list(), times, consumer, eventId);
    Delivery delivery = letter.delivery();
    return new Outgoing(
        sendId,
        destination,
        delivery.key(),
        original.body(),
        original.contentType(),
        letter.eventId() == null ? "" : letter.eventId(),
        letter.eventType() == null ? "" : letter.eventType(),
        now.toEpochMilli(),
        headers);
  }

  private static String source(Delivery delivery) {
    String said = delivery.headers().get(DeadLetterHeaders.SOURCE);
    return said == null ? DeadLetter.sourceOf(delivery.source()) : said;
  }

  private @Nullable ReceivedEvent event(
      Delivery delivery, String source, DeadLetter.@Nullable Original original) {
    if (original == null) {
      return null;
    }
    Decoded decoded =
        decoder.decode(
            source,
            delivery.key(),
            original.body(),
            original.headers(),
            delivery.timestampMicros());
    return decoded instanceof Decoded.Event event ? event.event() : null;
  }

  private static DeadLetter.@Nullable Original original(
      @Nullable JsonMembers members, Headers headers) {
    byte[] embedded = members == null ? null : members.data(ORIGINAL);
    if (members == null || embedded == null) {
      return null;
    }
    String contentType = headers.get(DeadLetterHeaders.ORIGINAL_CONTENT_TYPE);
    Headers own = DeadLetterHeaders.restored(headers);
    String type = contentType == null ? "" : contentType;
    String text = new String(embedded, StandardCharsets.UTF_8);
    if (text.equals("null")) {
      return new DeadLetter.Original(null, own, type);
    }
    if (!"base64".equals(members.text("originalEventEncoding"))) {
      int length = DeadLetterHeaders.length(headers.get(DeadLetterHeaders.ORIGINAL_LENGTH));
      byte[] spaced = members.dataWithSpace(ORIGINAL);
      boolean isWhole = spaced != null && spaced.length == length;
      return new DeadLetter.Original(isWhole ? spaced : embedded, own, type);
    }
    byte[] decoded = decoded(text);
    return decoded == null ? null : new DeadLetter.Original(decoded, own, type);
  }

  private static byte @Nullable [] decoded(String json) {
    String base64 = json.replace("\\/", "/");
    try {
      return json.length() < 2
          ? null
          : Base64.getDecoder().decode(base64.substring(1, base64.length() - 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable String key(Delivery delivery, @Nullable ReceivedEvent event) {
    EventKey key = event == null ? null : event.key();
    if (key != null) {
      return key.aggregateType().isEmpty() ? key.aggregateId() : key.toString();
    }
    byte[] bytes = delivery.key();
    return bytes == null ? null : utf8(bytes);
  }

  private static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static @Nullable String text(@Nullable JsonMembers members, String name) {
    return members == null ? null : members.text(name);
  }

  private static @Nullable String known(@Nullable String first, @Nullable String second) {
    return first == null ? second : first;
  }
}
