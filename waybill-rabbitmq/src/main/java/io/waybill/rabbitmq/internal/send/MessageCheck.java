package io.waybill.rabbitmq.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Confirmation.Rejected;
import io.waybill.broker.Outgoing;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses what the client would throw at, or the broker would close the channel for. */
public final class MessageCheck {
  // What brokers offer if nobody changed it, for as long as there is no connection.
  private static final int USUAL_FRAME_MAX = 131_072;
  private static final int SHORT_STRING = 255;
  // Frame envelope, fixed part of the content header, the flags and the five other properties.
  private static final int HEADER_FRAME_MARGIN = 4 * SHORT_STRING + 128;
  // Type octet and length prefixes of one entry of an AMQP table.
  private static final int TABLE_ENTRY = 6;

  private final int maxBodyBytes;
  private volatile int maxHeaderBytes;

  /** With the largest body. */
  public MessageCheck(int maxBodyBytes) {
    this.maxBodyBytes = maxBodyBytes;
    negotiated(USUAL_FRAME_MAX);
  }

  /**
   * The header table has to fit into one frame.
   *
   * @param frameMax bytes of a frame on a connection that was opened, 0 for no limit
   */
  void negotiated(int frameMax) {
    maxHeaderBytes = (frameMax == 0 ? Integer.MAX_VALUE : frameMax) - HEADER_FRAME_MARGIN;
  }

  /** The reason to refuse the message, or null. */
  public @Nullable Rejected refusal(Outgoing message) {
    byte[] body = message.body();
    if (body != null && body.length > maxBodyBytes) {
      return rejected(message, "message-too-large", "body", body.length, maxBodyBytes);
    }
    Rejected shortString = shortStrings(message);
    return shortString != null ? shortString : headers(message);
  }

  private static @Nullable Rejected shortStrings(Outgoing message) {
    if (isTooLong(message.destination().routingKey())) {
      int length = utf8(message.destination().routingKey());
      return rejected(message, "routing-key-too-long", "routing key", length, SHORT_STRING);
    }
    if (isTooLong(message.destination().target())) {
      int length = utf8(message.destination().target());
      return rejected(message, "exchange-name-too-long", "exchange name", length, SHORT_STRING);
    }
    List<String> properties =
        List.of(message.eventId(), message.eventType(), message.contentType());
    for (String property : properties) {
      if (isTooLong(property)) {
        String what = "event id, event type or content type";
        return rejected(message, "property-too-long", what, utf8(property), SHORT_STRING);
      }
    }
    return null;
  }

  private @Nullable Rejected headers(Outgoing message) {
    List<Header> headers = message.headers();
    Set<String> names = new HashSet<>(headers.size() * 2);
    long upperBound = 0;
    for (Header header : headers) {
      if (isTooLong(header.name())) {
        int length = utf8(header.name());
        return rejected(message, "header-name-too-long", "header name", length, SHORT_STRING);
      }
      if (!names.add(header.name())) {
        String detail = "header '" + header.name() + "' occurs twice; AMQP allows each name once";
        return new Confirmation.Rejected(message.sendId(), "duplicate-header", detail);
      }
      upperBound += 3L * (header.name().length() + header.value().length()) + TABLE_ENTRY;
    }
    return upperBound <= maxHeaderBytes ? null : exactHeaders(message);
  }

  private @Nullable Rejected exactHeaders(Outgoing message) {
    int size = 0;
    for (Header header : message.headers()) {
      size += utf8(header.name()) + utf8(header.value()) + TABLE_ENTRY;
    }
    return size <= maxHeaderBytes
        ? null
        : rejected(message, "headers-too-large", "headers", size, maxHeaderBytes);
  }

  private static Rejected rejected(
      Outgoing message, String reason, String what, int length, int limit) {
    String detail = "%s of %d bytes, at most %d are possible".formatted(what, length, limit);
    return new Confirmation.Rejected(message.sendId(), reason, detail);
  }

  private static boolean isTooLong(String text) {
    return text.length() * 3 > SHORT_STRING && utf8(text) > SHORT_STRING;
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
