package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation.Rejected;
import io.waybill.broker.Outgoing;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What client and broker answer with an exception or a closed channel, which says nothing certain
 * of the messages beside it: texts of more than 255 bytes, and bodies above the broker's default.
 */
final class AmqpLimits {
  private static final int SHORT_STRING = 255;
  private static final int BODY = 16 << 20;

  private AmqpLimits() {}

  static @Nullable Rejected refusal(Outgoing message) {
    byte[] body = message.body();
    if (body != null && body.length > BODY) {
      return rejected(message, "message-too-large", "the body", BODY);
    }
    if (tooLong(message.destination().routingKey())) {
      return rejected(message, "routing-key-too-long", "the routing key", SHORT_STRING);
    }
    if (Stream.of(message.eventId(), message.eventType(), message.contentType())
        .anyMatch(AmqpLimits::tooLong)) {
      return rejected(
          message, "property-too-long", "event id, event type or content type", SHORT_STRING);
    }
    return message.headers().stream().map(Header::name).anyMatch(AmqpLimits::tooLong)
        ? rejected(message, "header-name-too-long", "the name of a header", SHORT_STRING)
        : null;
  }

  private static boolean tooLong(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length > SHORT_STRING;
  }

  private static Rejected rejected(Outgoing message, String reason, String what, int most) {
    return new Rejected(message.sendId(), reason, what + " has more than " + most + " bytes");
  }
}
