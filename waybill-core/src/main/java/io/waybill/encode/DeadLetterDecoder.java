package io.waybill.encode;

import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads dead letters, those of {@link DeadLetterEncoder} and those of others who keep to the same
 * form, and makes the originals of them again, byte for byte. Thread-safe, never throws.
 */
public final class DeadLetterDecoder {
  private static final String DEAD = "waybill-dead-";
  private static final String CONTENT_TYPE = "content-type";
  private static final String ORIGINAL_CONTENT_TYPE = "waybill-original-content-type";
  private static final String ORIGINAL = "originalEvent";
  private static final String SUFFIX = ".dlt";

  private final Decoder decoder = new Decoder();

  /** Creates one; it has no settings. */
  public DeadLetterDecoder() {}

  /**
   * Reads a letter.
   *
   * @param delivery as it lies in its topic or queue
   * @return the letter; without an original if it has none that can be read
   */
  public DeadLetter decode(Delivery delivery) {
    JsonMembers members = JsonMembers.of(delivery.body());
    DeadLetter.Original original = original(members, delivery.headers());
    String source = source(delivery);
    ReceivedEvent event = event(delivery, source, original);
    String eventId = event == null ? text(members, "eventId") : event.id();
    return new DeadLetter(
        delivery,
        source,
        eventId,
        event == null ? null : event.type(),
        key(delivery, event),
        known(delivery.headers().get(DEAD + "consumer"), text(members, "consumerService")),
        delivery.headers().get(DEAD + "reason"),
        text(members, "errorMessage"),
        text(members, "failedAt"),
        redriven(delivery.headers()),
        original);
  }

  /**
   * Makes the original of a letter again, to be sent where it came from, marked as sent again.
   *
   * @param letter the letter
   * @param original its original
   * @param consumer for whom: other inboxes ignore it
   * @param destination where it goes
   * @param sendId identifies the send
   * @return the message
   */
  public static Outgoing again(
      DeadLetter letter,
      DeadLetter.Original original,
      String consumer,
      Destination destination,
      long sendId) {
    List<Header> headers = new ArrayList<>(original.headers().list());
    headers.removeIf(
        header ->
            header.name().equals(Decoder.REDRIVEN) || header.name().equals(Decoder.REDRIVEN_FOR));
    headers.add(new Header(Decoder.REDRIVEN, Integer.toString(letter.redriven() + 1)));
    headers.add(new Header(Decoder.REDRIVEN_FOR, consumer));
    Delivery delivery = letter.delivery();
    return new Outgoing(
        sendId,
        destination,
        delivery.key(),
        original.body(),
        original.contentType(),
        letter.eventId() == null ? "" : letter.eventId(),
        letter.eventType() == null ? "" : letter.eventType(),
        Math.floorDiv(delivery.timestampMicros(), 1000L),
        headers);
  }

  private static String source(Delivery delivery) {
    String said = delivery.headers().get(DEAD + "source");
    if (said != null) {
      return said;
    }
    String name = delivery.source();
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
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
    String contentType = known(headers.get(ORIGINAL_CONTENT_TYPE), null);
    Headers own = own(headers, contentType);
    String type = contentType == null ? Payload.JSON : contentType;
    String text = new String(embedded, StandardCharsets.UTF_8);
    if (text.equals("null")) {
      return new DeadLetter.Original(null, own, type);
    }
    if (!"base64".equals(members.text("originalEventEncoding"))) {
      return new DeadLetter.Original(embedded, own, type);
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

  /** The headers as they were, the content type included. */
  private static Headers own(Headers headers, @Nullable String contentType) {
    List<Header> list = new ArrayList<>();
    for (Header header : headers.list()) {
      boolean letters =
          header.name().startsWith(DEAD)
              || header.name().equals(ORIGINAL_CONTENT_TYPE)
              || header.name().equals(CONTENT_TYPE);
      if (!letters) {
        list.add(header);
      }
    }
    if (contentType != null) {
      list.add(new Header(CONTENT_TYPE, contentType));
    }
    return new Headers(list);
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

  private static int redriven(Headers headers) {
    String text = headers.get(Decoder.REDRIVEN);
    return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
  }
}
