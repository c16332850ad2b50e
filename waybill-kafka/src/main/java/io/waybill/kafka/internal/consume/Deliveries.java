package io.waybill.kafka.internal.consume;

import io.waybill.broker.Delivery;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.Place;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Translates the client's records. */
public final class Deliveries {
  private static final long MICROS_PER_MILLI = 1_000;

  private Deliveries() {}

  /** A record as it is delivered. */
  public static Delivery of(
      ConsumerRecord<byte[], byte[]> message, String lane, boolean again, Object token) {
    return new Delivery(
        message.topic(),
        lane,
        message.offset(),
        message.key(),
        message.value(),
        headers(message),
        Math.max(0, message.timestamp()) * MICROS_PER_MILLI,
        again,
        0,
        new Place.Offset(message.partition(), message.offset()),
        token);
  }

  private static Headers headers(ConsumerRecord<byte[], byte[]> message) {
    List<Header> list = new ArrayList<>();
    message
        .headers()
        .forEach(
            header -> {
              String value = text(header.value());
              if (value != null) {
                list.add(new Header(header.key(), value));
              }
            });
    return list.isEmpty() ? Headers.NONE : new Headers(list);
  }

  /** The text, or null if it is none. */
  private static @Nullable String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    if (isAscii(bytes)) {
      return new String(bytes, StandardCharsets.US_ASCII);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }
}
