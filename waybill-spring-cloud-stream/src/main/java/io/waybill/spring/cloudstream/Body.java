package io.waybill.spring.cloudstream;

import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.support.MessageBuilder;

/**
 * A payload that no converter of the application may touch: bytes that look like a text or like
 * JSON would be written again by the usual ones.
 *
 * @param wire what the binder takes: bytes, or its sign for a tombstone
 * @param contentType media type, empty if it is unknown
 */
record Body(Object wire, String contentType) {

  /** Unwraps it, and knows nothing else. */
  static final class Converter implements MessageConverter {
    @Override
    public @Nullable Object fromMessage(Message<?> message, Class<?> target) {
      return null;
    }

    @Override
    public @Nullable Message<?> toMessage(Object payload, @Nullable MessageHeaders headers) {
      if (!(payload instanceof Body body)) {
        return null;
      }
      MessageBuilder<Object> message = MessageBuilder.withPayload(body.wire());
      if (headers != null) {
        message.copyHeaders(headers);
      }
      message.removeHeader(MessageHeaders.CONTENT_TYPE);
      if (!body.contentType().isEmpty()) {
        message.setHeader(MessageHeaders.CONTENT_TYPE, body.contentType());
      }
      return message.build();
    }
  }
}
